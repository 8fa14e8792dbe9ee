"""What results say of who may read a file -> its circle, whom it names, and how many files have which."""

from collections import Counter
from collections.abc import Iterable, Mapping

EVERYONE, GROUP, OWNER = "everyone", "group", "owner"
UNKNOWN = "not known"
CIRCLES = {
    EVERYONE: "everyone",
    GROUP: "named groups or users",
    OWNER: "the owner alone",
    UNKNOWN: "not known",
}
_SHARE = "share only for "
_SOMEBODY = "users by name"
_NAMED = ("group ", "user ", _SOMEBODY)


def circle_of(access: str | None) -> str:
    """The widest circle that may read the file."""
    first = (access or "").partition(", ")[0]
    return first if first in CIRCLES else UNKNOWN


def readers_in(access: str | None) -> list[str]:
    """The groups and users that are named: those of the file's own list, otherwise those whom the share lets in."""
    words = (access or "").split(", ")[1:]
    of_share = [name for word in words if word.startswith(_SHARE) for name in word.removeprefix(_SHARE).split(" and ")]
    return [word for word in words if word.startswith(_NAMED)] or [n for n in of_share if n.startswith(_NAMED)]


def without_users(access: str | None) -> str:
    """The circle and the groups, for figures that are kept longer than names of people may be."""
    readers = dict.fromkeys(name if name.startswith("group ") else _SOMEBODY for name in readers_in(access))
    return ", ".join((circle_of(access), *readers))


def count_access(rows: Iterable[tuple[str | None, int]]) -> tuple[Counter[str], Counter[str]]:
    """Access and files with it -> files by circle, and files by reader where not everyone may read them."""
    circles: Counter[str] = Counter()
    readers: Counter[str] = Counter()
    for access, files in rows:
        circle = circle_of(access)
        circles[circle] += files
        if circle == GROUP:
            readers.update(dict.fromkeys(readers_in(access), files))
    return circles, readers


def access_in_words(circles: Mapping[str, int]) -> str:
    """What follows from who may read the referred files, in a sentence or two."""
    total, unknown = sum(circles.values()), circles.get(UNKNOWN, 0)
    if not total - unknown:
        return "Nothing is known of who may read them: their source does not say." if total else ""
    if everyone := circles.get(EVERYONE, 0):
        said = f"Everyone may read {everyone:,} of {total:,} referred files: begin with {_these(everyone)}."
    elif groups := circles.get(GROUP, 0):
        said = f"No referred file is open to everyone; {groups:,} of {total:,} can be read by others than the owner."
    else:
        said = "No referred file can be read by anybody but its owner."
    return f"{said} Of {unknown:,} it is not known." if unknown else said


def _these(files: int) -> str:
    return "it" if files == 1 else "these"
