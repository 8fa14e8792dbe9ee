"""Texts with marked spans -> recall on ambiguous tokens, which also occur unmarked, and on unknown words."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from evaluation.ratios import share
from evaluation.spans import Record, categories, tokens


@dataclass(frozen=True, slots=True)
class Recall:
    """How many tokens of a kind people marked, and how many of those the system found; None where there are none."""

    marked: int
    found: int

    @property
    def recall(self) -> float | None:
        return share(self.found, self.marked)


@dataclass(frozen=True, slots=True)
class HardTokens:
    ambiguous: Recall
    unambiguous: Recall
    out_of_vocabulary: Recall
    in_vocabulary: Recall


def hard_tokens(records: Iterable[Record], known: Callable[[str], bool]) -> HardTokens:
    """A token is ambiguous if the corpus has it both as PHI and not; `known` says if the vocabulary has a word."""
    seen: list[tuple[str, bool, bool]] = []
    for record in records:
        places = tokens(record.text)
        marks = zip(places, categories(places, record.gold), categories(places, record.found), strict=True)
        seen += [
            (record.text[place.start : place.end].lower(), gold is not None, found is not None)
            for place, gold, found in marks
        ]
    unmarked = {word for word, gold, _ in seen if not gold}
    marked = [(word, found) for word, gold, found in seen if gold]
    vocabulary = {word: known(word) for word in {word for word, _ in marked}}
    return HardTokens(
        ambiguous=_recall(found for word, found in marked if word in unmarked),
        unambiguous=_recall(found for word, found in marked if word not in unmarked),
        out_of_vocabulary=_recall(found for word, found in marked if not vocabulary[word]),
        in_vocabulary=_recall(found for word, found in marked if vocabulary[word]),
    )


def _recall(found: Iterable[bool]) -> Recall:
    outcomes = list(found)
    return Recall(len(outcomes), sum(outcomes))
