"""Passages of screened-positive documents -> health verdicts: k nearest neighbours in a metric that was learned."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classifiers.distances import distances_by_class, euclidean
from classifiers.matcher import TermMatcher
from classifiers.passage_features import evidence_of, is_patients_record, passage_features
from classifiers.style import style_scores
from classifiers.vectors import Floats, Weights

_ROWS = 256  # passages whose distances are taken at once
_SHOWN_NEIGHBOURS = 3
_MOST_IN_VAIN = 8  # passages judged for each positive one: beyond it a long text would hide a short note
_SUREST = 6.0  # log odds beyond which a passage is no surer


@dataclass(frozen=True, slots=True)
class PassageContent:
    """Prototypes sorted by class, already in the metric: features times `scale`, after `mean` was taken off."""

    mean: Floats
    scale: Floats
    prototypes: Floats
    classes: NDArray[np.int64]
    names: tuple[str, ...]
    neighbours: int
    caution: float  # how many times nearer than all else a passage must be to personal ones
    caution_growth: float  # how much more with each e-fold of passages that were judged in vain
    least_evidence: float  # what the decisive terms of a passage must weigh together, as a beginning
    evidence_per_word: float  # and how much more with each of its words
    style_weights: Floats  # of hashed words: the wording is one more column
    style_intercept: float
    style_scale: float
    style_most: float  # beyond which the wording says no more
    linear_weights: Floats  # of the features and the wording: how personal they are together is a last column
    linear_intercept: float
    linear_scale: float


@dataclass(frozen=True, slots=True)
class PassageJudgement:
    """For each passage its distances to the classes, whether it is referred, and its nearest prototypes."""

    by_class: Floats
    threshold: Floats
    positive: NDArray[np.bool_]
    nearest: list[list[tuple[str, float]]]


def bounded(log_odds: Floats) -> Floats:
    """How personal passages are, within bounds: the surest must not be far from all others."""
    return np.clip(log_odds, -_SUREST, _SUREST) / 2


class PassageModel:
    """A passage is personal health information where it is nearer to such passages than to any others."""

    def __init__(
        self, content: PassageContent, matcher: TermMatcher, weights: Weights, classes: int, personal: int
    ) -> None:
        self._content = content
        self._matcher, self._weights = matcher, weights
        self._class_count, self._personal = classes, personal
        if passage_features([""], matcher, weights).shape[1] != len(content.mean):
            raise ValueError("passages were measured otherwise than they are now")

    def caution_among(self, judged: int, positive: int) -> float:
        """How many times nearer the strongest passage of a document must be because so many others were judged too.

        With every passage that is judged the chance grows that one is taken for what it is not.
        """
        in_vain = max(1, judged) / max(1, positive)
        return 1.0 + self._content.caution_growth * math.log(min(_MOST_IN_VAIN, in_vain))

    def judge(self, texts: Sequence[str]) -> PassageJudgement:
        content = self._content
        vectors = self._vectors(texts)
        blocks = [euclidean(vectors[low : low + _ROWS], content.prototypes) for low in range(0, len(texts), _ROWS)]
        to_each = np.vstack(blocks).round(9)  # the last bits depend on what else is in the batch
        by_class = distances_by_class(to_each, content.classes, self._class_count, content.neighbours)
        personal, other = by_class[:, : self._personal].min(axis=1), by_class[:, self._personal :].min(axis=1)
        threshold = other / content.caution
        positive = (personal < threshold) & self._has_evidence(texts)
        return PassageJudgement(by_class, threshold, positive, self._nearest(to_each))

    def vectors(self, texts: Sequence[str]) -> Floats:
        """The vectors, in the metric, of the passages that have evidence enough to be referred."""
        if not texts:
            return np.empty((0, self._content.prototypes.shape[1]))
        rows: Floats = self._vectors(texts)[self._has_evidence(texts)]
        return rows

    def _vectors(self, texts: Sequence[str]) -> Floats:
        content = self._content
        features = passage_features(texts, self._matcher, self._weights) - content.mean
        style = style_scores(texts, content.style_weights, content.style_intercept, content.style_most)
        linear = np.column_stack([features, style]) @ content.linear_weights + content.linear_intercept
        columns = (features * content.scale, style * content.style_scale, bounded(linear) * content.linear_scale)
        return np.column_stack(columns)

    def _has_evidence(self, texts: Sequence[str]) -> NDArray[np.bool_]:
        """A long passage has some medical word somewhere: the longer it is, the more it must have.

        A record of a patient needs none.
        """
        matches = self._matcher.match(texts)
        floor = self._content.least_evidence + self._content.evidence_per_word * matches.lengths
        enough: NDArray[np.bool_] = evidence_of(matches, self._weights) >= floor
        return enough | np.array([is_patients_record(text) for text in texts], dtype=np.bool_)

    def _nearest(self, to_each: Floats) -> list[list[tuple[str, float]]]:
        shown = min(_SHOWN_NEIGHBOURS, to_each.shape[1])
        few = np.sort(np.argpartition(to_each, shown - 1, axis=1)[:, :shown], axis=1)  # a sort of all takes far longer
        order = np.take_along_axis(
            few, np.argsort(np.take_along_axis(to_each, few, axis=1), axis=1, kind="stable"), axis=1
        )
        return [
            [(self._content.names[at], float(row[at])) for at in places.tolist()]
            for row, places in zip(to_each, order, strict=True)
        ]
