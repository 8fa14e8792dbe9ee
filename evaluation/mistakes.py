"""Spans that people and a system marked -> what kinds of mistakes it made, and which categories it mixed up."""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

from evaluation.instances import Matching
from evaluation.spans import Marked, Record, categories, tokens

NOTHING = "–"  # in the table of categories: not marked


class Mistake(StrEnum):
    """What is wrong with an instance; the first five are the substitutions."""

    CATEGORY = "wrong category"
    TOO_SHORT = "too short"
    TOO_LONG = "too long"
    SHIFTED = "shifted"
    BOTH = "wrong category and extent"
    MISSED = "missed"
    SPURIOUS = "nothing there"


def mistakes(matchings: Iterable[Matching]) -> dict[Mistake, Counter[str]]:
    """Counts by kind and by category: that of the people, or the system's where there is nothing."""
    counts: dict[Mistake, Counter[str]] = {mistake: Counter() for mistake in Mistake}
    for one in matchings:
        for gold, found in one.substituted:
            counts[_kind(gold, found)][gold.category] += 1
        counts[Mistake.MISSED].update(span.category for span in one.deleted)
        counts[Mistake.SPURIOUS].update(span.category for span in one.inserted)
    return counts


def mixed_up(records: Iterable[Record]) -> dict[str, Counter[str]]:
    """Tokens by what people and what the system marked them as, those aside that nobody marked."""
    table: dict[str, Counter[str]] = {}
    for record in records:
        places = tokens(record.text)
        for gold, found in zip(categories(places, record.gold), categories(places, record.found), strict=True):
            if gold is not None or found is not None:
                table.setdefault(gold or NOTHING, Counter())[found or NOTHING] += 1
    return dict(sorted(table.items()))


def _kind(gold: Marked, found: Marked) -> Mistake:
    same_extent = gold[:2] == found[:2]
    if gold.category != found.category:
        return Mistake.CATEGORY if same_extent else Mistake.BOTH
    if gold.start <= found.start and found.end <= gold.end:
        return Mistake.TOO_SHORT
    if found.start <= gold.start and gold.end <= found.end:
        return Mistake.TOO_LONG
    return Mistake.SHIFTED
