"""A short text with a table in it -> which of its names are in a column of staff, such as `Attending` or `Coach`."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from core.records import Passage
from screening.passages.rows import is_heading, shape_of
from screening.people.roles import is_staff_heading

_HEADING_LINES = 8  # among which the table has its heading
_OWNER = "owner"  # whom an export of an app is about
_LONGEST = 6_000  # characters; the tables of longer texts are passages of their own


class StaffColumns(NamedTuple):
    shape: tuple[str, int]
    columns: frozenset[int]
    start: int  # of the rows

    def hold(self, text: str, place: int) -> bool:
        """Whether the place is in one of the columns."""
        line = text.rfind("\n", 0, place) + 1
        end = text.find("\n", place)
        if line < self.start or shape_of(text[line : end if end >= 0 else len(text)]) != self.shape:
            return False
        return text.count(self.shape[0], line, place) in self.columns


def staff_columns(text: str, passage: Passage) -> StaffColumns | None:
    """Nothing in a text without such a table; in rows that were cut from a table the heading is known anyway."""
    if passage.end - passage.start > _LONGEST or passage.carried or passage.place.startswith("row"):
        return None
    for (line, end), (below, below_end) in pairwise(_lines(text, passage)):
        shape = shape_of(text[line:end])
        if shape[1] and shape == shape_of(text[below:below_end]) and is_heading(text[line:end], shape[0]):
            cells = text[line:end].split(shape[0])
            columns = frozenset(number for number, cell in enumerate(cells) if _is_of_staff(cell.strip(" \"'`|")))
            return StaffColumns(shape, columns, end) if columns else None
    return None


def _is_of_staff(heading: str) -> bool:
    return heading.lower() != _OWNER and is_staff_heading(heading)


def _lines(text: str, passage: Passage) -> Iterator[tuple[int, int]]:
    """The first ones."""
    start = passage.start
    for _ in range(_HEADING_LINES):
        end = text.find("\n", start, passage.end)
        yield start, passage.end if end < 0 else end
        if end < 0:
            return
        start = end + 1
