"""Texts of screened-positive documents -> health verdicts, by the distance to the nearest prototypes of medical records."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.neighbors import NearestNeighbors

from classifiers.container import ModelContent, unpack
from classifiers.matcher import Matches, TermMatcher
from classifiers.vectors import Floats, Shape, Weights, concept_counts, densest_windows, unit_vectors, weighted_terms
from classifiers.vocabulary import CATEGORIES, parse_lines
from core.errors import ModelError
from core.records import HealthVerdict

SHIPPED_MODEL = Path(__file__).parent / "data" / "health.model"
SHOWN_TERMS = 10
DISTANCE_DIGITS = 9
BATCH_CHARACTERS = 4_000_000  # bounds the memory of one pass, whatever the batch that was asked for


class HealthModel:
    """One class, instance based: near enough to stored prototypes of medical records means health information."""

    def __init__(self, content: ModelContent, sha256: str) -> None:
        self.sha256 = sha256
        settings = content.settings
        terms = parse_lines(content.lines)
        self.concepts = sorted({term.concept for term in terms})
        number = {concept: index for index, concept in enumerate(self.concepts)}
        self.weights = Weights(
            concept_of_term=np.array([number[term.concept] for term in terms], dtype=np.int64),
            weight=content.arrays["weight"].astype(np.float64),
            category=content.arrays["category"].astype(np.int64),
            categories=len(CATEGORIES),
        )
        if not len(self.concepts) == len(self.weights.weight) == len(self.weights.category):
            raise ValueError("weights do not fit the vocabulary")
        self.shape = Shape(**settings["shape"])
        self.neighbours = int(settings["k"])
        self.threshold = float(settings["threshold"])
        self.window = int(settings["window"])
        self._matcher = TermMatcher([term.tokens for term in terms], settings["aliases"])
        self._nearest = NearestNeighbors(n_neighbors=self.neighbours, metric="euclidean", algorithm="brute")
        prototypes = _prototypes(content.arrays, self.weights.columns)
        self.prototypes = prototypes.shape[0]
        if self.prototypes < self.neighbours:
            raise ValueError("fewer prototypes than neighbours")
        self._nearest.fit(prototypes)

    @classmethod
    def from_bytes(cls, raw: bytes) -> "HealthModel":
        content = unpack(raw)
        try:
            return cls(content, hashlib.sha256(raw).hexdigest())
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            raise ModelError(f"the health model lacks a part or has an unfit one ({type(error).__name__}); train it again") from None

    def classify(self, texts: Sequence[str]) -> list[HealthVerdict]:
        """One verdict a text, in order; a text without any medical term has no distance and is not positive."""
        verdicts: list[HealthVerdict] = []
        for low, high in _portions(texts):
            verdicts += self._classify_portion(texts[low:high])
        return verdicts

    def _classify_portion(self, texts: Sequence[str]) -> list[HealthVerdict]:
        matches = self._matcher.match(texts)
        weighted = weighted_terms(concept_counts(matches, self.weights), self.weights, self.shape)
        distances = self._distances(weighted, matches)
        long = np.flatnonzero(matches.lengths > self.window)
        if len(long):
            windows = densest_windows(matches, self.weights, self.window)
            inside = weighted_terms(concept_counts(windows, self.weights), self.weights, self.shape)
            distances[long] = np.minimum(distances[long], self._distances(inside, windows)[long])
        return [self._verdict(weighted, row, float(distance)) for row, distance in enumerate(distances)]

    def _distances(self, weighted: sparse.csr_array, matches: Matches) -> Floats:
        """Mean distance to the k nearest prototypes; infinite without terms."""
        found = np.diff(weighted.indptr) > 0
        distances = np.full(len(matches.lengths), np.inf)
        if found.any():
            vectors = unit_vectors(weighted[found], matches.lengths[found], self.weights, self.shape, prototype=False)
            nearest, _ = self._nearest.kneighbors(vectors)
            # The last bits depend on what else is in the batch; the same document must get the same verdict on every runner.
            distances[found] = nearest.mean(axis=1).round(DISTANCE_DIGITS)
        return distances

    def _verdict(self, weighted: sparse.csr_array, row: int, distance: float) -> HealthVerdict:
        if not np.isfinite(distance):
            return HealthVerdict(distance=None, positive=False)
        low, high = weighted.indptr[row], weighted.indptr[row + 1]
        heaviest = np.argsort(-weighted.data[low:high], kind="stable")[:SHOWN_TERMS]
        terms = tuple(self.concepts[concept] for concept in weighted.indices[low:high][heaviest])
        return HealthVerdict(distance=distance, positive=distance <= self.threshold, terms=terms)


def _prototypes(arrays: Mapping[str, NDArray[Any]], columns: int) -> sparse.csr_array:
    parts = (arrays["prototype_data"].astype(np.float64), arrays["prototype_indices"], arrays["prototype_indptr"])
    prototypes = sparse.csr_array(parts, shape=(len(parts[2]) - 1, columns))
    prototypes.check_format(full_check=True)
    return prototypes


def _portions(texts: Sequence[str]) -> list[tuple[int, int]]:
    """Neighbouring texts of together at most BATCH_CHARACTERS; a longer text goes alone."""
    portions: list[tuple[int, int]] = []
    low, characters = 0, 0
    for index, text in enumerate(texts):
        if index > low and characters + len(text) > BATCH_CHARACTERS:
            portions.append((low, index))
            low, characters = index, 0
        characters += len(text)
    if low < len(texts):
        portions.append((low, len(texts)))
    return portions


def shipped_model() -> bytes:
    """The model that comes with leakscreen."""
    return load_model_bytes(str(SHIPPED_MODEL))


def load_model_bytes(path: str) -> bytes:
    """The bytes of a model file; an empty path means the one that comes with leakscreen."""
    try:
        return Path(path or SHIPPED_MODEL).read_bytes()
    except OSError as error:
        raise ModelError(f"{path}: the health model cannot be read: {error.strerror}") from None
