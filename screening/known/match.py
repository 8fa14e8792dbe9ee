"""A text -> the people of a list who are in it: a primary value, and a supporting one of the same person beside it."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from core.records import Span
from screening.known.index import KnownIndex
from screening.known.values import plain_code, values_in
from screening.passages.cut import passages_of

_REACH = 600  # characters before and after, within the passage
_NUMBERS = frozenset(
    {
        "medical_record_number",
        "health_card_number",
        "health_plan_number",
        "nhs_number",
        "ssn",
        "sin",
        "national_id_number",
        "account_number",
        "other_unique_number",
        "phone_number",
    }
)


class KnownHere(NamedTuple):
    row: int  # of the index
    start: int
    end: int
    passage: tuple[int, int]


def known_in(text: str, spans: Sequence[Span], starts: Sequence[int], index: KnownIndex) -> list[KnownHere]:
    """Most texts have no value of the list, and are done after one look."""
    places = {match.span() for match in index.pattern.finditer(text)}
    places |= {span[:2] for span in spans if span.characteristic in _NUMBERS}
    ordered = sorted(places)
    hashed = [index.hashes.primary(plain_code(text[low:high])) for low, high in ordered]
    hits = [
        (place, primary, rows)
        for place, primary, rows in zip(ordered, hashed, index.rows_of(hashed), strict=True)
        if rows[0] < rows[1]
    ]
    if not hits:
        return []
    passages = [passage[:2] for passage in passages_of(text, starts)]
    begins = [start for start, _ in passages]
    known: dict[int, KnownHere] = {}
    for place, primary, rows in hits:
        at = bisect_right(begins, place[0]) - 1
        passage = passages[at] if at >= 0 and place[0] < passages[at][1] else place
        for row in _supported(text, place, passage, primary, range(*rows), index):
            known.setdefault(row, KnownHere(row, *place, passage))
    return list(known.values())


def _supported(
    text: str, place: tuple[int, int], passage: tuple[int, int], primary: int, rows: range, index: KnownIndex
) -> list[int]:
    """The rows of which any supporting value stands on the same line, or else anywhere near in the passage."""
    low, high = place
    wanted = {row: index.supporting(row) for row in rows}
    line_end = text.find("\n", high)
    line = text.rfind("\n", 0, low) + 1, line_end if line_end >= 0 else len(text)
    for start, end in (line, passage):
        before, after = text[max(start, low - _REACH) : low], text[high : min(end, high + _REACH)]
        values = {*values_in(before, index.kinds), *values_in(after, index.kinds)}
        found = {(kind, index.hashes.supporting(primary, kind, plain)) for kind, plain in values if plain}
        supported = [row for row, supporting in wanted.items() if supporting & found]
        if supported:
            return supported
    return []
