"""A text and the people who are named in it -> name and addresses of each as they are written there.

An address is taken from columns of a table, from what follows a label, or from the lines around a street or postal code
that is tied to the person. Those of hospitals and of other organisations are left out.
"""

import csv
import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from core.records import Span
from screening.people.mentions import NAME_PARTS, Mention
from screening.people.person_names import in_fields
from screening.people.persons import Places
from screening.privacy.person_keys import plain_name

_STREET, _CODE = "street_address", "postal_code"
_PARTS = ("street_address", "city", "postal_code", "place")
_LONGEST = 80  # characters of an address before its postal code
_GAP = 25  # characters between two parts of an address, such as a town that is not known
_NEAR = 600  # characters between a name and the label of an address
_FEWEST_CELLS = 3  # of a table's row
_SPACE = re.compile(r"\s+")
_LABEL = re.compile(r"[^\S\n]*([^\W\d][^:\n]{1,30}?)[^\S\n]*:[^\S\n]*")
_SENTENCE = re.compile(r"[.!?][^\S\n]+[A-Z]|@|:")
_NUMBERED = re.compile(r"[\d:]")  # "health card number: 1234" names no organisation
# "lives at"; "1947, " of a date of birth before the number of the house
_LEADING = re.compile(r"[\s,;]*(?:(?:[a-z]+[^\S\n]+){1,4}(?=[\dA-Z])|(?:19|20)\d\d,[^\S\n]+(?=\d))")
_DELIMITERS = ",;\t|"


class _Words(NamedTuple):
    labels: frozenset[str]
    organisation: re.Pattern[str]
    street: re.Pattern[str]  # a line that may hold one
    unit: re.Pattern[str]  # what is right before a street and belongs to it


@cache
def _words() -> _Words:
    given = tomllib.loads(files("screening").joinpath("data", "addresses.toml").read_text("utf-8"))
    units = "|".join(re.escape(unit) for unit in given["units"])
    return _Words(
        frozenset(map(_folded, given["labels"])),
        re.compile(rf"\b(?:{'|'.join(given['organisations'])})\b"),
        re.compile(rf"(?i)[^\S\n]*(?:\d|(?:{units})\b)"),
        re.compile(rf"(?i)\b(?:(?:{units})\.?[^\S\n]*(?:\w{{1,5}},?[^\S\n]*)?|\d\w*,?[^\S\n]*(?:\w+[^\S\n]+)?)$"),
    )


@dataclass(frozen=True, slots=True, repr=False)
class Written:
    """It holds values: only a list that is sealed at once may take them."""

    name: str  # in its fullest form
    addresses: tuple[str, ...]


def written_in(text: str, people: Sequence[Places]) -> list[Written]:
    """In the order of the people."""
    table = _Table(text)
    owners = sorted((mention.start, number) for number, places in enumerate(people) for mention in places.mentions)
    labelled: dict[int, list[str]] = {}
    for start, address in _labelled(text):
        at = bisect_right(owners, (start, len(people))) - 1
        if at >= 0 and start - owners[at][0] <= _NEAR:
            labelled.setdefault(owners[at][1], []).append(address)
    return [_written(text, places, table, labelled.get(number, ())) for number, places in enumerate(people)]


def _written(text: str, places: Places, table: "_Table", labelled: Sequence[str]) -> Written:
    names = [_name(text, mention, places.spans) for mention in places.mentions if mention.key]
    name = max(names, key=lambda name: (name.count(" "), len(name)), default="")
    in_table = [address for mention in places.mentions if (address := table.address(mention.start))]
    addresses = in_table or labelled or list(_around(text, places))
    whole = [one for one in addresses if not any(one in other for other in addresses if other != one)]
    return Written(name, tuple(dict.fromkeys(whole)))


def _name(text: str, mention: Mention, spans: Sequence[Span]) -> str:
    """As it is spoken: lists put the last name first, and records put labels between the parts."""
    parts = [span for span in spans if span.characteristic in NAME_PARTS and mention.start <= span.start < mention.end]
    if fields := in_fields(text, parts):
        return _plain(" ".join(text[part.start : part.end] for part in fields))
    written = _plain(text[mention.start : mention.end])
    last, comma, first = written.partition(",")
    return _plain(f"{first} {last}") if comma and "," not in first else written


class _Table:
    """Rows below a heading that names parts of an address."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._headings = list(_headings(text))
        self._starts = [start for start, *_ in self._headings]

    def address(self, at: int) -> str:
        number = bisect_right(self._starts, at) - 1
        if number < 0:
            return ""
        start, delimiter, width, columns = self._headings[number]
        line = _line(self._text, at)
        if line.start == start:
            return ""
        cells = _cells(self._text[line.start : line.end], delimiter)
        if len(cells) != width:
            return ""
        return _plain(", ".join(cells[column].strip() for column in columns if cells[column].strip()))


def _headings(text: str) -> Iterator[tuple[int, str, int, list[int]]]:
    labels = _words().labels
    start = 0
    for line in text.split("\n"):
        if len(line) < 1_000:
            delimiter = max(_DELIMITERS, key=line.count)
            cells = _cells(line, delimiter) if line.count(delimiter) >= _FEWEST_CELLS - 1 else []
            columns = [number for number, cell in enumerate(cells) if _folded(cell) in labels]
            if columns and not any(map(str.isdigit, line.replace("1", "").replace("2", ""))):
                yield start, delimiter, len(cells), columns
        start += len(line) + 1


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return []


def _labelled(text: str) -> Iterator[tuple[int, str]]:
    """Values of neighbouring lines whose labels are parts of an address, or the lines below a label without a value."""
    parts: list[str] = []
    begun = 0
    is_open = False  # a label whose value is below it
    start = 0
    for line in [*text.split("\n"), ""]:
        label = _LABEL.match(line)
        if label and _folded(label[1]) in _words().labels:
            begun = begun if parts or is_open else start
            value = line[label.end() :].strip()
            parts += [value] if value else []
            is_open = not value
        elif is_open and line.strip() and not label and len(line) <= _LONGEST:
            parts.append(line.strip())
        elif parts or (is_open and line.strip()):
            if any(any(map(str.isdigit, part)) for part in parts):
                yield begun, _plain(", ".join(parts))
            parts, is_open = [], False
        start += len(line) + 1


def _around(text: str, places: Places) -> Iterator[str]:
    """From the street to the last part that follows it closely; or of an unknown street what is before the code."""
    parts = sorted((span for span in places.spans if span.characteristic in _PARTS), key=lambda span: span.start)
    stretches: list[list[int]] = []
    for span in parts:
        if span.characteristic == _STREET:
            stretches.append([_with_unit(text, span.start), span.end])
        elif stretches and _follows(text[stretches[-1][1] : span.start], span):
            stretches[-1][1] = span.end
        elif span.characteristic == _CODE and (start := _start_of(text, span, places)) < span.start:
            stretches.append([start, span.end])
    for start, end in stretches:
        if start < end and not _is_of_house(text, start):
            lead = _LEADING.match(text, start, end)
            yield _plain(text[lead.end() if lead else start : end])


def _follows(between: str, part: Span) -> bool:
    """A town that is not known may come before a postal code."""
    longest = _LONGEST if part.characteristic == _CODE and not _SENTENCE.search(between) else _GAP
    return len(between) <= longest and between.count("\n") <= 1


def _with_unit(text: str, start: int) -> int:
    line = _line(text, start)
    before = _words().unit.search(text[line.start : start])
    return line.start + before.start() if before else start


def _start_of(text: str, code: Span, places: Places) -> int:
    """Behind a label, or behind what is known to be something else; with the line above where the street is there."""
    line = _line(text, code.start)
    low = max(line.start, text.rfind(":", 0, code.start) + 1, code.start - _LONGEST)
    others = [span for span in places.spans if span.characteristic not in _PARTS]
    start = max([low, *(span.end for span in others if low < span.end <= code.start)])
    if start == line.start and line.start and not _words().street.match(text[start : code.start]):
        above = _line(text, line.start - 1)
        names = any(above.start <= mention.start < above.end for mention in places.mentions)
        if not names and _may_be_street(text[above.start : above.end]):
            return above.start
    return start


def _may_be_street(line: str) -> bool:
    return len(line) <= _LONGEST and not _SENTENCE.search(line) and bool(_words().street.match(line))


def _is_of_house(text: str, start: int) -> bool:
    """Whether an organisation is named in the same line before the address, or alone in the line above."""
    line = _line(text, start)
    before = text[line.start : start]
    beside = before.rstrip(" ,").rpartition(",")[2]
    if not _NUMBERED.search(beside) and _words().organisation.search(_folded(beside)):
        return True
    if before.strip() or not line.start:
        return False
    above = _line(text, line.start - 1)
    return bool(_words().organisation.search(_folded(text[above.start : above.end])))


class _Line(NamedTuple):
    start: int
    end: int


def _line(text: str, at: int) -> _Line:
    end = text.find("\n", at)
    return _Line(text.rfind("\n", 0, at) + 1, len(text) if end < 0 else end)


def _folded(text: str) -> str:
    """Words without case and accents."""
    return " ".join(plain_name(word) or word for word in text.strip().strip('"').split()) if text else ""


def _plain(text: str) -> str:
    return _SPACE.sub(" ", text).strip(' ,;"')
