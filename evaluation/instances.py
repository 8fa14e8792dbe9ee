"""Spans that people and a system marked -> correct, substituted, inserted, deleted instances (Uzuner et al., 2007)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from evaluation.ratios import Scores, scores
from evaluation.spans import Marked


@dataclass(frozen=True, slots=True)
class InstanceCounts:
    """Correct: type and extent right; substituted: partly right; inserted: too much; deleted: missed."""

    correct: int = 0
    substituted: int = 0
    inserted: int = 0
    deleted: int = 0

    def __add__(self, other: "InstanceCounts") -> "InstanceCounts":
        return InstanceCounts(
            self.correct + other.correct,
            self.substituted + other.substituted,
            self.inserted + other.inserted,
            self.deleted + other.deleted,
        )

    @property
    def scores(self) -> Scores:
        """P = C / (C + S + I), R = C / (C + S + D)."""
        return scores(self.correct, self.substituted + self.inserted, self.substituted + self.deleted)


@dataclass(frozen=True, slots=True)
class Matching:
    """Each span is matched at most once: identical ones first, then those that overlap, in the order of the text."""

    correct: tuple[Marked, ...]
    substituted: tuple[tuple[Marked, Marked], ...]
    inserted: tuple[Marked, ...]
    deleted: tuple[Marked, ...]

    @property
    def counts(self) -> InstanceCounts:
        return InstanceCounts(len(self.correct), len(self.substituted), len(self.inserted), len(self.deleted))


def matching(gold: Iterable[Marked], found: Iterable[Marked]) -> Matching:
    wanted, predicted = set(gold), set(found)
    correct = wanted & predicted
    left, loose = sorted(wanted - correct), sorted(predicted - correct)
    pairs = tuple(_overlapping_pairs(left, loose))
    paired = {span for span, _ in pairs}, {span for _, span in pairs}
    return Matching(
        tuple(sorted(correct)),
        pairs,
        tuple(span for span in loose if span not in paired[1]),
        tuple(span for span in left if span not in paired[0]),
    )


def instance_counts(gold: Iterable[Marked], found: Iterable[Marked]) -> InstanceCounts:
    return matching(gold, found).counts


def category_scores(matchings: Iterable[Matching]) -> dict[str, tuple[int, Scores]]:
    """Per category: how many instances it has, and P over what was marked as it, R over what it has."""
    right: Counter[str] = Counter()
    too_much: Counter[str] = Counter()
    missed: Counter[str] = Counter()
    for one in matchings:
        right.update(span.category for span in one.correct)
        too_much.update(span.category for span in (*one.inserted, *(found for _, found in one.substituted)))
        missed.update(span.category for span in (*one.deleted, *(gold for gold, _ in one.substituted)))
    return {
        category: (right[category] + missed[category], scores(right[category], too_much[category], missed[category]))
        for category in sorted({*right, *too_much, *missed})
    }


def _overlapping_pairs(left: Sequence[Marked], loose: Sequence[Marked]) -> Iterator[tuple[Marked, Marked]]:
    first = second = 0
    while first < len(left) and second < len(loose):
        if left[first].end <= loose[second].start:
            first += 1
        elif loose[second].end <= left[first].start:
            second += 1
        else:
            yield left[first], loose[second]
            first, second = first + 1, second + 1
