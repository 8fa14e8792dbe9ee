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
from classifiers.training.fit_linear import fit_linear
from classifiers.training.passages import OWN
from classifiers.vectors import Floats
from classifiers.word_ids import Ints

_WEIGHTY_COLUMN = 5  # the so-many-th largest: the largest may be an accident
_SMALL_SET = 60  # passages of a set that all count in full
_STYLE_MOST = 6.0


@dataclass(frozen=True, slots=True)
class PassagePlan:
    prototypes: int = 1_000  # of each set and kind, at most
    k: int = 31
    features: float = 0.3  # how much the features count beside the linear model of them
    style: float = 0.3  # and the wording, in units of a weighty column
    linear: float = 4.0  # and the linear model of features and wording, likewise
    linear_penalty: float = 1.5  # inverse
    inverse_penalty: float = 0.3  # of the linear model whose weights make the metric
    caution: float = 0.92
    caution_growth: float = 0.4
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
    learned = fit_linear(vectors, [example.text for example in examples], personal, weights, plan.linear_penalty)
    weighty = float(np.sort(scale)[-_WEIGHTY_COLUMN])
    scale = scale * plan.features
    wording = np.clip(learned.wording, -_STYLE_MOST, _STYLE_MOST)
    vectors = np.column_stack(
        [vectors * scale, wording * plan.style * weighty, bounded(learned.scores) * plan.linear * weighty]
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
        style_weights=learned.model.words,
        style_intercept=0.0,
        style_scale=plan.style * weighty,
        style_most=_STYLE_MOST,
        linear_weights=np.append(learned.model.features / deviation, 1.0),
        linear_intercept=learned.model.intercept,
        linear_scale=plan.linear * weighty,
    )
    return replace(content, passages=passages)


def _metric(vectors: Floats, personal: NDArray[np.bool_], weights: Floats, plan: PassagePlan) -> Floats:
    """How much each column counts in a distance: as much as it helps to tell personal passages from others."""
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=plan.inverse_penalty, max_iter=3000)
    model.fit(vectors, personal, sample_weight=weights)
    scale: Floats = np.abs(np.asarray(model.coef_[0]))
    return scale


def _weights(examples: Sequence[Example]) -> Floats:
    """Of a large set each passage counts less, so that none decides alone; all of our own count, as they are leaks."""
    sizes = Counter(example.source for example in examples)
    weights = np.array(
        [1.0 if one.source == OWN else min(1.0, _SMALL_SET / sizes[one.source]) ** 0.5 for one in examples]
    )
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
