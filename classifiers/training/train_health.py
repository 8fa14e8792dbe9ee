"""Training data -> health model file and model card, with figures measured on what was held out."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from scipy import sparse

from classifiers.container import pack
from classifiers.health import HealthModel
from classifiers.knn import condense
from classifiers.matcher import Matches, TermMatcher
from classifiers.model_content import CLASSES, PERSONAL_CLASSES, HealthContent, number_concepts, write_content
from classifiers.training.classes import CLASS_OF_KIND
from classifiers.training.corpus import (
    EVERYDAY,
    FURTHER,
    GREY,
    Example,
    Reader,
    read_corpus,
    read_sets,
    teaches_documents,
)
from classifiers.training.fit_passages import PassagePlan, with_passages
from classifiers.training.learning import Frequencies, Learning, learn_weights
from classifiers.training.measures import Group, HealthFigures, measure, share_by_group
from classifiers.training.model_card import passage_section, write_card
from classifiers.training.own_examples import own_examples
from classifiers.training.own_terms import spelling_aliases
from classifiers.training.passages import SOURCE, Cut, passage_examples
from classifiers.training.threshold import with_threshold
from classifiers.vectors import Shape, Weights, concept_counts, concept_shares, unit_vectors
from classifiers.vocabulary import VOCABULARY_FILE, Term, read_vocabulary
from classifiers.word_ids import Ints
from core.errors import ModelError

_TOO_FEW = "there is hardly a record to learn from; at least two different ones are needed"


@dataclass(frozen=True, slots=True)
class Plan:
    """Every choice of the training; what the model needs of it is written into the model file."""

    shape: Shape = field(default_factory=Shape)
    learning: Learning = field(default_factory=Learning)
    prototypes: int = 300  # of each set and kind, at most
    further_prototypes: int = 10  # likewise; further sets teach passages, and would crowd the classes of documents
    k: int = 9
    accepted: float = 0.998  # where other classes have prototypes too, these draw most of the line
    window: int = 512
    least_terms: int = 3
    passages: PassagePlan = field(default_factory=PassagePlan)


@dataclass(frozen=True, slots=True)
class TrainedHealth:
    model: bytes
    figures: HealthFigures
    unseen: tuple[Group, ...]  # each source judged by a model that never saw it
    card: str


def train_health(
    data: Path,
    read: Reader,
    cut: Cut,
    plan: Plan | None = None,
    *,
    also: Path | None = None,
    left_out: Collection[str] | None = None,
) -> TrainedHealth:
    """Trains on the larger part of the data and measures on the rest.

    `also` is a folder of further sets, see `read_sets`. `left_out` names the sources to be judged unseen; by
    default all.
    """
    plan = plan or Plan()
    examples = [*read_corpus(data, read), *(read_sets(also) if also else ()), *own_examples()]
    examples = [*filter(teaches_documents, examples), *passage_examples(examples, cut)]
    training = [example for example in examples if not example.is_held_out]
    model = fit(training, plan)
    judge = HealthModel.from_bytes(model)
    held_out = [example for example in examples if example.is_held_out]
    figures = measure(judge, [example for example in held_out if not example.source.startswith(SOURCE)])
    unseen = judge_unseen_sources(examples, plan, left_out)
    card = write_card(model, figures, unseen, training) + passage_section(judge, held_out)
    return TrainedHealth(model, figures, unseen, card)


def judge_unseen_sources(
    examples: Sequence[Example], plan: Plan, left_out: Collection[str] | None = None
) -> tuple[Group, ...]:
    """Each source as a model sees it that never saw any of it."""
    groups: list[Group] = []
    documents = [example for example in examples if not example.source.startswith(SOURCE)]
    sources = dict.fromkeys(example.source for example in documents if example.kind != GREY)
    for source in sources if left_out is None else left_out:
        unseen = {source, f"{SOURCE}:{source}"}  # its passages are hidden with it
        model = HealthModel.from_bytes(fit([example for example in examples if example.source not in unseen], plan))
        groups += share_by_group(model, [example for example in examples if example.source == source])
    return tuple(groups)


def write_trained(trained: TrainedHealth, out: Path) -> Path:
    """Writes the model, and its card beside it; returns where the card is."""
    card = out.with_name(f"{out.stem}_model.md")
    out.write_bytes(trained.model)
    card.write_text(trained.card, encoding="utf-8")
    return card


def fit(training: Sequence[Example], plan: Plan) -> bytes:
    """Learns term weights from all sets, prototypes per class, and the threshold from the personal prototypes alone."""
    examples = [example for example in training if example.kind in CLASS_OF_KIND]
    if sum(CLASSES.index(CLASS_OF_KIND[example.kind]) < PERSONAL_CLASSES for example in examples) <= 1:
        raise ModelError(_TOO_FEW)
    terms = read_vocabulary(VOCABULARY_FILE.read_bytes())
    weights = _learn(terms, examples, plan.learning)[0]
    weighty = weights.weight[weights.concept_of_term] > 0
    # Learned again without the weightless terms, because shorter terms inside them are now found.
    terms = [term for term, weighs in zip(terms, weighty, strict=True) if weighs]
    weights, matches = _learn(terms, examples, plan.learning)
    vectors = unit_vectors(
        concept_shares(concept_counts(matches, weights), matches.lengths, weights, plan.shape), weights, plan.shape
    )
    documents = np.flatnonzero([not example.source.startswith(SOURCE) for example in examples])
    chosen, names = _choose(vectors[documents], [examples[row] for row in documents], plan)
    chosen = documents[chosen]
    classes = np.array([CLASSES.index(CLASS_OF_KIND[examples[row].kind]) for row in chosen], dtype=np.int64)
    if np.count_nonzero(classes < PERSONAL_CLASSES) <= 1:
        raise ModelError(_TOO_FEW)
    order = np.argsort(classes, kind="stable")
    content = HealthContent(
        terms=terms,
        aliases=spelling_aliases(),
        weights=weights,
        shape=plan.shape,
        vectors=vectors[chosen[order]],
        classes=classes[order],
        names=tuple(names[place] for place in order),
        neighbours=plan.k,
        accepted=plan.accepted,
        threshold=0.0,
        window=plan.window,
        least_terms=plan.least_terms,
    )
    marked = [example for example in examples if example.source.startswith(SOURCE)]
    return pack(write_content(with_passages(with_threshold(content), marked, plan.passages)))


def _learn(terms: Sequence[Term], examples: Sequence[Example], learning: Learning) -> tuple[Weights, Matches]:
    blank = number_concepts(terms)
    matches = TermMatcher([term.tokens for term in terms], spelling_aliases()).match(
        [example.text for example in examples]
    )
    counts = concept_counts(matches, blank)
    groups: dict[tuple[str, str], list[int]] = {}
    for row, example in enumerate(examples):
        groups.setdefault((example.source, example.kind), []).append(row)
    sets = [
        Frequencies(
            np.bincount(counts[rows].indices, minlength=len(blank.weight)).astype(np.float64),
            len(rows),
            kind != EVERYDAY,
        )
        for (_, kind), rows in groups.items()
    ]
    if not {True, False} <= {one.health for one in sets}:
        raise ModelError("weights are learned from health text and from everyday text; one of them is missing")
    weight = np.where(blank.medical, learn_weights(sets, learning), 1.0)
    return Weights(blank.concept_of_term, weight, blank.kind), matches


def _choose(vectors: sparse.csr_array, examples: Sequence[Example], plan: Plan) -> tuple[Ints, list[str]]:
    """Condensed prototypes of each set and kind, and a name for each."""
    groups: dict[tuple[str, str], list[int]] = {}
    for row, example in enumerate(examples):
        groups.setdefault((example.source, example.kind), []).append(row)
    chosen: list[int] = []
    names: list[str] = []
    for (source, kind), rows in groups.items():
        kept = condense(vectors[rows], plan.further_prototypes if source.startswith(FURTHER) else plan.prototypes)
        chosen += [rows[place] for place in kept]
        names += [f"{source}/{kind}-{place}" for place in kept]
    return np.array(chosen, dtype=np.int64), names
