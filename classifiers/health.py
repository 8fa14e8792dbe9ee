"""Texts of screened-positive documents -> health verdicts, by the distance to the nearest prototypes of four classes."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy import sparse

from classifiers.container import unpack
from classifiers.knn import distances_by_class, squares
from classifiers.matcher import Ints, Matches, TermMatcher
from classifiers.model_content import CLASSES, PERSONAL_CLASSES, HealthContent, read_content
from classifiers.vectors import Floats, concept_counts, concept_shares, densest_windows, unit_vectors
from classifiers.vocabulary import CATEGORIES
from core.errors import ModelError
from core.records import HealthClass, HealthVerdict, Neighbour

SHIPPED_MODEL = Path(__file__).parent / "data" / "health.model"
SHOWN_TERMS = 10
SHOWN_NEIGHBOURS = 3
DISTANCE_DIGITS = 9
BATCH_CHARACTERS = 4_000_000  # bounds the memory of one pass, whatever the batch that was asked for
_PEOPLE = CATEGORIES.index("people")
NOTHING = HealthVerdict(distance=None, positive=False)


@dataclass(frozen=True, slots=True)
class Judged:
    """Documents of a batch with what was found near them; rows are documents."""

    shares: sparse.csr_array
    by_class: Floats  # documents by classes: mean distance to the k nearest prototypes
    to_each: Floats  # documents by prototypes
    medical_terms: Ints  # how many different ones

    @property
    def personal(self) -> Floats:
        nearest: Floats = self.by_class[:, :PERSONAL_CLASSES].min(axis=1)
        return nearest

    @property
    def other(self) -> Floats:
        nearest: Floats = self.by_class[:, PERSONAL_CLASSES:].min(axis=1)
        return nearest


class HealthModel:
    """Instance based: near enough to stored examples of personal health texts, and nearer than to any other, means health information."""

    def __init__(self, content: HealthContent, sha256: str) -> None:
        self.sha256 = sha256
        self.content = content
        self.weights, self.shape = content.weights, content.shape
        self.concepts = content.concepts
        self.threshold = content.threshold
        self.prototypes = content.vectors.shape[0]
        concepts = len(content.weights.weight)
        self._concepts = content.vectors[:, :concepts].T.tocsr()
        self._kinds = content.vectors[:, concepts:].toarray().T
        self._squares = squares(content.vectors)
        self._matcher = TermMatcher([term.tokens for term in content.terms], content.aliases)

    @classmethod
    def from_bytes(cls, raw: bytes) -> "HealthModel":
        content = unpack(raw)
        try:
            return cls(read_content(content), hashlib.sha256(raw).hexdigest())
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            raise ModelError(f"the health model lacks a part or has an unfit one ({type(error).__name__}); train it again") from None

    def classify(self, texts: Sequence[str]) -> list[HealthVerdict]:
        """One verdict a text, in order; a text without any medical term has no distance and is not positive."""
        verdicts: list[HealthVerdict] = []
        for low, high in _portions(texts):
            verdicts += self._classify_portion(texts[low:high])
        return verdicts

    def decision_function(self, texts: Sequence[str]) -> Floats:
        """How far within the threshold each text lies; positive ones are referred, and a text without medical terms is far out."""
        verdicts = self.classify(texts)
        return np.array([-2.0 if one.distance is None or one.threshold is None else one.threshold - one.distance for one in verdicts])

    def transform(self, texts: Sequence[str]) -> sparse.csr_array:
        """Texts -> term vectors of length one, a row each, as scikit-learn's estimators take them."""
        return unit_vectors(self._shares(self._matcher.match(texts)), self.weights, self.shape)

    def vectors(self, text: str) -> sparse.csr_array:
        """The term vectors by which a text is judged: of all of it and, where it is long, of its densest window; none without terms."""
        matches = self._matcher.match([text])
        shares = [self._shares(matches)]
        if matches.lengths[0] > self.content.window:
            shares.append(self._shares(densest_windows(matches, self.weights, self.content.window)))
        found = [one for one in shares if self._medical_terms(one)[0] >= self.content.least_terms]
        if not found:
            return sparse.csr_array((0, self.weights.columns))
        return unit_vectors(sparse.vstack(found, format="csr"), self.weights, self.shape)

    def _classify_portion(self, texts: Sequence[str]) -> list[HealthVerdict]:
        matches = self._matcher.match(texts)
        whole = self._judge(self._shares(matches))
        verdicts = [self._verdict(whole, row) for row in range(len(texts))]
        long = np.flatnonzero(matches.lengths > self.content.window)
        if len(long):
            inside = self._judge(self._shares(densest_windows(matches, self.weights, self.content.window))[long])
            for row, document in enumerate(long):
                window = self._verdict(inside, row)
                if _margin(window) > _margin(verdicts[document]):
                    verdicts[document] = window
        return verdicts

    def _shares(self, matches: Matches) -> sparse.csr_array:
        return concept_shares(concept_counts(matches, self.weights), matches.lengths, self.weights, self.shape)

    def _judge(self, shares: sparse.csr_array) -> Judged:
        # The last bits depend on what else is in the batch; the same document must get the same verdict on every runner.
        to_each = self._distances(unit_vectors(shares, self.weights, self.shape)).round(DISTANCE_DIGITS)
        by_class = distances_by_class(to_each, self.content.classes, len(CLASSES), self.content.neighbours)
        return Judged(shares, by_class, to_each, self._medical_terms(shares))

    def _distances(self, vectors: sparse.csr_array) -> Floats:
        """One product a batch: sparse for the concepts, dense for the few columns that every prototype has."""
        concepts = len(self.weights.weight)
        product = (vectors[:, :concepts] @ self._concepts).toarray() + vectors[:, concepts:].toarray() @ self._kinds
        distances: Floats = np.sqrt(np.maximum(1.0 + self._squares - 2.0 * product, 0.0))
        return distances

    def _medical_terms(self, shares: sparse.csr_array) -> Ints:
        """How many different medical terms with a weight each document has; doctors and departments tell of nobody's health."""
        kind = self.weights.kind[shares.indices]
        weighty = (shares.data > 0) & self.weights.medical[shares.indices] & (kind != _PEOPLE)
        row = np.repeat(np.arange(shares.shape[0]), np.diff(shares.indptr))
        return np.bincount(row[weighty], minlength=shares.shape[0])

    def _verdict(self, judged: Judged, row: int) -> HealthVerdict:
        """The distance must keep within the learned threshold and be smaller than that to any other class."""
        if not judged.medical_terms[row]:
            return NOTHING
        distance = float(judged.personal[row])
        threshold = min(self.threshold, float(judged.other[row]))
        positive = distance < threshold and bool(judged.medical_terms[row] >= self.content.least_terms)
        first, last = (0, PERSONAL_CLASSES) if positive else (PERSONAL_CLASSES, len(CLASSES))
        label = CLASSES[first + int(judged.by_class[row, first:last].argmin())]
        if not positive and not np.isfinite(judged.other[row]):
            label = HealthClass.NONE
        return HealthVerdict(distance, positive, self._terms(judged.shares, row), label, threshold, self._nearest(judged, row))

    def _terms(self, shares: sparse.csr_array, row: int) -> tuple[str, ...]:
        low, high = shares.indptr[row], shares.indptr[row + 1]
        weight = shares.data[low:high] * self.weights.medical[shares.indices[low:high]]
        heaviest = np.argsort(-weight, kind="stable")[:SHOWN_TERMS]
        return tuple(self.concepts[shares.indices[low + place]] for place in heaviest if weight[place] > 0)

    def _nearest(self, judged: Judged, row: int) -> tuple[Neighbour, ...]:
        distances = judged.to_each[row]
        shown = min(SHOWN_NEIGHBOURS, len(distances))
        few = np.argpartition(distances, shown - 1)[:shown]
        order = few[np.argsort(distances[few], kind="stable")]
        return tuple(Neighbour(self.content.names[number], float(distances[number])) for number in order)


def _margin(verdict: HealthVerdict) -> float:
    if verdict.distance is None or verdict.threshold is None:
        return -np.inf
    return verdict.threshold - verdict.distance + (1.0 if verdict.positive else 0.0)


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
