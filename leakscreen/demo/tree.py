"""A random source -> a place in the folder tree of an office that grew for years."""

import re
from pathlib import PurePosixPath
from random import Random

from leakscreen.demo.people import Person

_TOPS = (
    "Departments/Finance/Invoices/{year}",
    "Departments/Finance/Reports",
    "Departments/Human Resources",
    "Departments/Human Resources/Applications {year}",
    "Departments/Facilities",
    "Departments/Purchasing/{year}",
    "Departments/IT/configs",
    "Departments/IT/logs/{year}",
    "Departments/Communications/Web texts",
    "Home/{user}/Documents",
    "Home/{user}/Desktop",
    "Home/{user}/Desktop/old stuff",
    "Home/{user}/Downloads",
    "Home/{user}/Mail/{year}",
    "Shared/Projects/{project}",
    "Shared/Projects/{project}/drafts",
    "Shared/Templates",
    "Public/Info",
    "Archive/{year}",
    "Archive/{year}/backup K drive/misc",
)
_PROJECTS = ("Aurora", "Relocation", "Intranet", "Warehouse", "Open Day", "Library")
_MARKS = ("", "", "", "", " final", "_v2", " copy", " (1)", "-old", " DRAFT")
_FORBIDDEN = re.compile(r"[^\w .,()'-]")


class Tree:
    """Gives out paths below the root of the share, each only once."""

    def __init__(self, dice: Random, people: tuple[Person, ...]) -> None:
        self._dice = dice
        self._users = [f"{person.first[0]}{person.last}".lower().replace(" ", "") for person in people[:12]]
        self._taken: set[str] = set()

    def place(self, stem: str, ending: str) -> PurePosixPath:
        """A folder of some department, home or archive, and the stem with such marks as people add."""
        folder = self.folder()
        return folder / self._unused(f"{folder}/", clean(stem) + self._dice.choice(_MARKS), ending)

    def folder(self) -> PurePosixPath:
        pattern = self._dice.choice(_TOPS)
        year, user, project = (
            self._dice.randint(2014, 2024),
            self._dice.choice(self._users),
            self._dice.choice(_PROJECTS),
        )
        return PurePosixPath(pattern.format(year=year, user=user, project=project))

    def _unused(self, folder: str, stem: str, ending: str) -> str:
        name, count = f"{stem}.{ending}", 1
        while (folder + name).casefold() in self._taken:  # some file systems do not tell case apart
            count += 1
            name = f"{stem} {count}.{ending}"
        self._taken.add((folder + name).casefold())
        return name


def clean(stem: str) -> str:
    """A stem that every file system takes, and without the `!` that parts a container from its member."""
    return _FORBIDDEN.sub("_", stem).strip(" .") or "untitled"
