"""Spans that people and a system marked -> correct, substituted, inserted, deleted instances (Uzuner et al., 2007)."""

from collections.abc import Iterable, Sequence
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


def instance_counts(gold: Iterable[Marked], found: Iterable[Marked]) -> InstanceCounts:
    """Each span is matched at most once: identical ones first, then those that overlap, in the order of the text."""
    wanted, predicted = set(gold), set(found)
    correct = wanted & predicted
    left, loose = sorted(wanted - correct), sorted(predicted - correct)
    substituted = _overlapping_pairs(left, loose)
    return InstanceCounts(len(correct), substituted, len(loose) - substituted, len(left) - substituted)


def _overlapping_pairs(left: Sequence[Marked], loose: Sequence[Marked]) -> int:
    pairs = first = second = 0
    while first < len(left) and second < len(loose):
        if left[first].end <= loose[second].start:
            first += 1
        elif loose[second].end <= left[first].start:
            second += 1
        else:
            pairs, first, second = pairs + 1, first + 1, second + 1
    return pairs
