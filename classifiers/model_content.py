"""What a health model consists of <-> the parts of a model file."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from classifiers.container import ModelContent
from classifiers.passages import PassageContent
from classifiers.vectors import EXTRA_COLUMNS, Shape, Weights
from classifiers.vocabulary import CATEGORIES, CUES, MEDICAL, Term, format_lines, parse_lines
from core.records import HealthClass

CLASSES = (HealthClass.RECORD, HealthClass.TALK, HealthClass.GENERAL, HealthClass.NONE)
PERSONAL_CLASSES = 2  # the first so many are referred
_LATER_CUES = ("author", "identity", "person", "professional", "subject")
_FIRST_STYLE_MOST = 3.0  # of models that do not name theirs
_FIRST_KINDS = MEDICAL + tuple(cue for cue in CUES if cue not in _LATER_CUES)  # of files that do not name their kinds


@dataclass(frozen=True, slots=True)
class HealthContent:
    """Vocabulary, weights, and prototypes sorted by class; the name of a prototype says where it was learned from."""

    terms: Sequence[Term]
    aliases: Mapping[str, str]
    weights: Weights
    shape: Shape
    vectors: sparse.csr_array
    classes: NDArray[np.int64]
    names: tuple[str, ...]
    neighbours: int
    accepted: float  # share of the personal prototypes that their own neighbours would accept
    threshold: float
    window: int
    least_terms: int  # different medical terms without which nothing is referred
    version: int = 1  # counts what was adopted from reviews
    passages: PassageContent | None = None  # older models judge passages as they judge documents

    @property
    def concepts(self) -> list[str]:
        return concept_names(self.terms)


def concept_names(terms: Sequence[Term]) -> list[str]:
    return sorted({term.concept for term in terms})


def number_concepts(terms: Sequence[Term]) -> Weights:
    """Every term's concept and every concept's kind, with weights of one."""
    concepts = concept_names(terms)
    number = {concept: index for index, concept in enumerate(concepts)}
    kind = np.zeros(len(concepts), dtype=np.int64)
    for term in terms:
        kind[number[term.concept]] = CATEGORIES.index(term.category)
    return Weights(np.array([number[term.concept] for term in terms], dtype=np.int64), np.ones(len(concepts)), kind)


def write_content(content: HealthContent) -> ModelContent:
    settings: dict[str, Any] = {
        "shape": asdict(content.shape),
        "k": content.neighbours,
        "accepted": content.accepted,
        "threshold": content.threshold,
        "window": content.window,
        "least_terms": content.least_terms,
        "version": content.version,
        "aliases": dict(content.aliases),
        "names": list(content.names),
        "kinds": list(CATEGORIES),
    }
    passages = content.passages
    if passages is not None:
        settings["passages"] = {
            "names": list(passages.names),
            "k": passages.neighbours,
            "caution": passages.caution,
            "caution_growth": passages.caution_growth,
            "least_evidence": passages.least_evidence,
            "evidence_per_word": passages.evidence_per_word,
            "style_intercept": passages.style_intercept,
            "style_scale": passages.style_scale,
            "style_most": passages.style_most,
            "linear_intercept": passages.linear_intercept,
            "linear_scale": passages.linear_scale,
        }
    arrays = {
        "weight": content.weights.weight.astype(np.float32),
        "class": content.classes.astype(np.uint8),
        "prototype_data": content.vectors.data.astype(np.float32),
        "prototype_indices": content.vectors.indices.astype(np.int32),
        "prototype_indptr": content.vectors.indptr.astype(np.int32),
    }
    if passages is not None:
        arrays |= {
            "passage_mean": passages.mean.astype(np.float64),
            "passage_scale": passages.scale.astype(np.float64),
            "passage_prototypes": passages.prototypes.astype(np.float32).ravel(),
            "passage_class": passages.classes.astype(np.uint8),
            "style_weights": passages.style_weights.astype(np.float32),
            "linear_weights": passages.linear_weights.astype(np.float64),
        }
    return ModelContent(settings, tuple(format_lines(content.terms)), arrays)


def _read_passages(settings: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> PassageContent | None:
    if "passages" not in settings:
        return None
    if _kinds(settings) != CATEGORIES:
        raise ValueError("passages were measured by other kinds of terms")
    about, classes = settings["passages"], arrays["passage_class"].astype(np.int64)
    mean, scale, names = arrays["passage_mean"], arrays["passage_scale"], tuple(about["names"])
    is_linear = "linear_weights" in arrays  # models that were adopted earlier have features and wording alone
    prototypes = arrays["passage_prototypes"].astype(np.float64).reshape(-1, len(mean) + 1 + is_linear)
    if not is_linear:
        prototypes = np.column_stack([prototypes, np.zeros(len(prototypes))])
    if not len(classes) == len(names) == len(prototypes) or len(scale) != len(mean) or (np.diff(classes) < 0).any():
        raise ValueError("names and classes do not fit the prototypes of passages")
    return PassageContent(
        mean=mean,
        scale=scale,
        prototypes=prototypes,
        classes=classes,
        names=names,
        neighbours=int(about["k"]),
        caution=float(about["caution"]),
        caution_growth=float(about.get("caution_growth", 0.0)),
        least_evidence=float(about["least_evidence"]),
        evidence_per_word=float(about["evidence_per_word"]),
        style_weights=arrays["style_weights"].astype(np.float64),
        style_intercept=float(about["style_intercept"]),
        style_scale=float(about["style_scale"]),
        style_most=float(about.get("style_most", _FIRST_STYLE_MOST)),
        linear_weights=arrays["linear_weights"] if is_linear else np.zeros(len(mean) + 1),
        linear_intercept=float(about.get("linear_intercept", 0.0)),
        linear_scale=float(about.get("linear_scale", 0.0)),
    )


def _kinds(settings: Mapping[str, Any]) -> tuple[str, ...]:
    """The kinds of terms that a file was written with; the first files with passages have all and do not name them."""
    return tuple(settings.get("kinds", CATEGORIES if "passages" in settings else _FIRST_KINDS))


def _columns(indices: NDArray[Any], concepts: int, kinds: Sequence[str]) -> NDArray[Any]:
    """Columns of prototypes as the file numbers them -> as they are numbered now; a kind has a column of its own."""
    if tuple(kinds) == CATEGORIES:
        return indices
    others = np.arange(len(CATEGORIES), EXTRA_COLUMNS)
    after = np.concatenate(([CATEGORIES.index(kind) for kind in kinds], others)) + concepts
    columns: NDArray[np.int32] = np.concatenate((np.arange(concepts), after)).astype(np.int32)[indices]
    return columns


def read_content(file: ModelContent) -> HealthContent:
    """Raises a ValueError, KeyError or TypeError where the parts do not fit each other."""
    settings, arrays = file.settings, file.arrays
    terms = parse_lines(file.lines)
    numbered = number_concepts(terms)
    weights = Weights(numbered.concept_of_term, arrays["weight"].astype(np.float64), numbered.kind)
    if len(numbered.weight) != len(weights.weight):
        raise ValueError("weights do not fit the vocabulary")
    indices = _columns(arrays["prototype_indices"], len(weights.weight), _kinds(settings))
    parts = (arrays["prototype_data"].astype(np.float64), indices, arrays["prototype_indptr"])
    vectors = sparse.csr_array(parts, shape=(len(parts[2]) - 1, weights.columns))
    vectors.check_format(full_check=True)
    classes, names = arrays["class"].astype(np.int64), tuple(settings["names"])
    if (
        not len(classes) == len(names) == vectors.shape[0]
        or (np.diff(classes) < 0).any()
        or classes.max() >= len(CLASSES)
    ):
        raise ValueError("names and classes do not fit the prototypes")
    if not (classes < PERSONAL_CLASSES).any() or int(settings["k"]) < 1:
        raise ValueError("no prototype of what is looked for")
    return HealthContent(
        terms=terms,
        aliases=dict(settings["aliases"]),
        weights=weights,
        shape=Shape(**settings["shape"]),
        vectors=vectors,
        classes=classes,
        names=names,
        neighbours=int(settings["k"]),
        accepted=float(settings["accepted"]),
        threshold=float(settings["threshold"]),
        window=int(settings["window"]),
        least_terms=int(settings["least_terms"]),
        version=int(settings["version"]),
        passages=_read_passages(settings, arrays),
    )
