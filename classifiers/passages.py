"""Passages of screened-positive documents -> health verdicts: k nearest neighbours in a metric that was learned."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from classifiers.distances import squares
from classifiers.matcher import Matches, TermMatcher
from classifiers.passage_features import evidence_of, is_patients_record, passage_features
from classifiers.style import style_scores, words_of
from classifiers.vectors import Floats, Weights
from classifiers.wording import in_english, with_english_terms

_ROWS = 256  # passages whose distances are taken at once
_SHOWN_NEIGHBOURS = 3
_DIGITS = 9
_MOST_IN_VAIN = 8  # passages judged for each positive one: beyond it a long text would hide a short note
_SURE = 1.6  # times nearer to personal passages than needed: such a passage needs no term that is known
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
        self._personal = personal
        # For one product a batch: rows of features one behind the other, and what all batches share.
        self._features = np.ascontiguousarray(content.prototypes.T)
        self._squares = squares(content.prototypes)
        self._bounds = np.searchsorted(content.classes, np.arange(classes + 1)).tolist()
        if passage_features([""], matcher, weights).shape[1] != len(content.mean):
            raise ValueError("passages were measured otherwise than they are now")

    def caution_among(self, judged: int, positive: int) -> float:
        """How many times nearer the strongest passage of a document must be because so many others were judged too.

        With every passage that is judged the chance grows that one is taken for what it is not.
        """
        in_vain = max(1, judged) / max(1, positive)
        return 1.0 + self._content.caution_growth * math.log(min(_MOST_IN_VAIN, in_vain))

    def judge(self, texts: Sequence[str], matches: Matches) -> PassageJudgement:
        """The matches are those of the terms in the texts."""
        vectors = self._vectors(texts)
        blocks = [self._near_of_each(vectors[low : low + _ROWS]) for low in range(0, len(texts), _ROWS)]
        by_class = np.vstack([block for block, _ in blocks])
        personal, other = by_class[:, : self._personal].min(axis=1), by_class[:, self._personal :].min(axis=1)
        threshold = other / self._content.caution
        may_be = self._has_evidence(texts, matches) | (personal * _SURE < threshold)
        positive = (personal < threshold) & may_be
        return PassageJudgement(by_class, threshold, positive, [near for _, block in blocks for near in block])

    def _near_of_each(self, vectors: Floats) -> tuple[Floats, list[list[tuple[str, float]]]]:
        """For each row its mean distance to the nearest prototypes of each class, and the few that are nearest."""
        product = vectors @ self._features
        product *= -2.0
        product += self._squares
        product += squares(vectors)[:, None]
        classes = list(pairwise(self._bounds))
        by_class = np.full((len(vectors), len(classes)), np.inf)
        places, distances = [], []
        for number, (low, high) in enumerate(classes):
            if high > low:
                k = min(self._content.neighbours, high - low)
                few = np.argpartition(product[:, low:high], k - 1, axis=1)[:, :k] + low
                near = np.sqrt(np.maximum(np.take_along_axis(product, few, axis=1), 0.0))
                near = near.round(_DIGITS)  # the last bits depend on what else is in the batch
                by_class[:, number] = np.sort(near, axis=1).mean(axis=1)
                places.append(few)
                distances.append(near)
        return by_class, self._nearest(np.hstack(places), np.hstack(distances))

    def vectors(self, texts: Sequence[str]) -> Floats:
        """The vectors, in the metric, of the passages that have evidence enough to be referred."""
        if not texts:
            return np.empty((0, self._content.prototypes.shape[1]))
        rows: Floats = self._vectors(texts)[self._has_evidence(texts, self._matcher.match(texts))]
        return rows

    def _vectors(self, texts: Sequence[str]) -> Floats:
        content = self._content
        features = passage_features(texts, self._matcher, self._weights) - content.mean
        style = style_scores(texts, content.style_weights, content.style_intercept, content.style_most)
        linear = np.column_stack([features, style]) @ content.linear_weights + content.linear_intercept
        columns = (features * content.scale, style * content.style_scale, bounded(linear) * content.linear_scale)
        return np.column_stack(columns)

    def _has_evidence(self, texts: Sequence[str], matches: Matches) -> NDArray[np.bool_]:
        """A long passage has some medical word somewhere: the longer it is, the more it must have.

        A record of a patient needs none.
        """
        floor = self._content.least_evidence + self._content.evidence_per_word * matches.lengths
        enough: NDArray[np.bool_] = evidence_of(matches, self._weights) >= floor
        enough |= np.array([is_patients_record(text) for text in texts], dtype=np.bool_)
        for number in np.flatnonzero(~enough).tolist():
            enough[number] = self._evidence_in_english(texts[number]) >= floor[number]
        return enough

    def _evidence_in_english(self, text: str) -> float:
        """Of the words of another language, as what they say in English, which has more terms."""
        said = in_english(words_of(text))
        if not said:
            return 0.0
        in_both_ways = self._matcher.match([" ".join(said), with_english_terms(text)])
        return float(evidence_of(in_both_ways, self._weights).max())

    def _nearest(self, places: NDArray[np.int64], distances: Floats) -> list[list[tuple[str, float]]]:
        """Of equally near ones the first."""
        order = np.lexsort((places, distances), axis=1)[:, :_SHOWN_NEIGHBOURS]
        few, near = (np.take_along_axis(some, order, axis=1).tolist() for some in (places, distances))
        names = self._content.names
        return [
            [(names[at], distance) for at, distance in zip(*row, strict=True)] for row in zip(few, near, strict=True)
        ]
