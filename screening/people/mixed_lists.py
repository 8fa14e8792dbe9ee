"""A passage and the names in it -> its medical entries alone, where most of its entries tell of nobody's health.

The tickets of a help desk have one line for each of twenty people, and three of them say why somebody is ill. Together
they are too ordinary to be found, or all twenty would be taken for patients.
"""

import csv
import re
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from core.records import Passage
from screening.passages.json_records import objects_of_list
from screening.passages.messages import PLACE as MESSAGES
from screening.passages.rows import is_heading, shape_of
from screening.people.health_words import is_illness_heading
from screening.people.medical_text import Stretch, hints_in, medical_among
from screening.people.mentions import Mention

_LEAST_ENTRIES = 4
_LEAST_ROWS = 2  # of a part of a table
_NAMED = 0.6  # of the entries name somebody
_DIFFERENT = 0.7  # of these name somebody else
_ILL = 0.5  # of the entries with a name; where more are medical, the list is one of patients
_LONGEST_ENTRY = 500  # characters on average
_HEADING_LINES = 8  # among which a table has its heading
_LINE = re.compile(r"[^\n]+")
_ROWS = re.compile(r"rows? ([\d,]+)")
_NOTHING = frozenset(  # in a column for diagnoses or allergies
    (
        *("", "-", "--", "–", "—", "/", "0", "no", "none", "nil", "n/a", "na", "nka", "nkda", "ok", "false", "unknown"),
        *("keine", "nein", "aucun", "aucune", "non", "néant", "ninguna", "ninguno", "nada"),
    )
)


def medical_entries(text: str, passage: Passage, mentions: Sequence[Mention]) -> list[Passage]:
    """The passage itself where it is no list of people, or most of them are ill."""
    is_table = passage.place.startswith("row")
    least = _LEAST_ROWS if is_table else _LEAST_ENTRIES
    if len(mentions) < least or passage.place.startswith(MESSAGES):
        return [passage]
    if not hints_in(text, passage.start, passage.end):
        return [passage]
    heading, entries = _entries(text, passage)
    if len(entries) < least or passage.end - passage.start > _LONGEST_ENTRY * len(entries):
        return [passage]
    named = _named(entries, mentions)
    different = {own[0].key for _, own in named}
    if len(named) < _NAMED * len(entries) or len(different) < max(least, _DIFFERENT * len(named)):
        return [passage]
    ill = _ill(text, named, heading)
    if not 0 < len(ill) <= _ILL * len(named) or (heading is None and _are_named_again(ill, named)):
        return [passage]
    carried = passage.carried
    if heading is not None and heading not in carried:
        carried = (*carried, heading)
    return [Passage(*stretch, _place(text, stretch, passage, heading), carried) for stretch in ill]


def _entries(text: str, passage: Passage) -> tuple[Stretch | None, list[Stretch]]:
    """The heading of a table, if there is one, and each line or record below it."""
    if records := objects_of_list(text, passage.start, passage.end):
        return None, records
    lines = [match.span() for match in _LINE.finditer(text, passage.start, passage.end) if not match[0].isspace()]
    if passage.place.startswith("row"):
        return passage.carried[0] if passage.carried else None, lines
    for number, (line, below) in enumerate(pairwise(lines[:_HEADING_LINES])):
        delimiter, count = shape_of(text[slice(*line)])
        if count and (delimiter, count) == shape_of(text[slice(*below)]) and is_heading(text[slice(*line)], delimiter):
            return line, lines[number + 1 :]
    return None, lines


def _named(entries: Sequence[Stretch], mentions: Sequence[Mention]) -> list[tuple[Stretch, Sequence[Mention]]]:
    """The entries that name somebody in full, with who is named there."""
    full = [mention for mention in mentions if mention.is_full and mention.likelihood > 0]
    places = [mention.start for mention in full]
    owned = ((entry, full[slice(*(bisect_left(places, place) for place in entry))]) for entry in entries)
    return [(entry, own) for entry, own in owned if own]


def _are_named_again(ill: Sequence[Stretch], named: Sequence[tuple[Stretch, Sequence[Mention]]]) -> bool:
    """Minutes of a meeting come back to the same people; what explains an entry may then be in another one."""
    here = {one.key for entry, own in named if entry in ill for one in own}
    return any(one.key in here for entry, own in named if entry not in ill for one in own)


def _ill(text: str, named: Sequence[tuple[Stretch, Sequence[Mention]]], heading: Stretch | None) -> list[Stretch]:
    """Entries with a medical word, or with something in a column for diagnoses."""
    delimiter, columns = _health_columns(text[slice(*heading)]) if heading else ("", [])
    return [
        entry
        for (entry, _), is_medical in zip(named, medical_among(text, named), strict=True)
        if is_medical or (columns and _is_filled(text[slice(*entry)], delimiter, columns))
    ]


@lru_cache(maxsize=64)
def _health_columns(heading: str) -> tuple[str, list[int]]:
    delimiter, count = shape_of(heading)
    cells = heading.split(delimiter) if count else []
    return delimiter, [number for number, cell in enumerate(cells) if is_illness_heading(cell)]


def _is_filled(row: str, delimiter: str, columns: Sequence[int]) -> bool:
    cells = next(csv.reader([row], delimiter=delimiter), [])
    filled = (cells[column].strip(" \"'.|\r").casefold() for column in columns if column < len(cells))
    return any(cell not in _NOTHING for cell in filled)


def _place(text: str, entry: Stretch, passage: Passage, heading: Stretch | None) -> str:
    """By its number among all rows or lines; a record by its number in the one that holds it."""
    if text[entry[0]] == "{":
        return f"{passage.place} at character {entry[0] - passage.start + 1:,}"
    numbered = _ROWS.match(passage.place)
    first = int(numbered[1].replace(",", "")) if numbered else 1
    begun = passage.start if numbered else heading[0] if heading else 0
    return f"{'row' if heading or numbered else 'line'} {first + text.count(chr(10), begun, entry[0]):,}"
