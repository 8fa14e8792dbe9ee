"""Texts with marked spans -> P, R and F on hard tokens: ambiguous ones, and words that no vocabulary has."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from typing import NamedTuple

from evaluation.spans import Record, categories, tokens
from evaluation.tokens import TokenCounts


class Kind(StrEnum):
    """Ambiguous: PHI in one place and not in another. Between categories: PHI of several, and the right one counts."""

    AMBIGUOUS = "ambiguous"
    AMBIGUOUS_IN_RECORD = "ambiguous_in_record"
    UNAMBIGUOUS = "unambiguous"
    BETWEEN_CATEGORIES = "between_categories"
    BETWEEN_CATEGORIES_IN_RECORD = "between_categories_in_record"
    OUT_OF_VOCABULARY = "out_of_vocabulary"
    IN_VOCABULARY = "in_vocabulary"


class _Seen(NamedTuple):
    word: str
    gold: str | None
    found: str | None


def hard_tokens(records: Iterable[Record], known: Callable[[str], bool] | None) -> dict[Kind, TokenCounts]:
    """`known` says if the vocabulary has a word; without it nothing is said of vocabulary, nor ever of numbers."""
    by_record = [list(_seen(record)) for record in records]
    everything = [one for record in by_record for one in record]
    counts = _ambiguous(everything, Kind.AMBIGUOUS, Kind.BETWEEN_CATEGORIES)
    ambiguous = _as_what(everything)
    counts[Kind.UNAMBIGUOUS] = _counted((one for one in everything if not _both(ambiguous[one.word])), False)
    inside = (Kind.AMBIGUOUS_IN_RECORD, Kind.BETWEEN_CATEGORIES_IN_RECORD)
    for kind in inside:
        counts[kind] = TokenCounts()
    for record in by_record:
        for kind, part in _ambiguous(record, *inside).items():
            counts[kind] += part
    if known is not None:
        words = {word: known(word) for word in ambiguous if any(map(str.isalpha, word))}
        for kind, wanted in ((Kind.OUT_OF_VOCABULARY, False), (Kind.IN_VOCABULARY, True)):
            counts[kind] = _counted((one for one in everything if words.get(one.word) is wanted), False)
    return {kind: counts[kind] for kind in Kind if kind in counts}


def _seen(record: Record) -> Iterator[_Seen]:
    places = tokens(record.text)
    for place, gold, found in zip(
        places, categories(places, record.gold), categories(places, record.found), strict=True
    ):
        yield _Seen(record.text[place.start : place.end].lower(), gold, found)


def _as_what(seen: Iterable[_Seen]) -> Mapping[str, set[str | None]]:
    marked_as: dict[str, set[str | None]] = defaultdict(set)
    for one in seen:
        marked_as[one.word].add(one.gold)
    return marked_as


def _both(marked_as: set[str | None]) -> bool:
    return None in marked_as and len(marked_as) > 1


def _ambiguous(seen: list[_Seen], both: Kind, between: Kind) -> dict[Kind, TokenCounts]:
    marked_as = _as_what(seen)
    return {
        both: _counted((one for one in seen if _both(marked_as[one.word])), False),
        between: _counted((one for one in seen if len(marked_as[one.word] - {None}) > 1), True),
    }


def _counted(seen: Iterable[_Seen], by_category: bool) -> TokenCounts:
    right = too_much = missed = 0
    for _, gold, found in seen:
        agrees = gold is not None and found is not None and (gold == found or not by_category)
        right += agrees
        too_much += found is not None and not agrees
        missed += gold is not None and not agrees
    return TokenCounts(right, too_much, missed)
