"""Labelled passages -> a metric, and the prototypes by which passages are judged."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from classifiers.knn import condense
from classifiers.matcher import TermMatcher
from classifiers.model_content import CLASSES, PERSONAL_CLASSES, HealthContent
from classifiers.passage_features import passage_features
from classifiers.passages import PassageContent, bounded
from classifiers.training.classes import CLASS_OF_KIND
from classifiers.training.corpus import Example
from classifiers.training.fit_style import Learned, fit_style, scores_out_of_fold
from classifiers.training.passages import OWN
from classifiers.vectors import Floats
from classifiers.word_ids import Ints

_WEIGHTY_COLUMN = 5  # the so-many-th largest: the largest may be an accident
_OWN_WEIGHT = 3.0  # hand-written passages show what leaks look like; most others only what harmless text does


@dataclass(frozen=True, slots=True)
class PassagePlan:
    prototypes: int = 1_000  # of each set and kind, at most
    k: int = 31
    features: float = 0.3  # how much the features count beside the linear model of them
    style: float = 0.3  # and the wording, in units of a weighty column
    linear: float = 4.0  # and the linear model of features and wording, likewise
    style_penalty: float = 8.0  # inverse
    inverse_penalty: float = 0.3  # of the linear model whose weights make the metric
    caution: float = 0.93
    caution_growth: float = 0.1
    least_evidence: float = 0.1
    evidence_per_word: float = 0.006


def with_passages(content: HealthContent, examples: Sequence[Example], plan: PassagePlan) -> HealthContent:
    """The same model with prototypes of passages; without any passage it judges passages as documents."""
    if not examples:
        return content
    classes = np.array([CLASSES.index(CLASS_OF_KIND[example.kind]) for example in examples], dtype=np.int64)
    matcher = TermMatcher([term.tokens for term in content.terms], content.aliases)
    features = passage_features([example.text for example in examples], matcher, content.weights)
    mean, deviation = features.mean(axis=0), features.std(axis=0) + 1e-6
    vectors = (features - mean) / deviation
    personal, weights = classes < PERSONAL_CLASSES, _weights(examples)
    scale = _metric(vectors, personal, weights, plan)
    style = fit_style([example.text for example in examples], personal, weights, plan.style_penalty)
    linear = _linear(np.column_stack([vectors, style.scores]), examples, personal, weights, plan)
    weighty = float(np.sort(scale)[-_WEIGHTY_COLUMN])
    scale = scale * plan.features
    vectors = np.column_stack(
        [vectors * scale, style.scores * plan.style * weighty, bounded(linear.scores) * plan.linear * weighty]
    )
    chosen, names = _choose(vectors, examples, plan.prototypes)
    order = np.argsort(classes[chosen], kind="stable")
    passages = PassageContent(
        mean=mean,
        scale=scale / deviation,
        prototypes=vectors[chosen[order]],
        classes=classes[chosen[order]],
        names=tuple(names[place] for place in order),
        neighbours=plan.k,
        caution=plan.caution,
        caution_growth=plan.caution_growth,
        least_evidence=plan.least_evidence,
        evidence_per_word=plan.evidence_per_word,
        style_weights=style.weights,
        style_intercept=style.intercept,
        style_scale=plan.style * weighty,
        linear_weights=linear.weights / np.append(deviation, 1.0),
        linear_intercept=linear.intercept,
        linear_scale=plan.linear * weighty,
    )
    return replace(content, passages=passages)


def _metric(vectors: Floats, personal: NDArray[np.bool_], weights: Floats, plan: PassagePlan) -> Floats:
    """How much each column counts in a distance: as much as it helps to tell personal passages from others."""
    scale: Floats = np.abs(_logistic(vectors, personal, weights, plan)[0])
    return scale


def _linear(
    vectors: Floats, examples: Sequence[Example], personal: NDArray[np.bool_], weights: Floats, plan: PassagePlan
) -> Learned:
    """How personal each passage is by a linear model of the other folds, and the model of all."""

    def fit(rows: Ints) -> tuple[Floats, float]:
        return _logistic(vectors[rows], personal[rows], weights[rows], plan)

    def score(rows: Ints, learned: Floats, intercept: float) -> Floats:
        scores: Floats = vectors[rows] @ learned + intercept
        return scores

    scores = scores_out_of_fold([example.text for example in examples], personal, fit, score)
    return Learned(*fit(np.arange(len(examples))), scores)


def _logistic(vectors: Floats, personal: NDArray[np.bool_], weights: Floats, plan: PassagePlan) -> tuple[Floats, float]:
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=plan.inverse_penalty, max_iter=3000)
    model.fit(vectors, personal, sample_weight=weights)
    return np.asarray(model.coef_[0]), float(model.intercept_[0])


def _weights(examples: Sequence[Example]) -> Floats:
    """A set counts by the root of its size, so that no large one decides alone."""
    sizes = Counter(example.source for example in examples)
    weights = np.array([(_OWN_WEIGHT if one.source == OWN else 1.0) / np.sqrt(sizes[one.source]) for one in examples])
    scaled: Floats = weights / weights.mean()
    return scaled


def _choose(vectors: Floats, examples: Sequence[Example], most: int) -> tuple[Ints, list[str]]:
    """Prototypes of each set and kind; all of our own, condensed ones of others."""
    groups: dict[tuple[str, str], list[int]] = {}
    for row, example in enumerate(examples):
        groups.setdefault((example.source, example.kind), []).append(row)
    chosen: list[int] = []
    names: list[str] = []
    for (source, kind), rows in groups.items():
        kept = condense(vectors[rows], len(rows) if source == OWN else most)
        chosen += [rows[place] for place in kept]
        names += [f"{source}/{kind}-{place}" for place in kept]
    return np.array(chosen, dtype=np.int64), names
