"""Training data -> health model file and model card, with figures measured on what was held out."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.neighbors import NearestNeighbors

from classifiers.container import ModelContent, pack
from classifiers.corpus import DIALOGUE, EVERYDAY, GENERAL, GREY, NOTE, STRUCTURED, Example, read_corpus
from classifiers.health import HealthModel
from classifiers.learning import Frequencies, Learning, learn_weights
from classifiers.matcher import Ints, TermMatcher
from classifiers.measures import Group, HealthFigures, measure, share_by_group
from classifiers.model_card import write_card
from classifiers.own_terms import spelling_aliases
from classifiers.vectors import Shape, Weights, concept_counts, unit_vectors, weighted_terms
from classifiers.vocabulary import CATEGORIES, VOCABULARY_FILE, Term, format_lines, read_vocabulary
from core.errors import ModelError

RECORD_KINDS = frozenset({NOTE, DIALOGUE, STRUCTURED})


@dataclass(frozen=True, slots=True)
class Plan:
    """Every choice of the training; what the model needs of it is written into the model file."""

    shape: Shape = field(default_factory=lambda: Shape(repeat=0.5, category=1.0, few_terms=5.0, everyday=1.0))
    learning: Learning = field(default_factory=Learning)
    prototypes: int = 500
    k: int = 5
    accepted: float = 0.98  # share of the prototypes that their own neighbours would accept
    window: int = 512


@dataclass(frozen=True, slots=True)
class TrainedHealth:
    model: bytes
    figures: HealthFigures
    unseen: tuple[Group, ...]  # each source judged by a model that never saw it
    card: str


def train_health(data: Path, plan: Plan | None = None) -> TrainedHealth:
    """Trains on the larger part of the data and measures on the rest."""
    plan = plan or Plan()
    examples = read_corpus(data)
    training = [example for example in examples if not example.held_out]
    model = fit(training, plan)
    figures = measure(HealthModel.from_bytes(model), [example for example in examples if example.held_out])
    unseen = _judge_unseen_sources(examples, plan)
    return TrainedHealth(model, figures, unseen, write_card(model, figures, unseen, training, plan.accepted))


def _judge_unseen_sources(examples: Sequence[Example], plan: Plan) -> tuple[Group, ...]:
    groups: list[Group] = []
    for source in dict.fromkeys(example.source for example in examples if example.kind != GREY):
        model = HealthModel.from_bytes(fit([example for example in examples if example.source != source], plan))
        groups += share_by_group(model, [example for example in examples if example.source == source])
    return tuple(groups)


def write_trained(trained: TrainedHealth, out: Path) -> Path:
    """Writes the model, and its card beside it; returns where the card is."""
    card = out.with_name(f"{out.stem}_model.md")
    out.write_bytes(trained.model)
    card.write_text(trained.card, encoding="utf-8")
    return card


def fit(training: Sequence[Example], plan: Plan) -> bytes:
    """Learns weights from all kinds, prototypes from records alone, and the threshold from the prototypes alone."""
    terms = read_vocabulary(VOCABULARY_FILE.read_bytes())
    draft = _learn(terms, training, plan.learning)
    weighty = draft.weights.weight[draft.weights.concept_of_term] > 0
    # Learned again without the weightless terms, because shorter terms inside them are now found.
    terms = [term for term, weighs in zip(terms, weighty, strict=True) if weighs]
    learned = _learn(terms, training, plan.learning)
    records = np.flatnonzero([example.kind in RECORD_KINDS for example in training])
    weighted = weighted_terms(learned.counts[records], learned.weights, plan.shape)
    lengths = learned.lengths[records]
    chosen = _condense(unit_vectors(weighted, lengths, learned.weights, plan.shape, prototype=True), plan.prototypes)
    if len(chosen) <= plan.k:
        raise ModelError(f"{len(chosen)} different records are too few to train on; more than {plan.k} are needed")
    prototypes = unit_vectors(weighted[chosen], lengths[chosen], learned.weights, plan.shape, prototype=True)
    documents = unit_vectors(weighted[chosen], lengths[chosen], learned.weights, plan.shape, prototype=False)
    return _packed(terms, learned.weights, prototypes, _threshold(prototypes, documents, plan), plan)


@dataclass(frozen=True, slots=True)
class _Learned:
    counts: sparse.csr_array
    lengths: Ints
    weights: Weights


def _learn(terms: Sequence[Term], training: Sequence[Example], learning: Learning) -> _Learned:
    concepts = sorted({term.concept for term in terms})
    number = {concept: index for index, concept in enumerate(concepts)}
    concept_of_term = np.array([number[term.concept] for term in terms], dtype=np.int64)
    category = np.zeros(len(concepts), dtype=np.int64)
    for term in terms:
        category[number[term.concept]] = CATEGORIES.index(term.category)
    blank = Weights(concept_of_term, np.ones(len(concepts)), category, len(CATEGORIES))
    matches = TermMatcher([term.tokens for term in terms], spelling_aliases()).match([example.text for example in training])
    counts = concept_counts(matches, blank)
    kinds = np.array([example.kind for example in training])
    records, general, everyday = (
        Frequencies(np.bincount(counts[rows].indices, minlength=len(concepts)).astype(np.float64), len(rows))
        for rows in (np.flatnonzero(np.isin(kinds, kind)) for kind in (sorted(RECORD_KINDS), [GENERAL], [EVERYDAY]))
    )
    weights = Weights(concept_of_term, learn_weights(records, general, everyday, category, learning), category, len(CATEGORIES))
    return _Learned(counts, matches.lengths, weights)


def _condense(vectors: sparse.csr_array, count: int) -> Ints:
    """The real documents that lie nearest to the centres of `count` clusters."""
    clusters = KMeans(n_clusters=min(count, vectors.shape[0]), n_init=1, max_iter=20, random_state=0).fit(vectors)
    return np.unique(clusters.transform(vectors).argmin(axis=0))


def _threshold(prototypes: sparse.csr_array, documents: sparse.csr_array, plan: Plan) -> float:
    """Each prototype is judged as a document by the others; the quantile of their distances is the limit."""
    nearest = NearestNeighbors(n_neighbors=plan.k + 1, metric="euclidean", algorithm="brute").fit(prototypes)
    distances, indices = nearest.kneighbors(documents)
    itself = indices == np.arange(len(indices))[:, None]
    itself[~itself.any(axis=1), -1] = True  # not among its own neighbours: the furthest goes instead
    others = distances[~itself].reshape(len(indices), plan.k)
    return float(np.quantile(others.mean(axis=1), plan.accepted))


def _packed(terms: Sequence[Term], weights: Weights, prototypes: sparse.csr_array, threshold: float, plan: Plan) -> bytes:
    settings: dict[str, Any] = {"shape": asdict(plan.shape), "k": plan.k, "threshold": threshold, "window": plan.window}
    arrays = {
        "weight": weights.weight.astype(np.float32),
        "category": weights.category.astype(np.uint8),
        "prototype_data": prototypes.data.astype(np.float32),
        "prototype_indices": prototypes.indices.astype(np.int32),
        "prototype_indptr": prototypes.indptr.astype(np.int32),
    }
    return pack(ModelContent({**settings, "aliases": spelling_aliases()}, tuple(format_lines(terms)), arrays))
