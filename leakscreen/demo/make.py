"""A seed -> a folder of files in which it is known where health information about people is planted."""

import os
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from random import Random

from core.errors import OutputError
from leakscreen.demo import clinical
from leakscreen.demo.draft import Draft
from leakscreen.demo.formats import render
from leakscreen.demo.mail import render_mail
from leakscreen.demo.people import Person, make_people
from leakscreen.demo.planted import Planted
from leakscreen.demo.tree import Tree, clean
from leakscreen.demo.wrap import LOCKED, TORN, Held, harmless, wrap

_PEOPLE = 240
_PII_SHARE, _HEALTH_SHARE = 0.36, 0.14
_WRAPPING_CHANCES = {"zip": 0.04, "gz": 0.06, LOCKED: 0.04, TORN: 0.04}
_PHI_WRAPPINGS = ("", "zip", "", "", "mail", "gz", "")
_EARLIEST, _LATEST = 1_400_000_000, 1_720_000_000  # times of the files, 2014 to 2024
_SMALL_FORMS = {"docx": "txt", "pdf": "txt", "pptx": "html", "xlsx": "csv", "py": "txt", "log": "txt", "ini": "txt"}
_FILES_PER_FOLDER = 1_000


def make_share(folder: Path, *, files: int = 300, seed: int = 20, phi_share: float = 0.01) -> list[Planted]:
    """Writes `files` files of all kinds and formats below a new folder, and tells what each document in them is.

    The same seed gives the same bytes under the same names.
    """
    root = new_folder(folder)
    dice = Random(seed)  # noqa: S311 - repeatable content, no secret
    people = make_people(dice, _PEOPLE)
    tree = Tree(dice, people)
    planted: list[Planted] = []
    for draft, wrapping in _drafts(dice, people, files, phi_share):
        wrapped = wrap(dice, people, draft, wrapping)
        path = root / tree.place(wrapped.name, wrapped.ending)
        _write(path, wrapped.content, dice.randint(_EARLIEST, _LATEST))
        planted += [Planted(_uri(path, held), held.draft.kind, held.draft.template, held.form) for held in wrapped.held]
    return planted


def make_small_files(folder: Path, files: int, seed: int = 20, *, phi_share: float = 0.01) -> list[Planted]:
    """Writes many small txt, csv, html and eml files, 1,000 per folder: quick to make, for measuring throughput."""
    root = new_folder(folder)
    dice = Random(seed)  # noqa: S311 - repeatable content, no secret
    people = make_people(dice, _PEOPLE)
    planted: list[Planted] = []
    for index, (draft, _) in enumerate(_drafts(dice, people, files, phi_share)):
        form = dice.choice(draft.formats)
        form = _SMALL_FORMS.get(form, form)
        content = render_mail(dice, draft, people, []) if form == "eml" else render(draft, form)
        path = root / f"{index // _FILES_PER_FOLDER:03}" / f"{index:06} {clean(draft.stem)}.{form}"
        _write(path, content, dice.randint(_EARLIEST, _LATEST))
        planted.append(Planted(str(path), draft.kind, draft.template, form))
    return planted


def new_folder(folder: Path) -> Path:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        empty = not any(folder.iterdir())
    except OSError as error:
        raise OutputError(f"{folder} cannot be made into a folder: {error.strerror}") from None
    if not empty:
        raise OutputError(f"{folder} is not empty; the sample share needs a new or an empty folder")
    return folder.resolve()


def _drafts(dice: Random, people: tuple[Person, ...], files: int, phi_share: float) -> Iterator[tuple[Draft, str]]:
    """One draft per file, the kinds in random order, and how each is to be wrapped."""
    kinds = _kinds(files, phi_share)
    dice.shuffle(kinds)
    templates, wrappings = cycle(clinical.TEMPLATES), cycle(_PHI_WRAPPINGS)
    chances = (1 - sum(_WRAPPING_CHANCES.values()), *_WRAPPING_CHANCES.values())
    for kind in kinds:
        if kind == "phi":
            yield next(templates)(dice, people), next(wrappings)
        else:
            yield harmless(dice, people, kind), dice.choices(("", *_WRAPPING_CHANCES), chances)[0]


def _kinds(files: int, phi_share: float) -> list[str]:
    phi = min(files, max(1, round(files * phi_share))) if phi_share > 0 else 0
    pii = round((files - phi) * _PII_SHARE)
    health = round((files - phi) * _HEALTH_SHARE)
    return ["phi"] * phi + ["pii"] * pii + ["health"] * health + ["plain"] * (files - phi - pii - health)


def _uri(path: Path, held: Held) -> str:
    if not held.inner:
        return str(path)
    # A gzip file keeps no name of its own: its member is called like the file without `.gz`.
    return f"{path}!{path.stem if path.suffix == '.gz' else held.inner}"


def _write(path: Path, content: bytes, mtime: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    os.utime(path, (mtime, mtime))
