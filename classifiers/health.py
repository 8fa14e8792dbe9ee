"""Texts of screened-positive documents -> health verdicts, by distance to the nearest prototypes of four classes."""

import hashlib
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from scipy import sparse

from classifiers.codes import code_places
from classifiers.container import unpack
from classifiers.distances import distances_by_class
from classifiers.matcher import Matches, TermMatcher
from classifiers.model_content import CLASSES, PERSONAL_CLASSES, HealthContent, read_content
from classifiers.passages import PassageModel
from classifiers.portions import portions
from classifiers.search import PrototypeSearch
from classifiers.vectors import Floats, concept_counts, concept_shares, densest_windows, unit_vectors
from classifiers.vocabulary import CATEGORIES
from classifiers.word_ids import Ints
from core.errors import ModelError
from core.records import HealthClass, HealthVerdict, Neighbour

SHOWN_TERMS = 10
SHOWN_NEIGHBOURS = 3
DISTANCE_DIGITS = 9
BATCH_CHARACTERS = 4_000_000  # limits the memory of one pass, whatever the size of the batch
LEAST_WINDOWS = 2  # times a window that a document must exceed to be judged by its densest one too
_NONE = CLASSES.index(HealthClass.NONE)
_PEOPLE = CATEGORIES.index("people")
_LEAST_SHOWN = 0.003  # weight of a term below which it is an everyday word to a reader: `of`, `wants`, `given`
_FORMAL = [CATEGORIES.index(kind) for kind in ("people", "heading", "dose", "unit", "record")]  # say little to a reader
NOTHING = HealthVerdict(distance=None, positive=False)


class HealthModel:
    """Decides by stored examples.

    A text is health information when it is close enough to examples of personal health texts, and closer to them than
    to any other examples.
    """

    def __init__(self, content: HealthContent, sha256: str) -> None:
        self.sha256 = sha256
        self.content = content
        self.weights, self.shape = content.weights, content.shape
        self.concepts = content.concepts
        self.threshold = content.threshold
        self.prototypes = content.vectors.shape[0]
        self._search = PrototypeSearch(content.vectors)
        self._tells = content.weights.medical & (content.weights.kind != _PEOPLE)
        has_letters = np.array([not name.isascii() or name.upper() != name for name in content.concepts])
        self._is_shown = content.weights.medical & (content.weights.weight >= _LEAST_SHOWN) & has_letters
        self._is_formal = np.isin(content.weights.kind, _FORMAL) | np.array(["#" in name for name in content.concepts])
        self._matcher = TermMatcher([term.tokens for term in content.terms], content.aliases)
        self.passages = (
            PassageModel(content.passages, self._matcher, self.weights, len(CLASSES), PERSONAL_CLASSES)
            if content.passages is not None
            else None
        )

    @classmethod
    def from_bytes(cls, raw: bytes) -> "HealthModel":
        content = unpack(raw)
        try:
            return cls(read_content(content), hashlib.sha256(raw).hexdigest())
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            raise ModelError(
                f"the health model lacks a part or has an unfit one ({type(error).__name__}); train it again,"
                " or return to the model before it with `leakscreen train health --rollback`"
            ) from None

    def classify(self, texts: Sequence[str]) -> list[HealthVerdict]:
        """One verdict per text, in order. A text without any medical term has no distance and is not positive."""
        verdicts: list[HealthVerdict] = []
        for low, high in portions(texts, BATCH_CHARACTERS):
            verdicts += self._classify_portion(texts[low:high])
        return verdicts

    def classify_passages(self, texts: Sequence[str]) -> list[HealthVerdict]:
        """One verdict per passage, in order, with words for roles in the place of names."""
        if self.passages is None:
            return self.classify(texts)
        verdicts: list[HealthVerdict] = []
        for low, high in portions(texts, BATCH_CHARACTERS):
            verdicts += self._classify_passages(texts[low:high], self.passages)
        return verdicts

    def _classify_passages(self, texts: Sequence[str], model: PassageModel) -> list[HealthVerdict]:
        matches = self._matcher.match(texts)
        judged = model.judge(texts, matches)
        terms = self._terms(self._shares(matches))
        personal = judged.by_class[:, :PERSONAL_CLASSES].argmin(axis=1)
        other = judged.by_class[:, PERSONAL_CLASSES:].argmin(axis=1) + PERSONAL_CLASSES
        label = np.where(judged.positive, personal, other)
        distance = judged.by_class[:, :PERSONAL_CLASSES].min(axis=1)
        rows = zip(
            distance.tolist(),
            judged.positive.tolist(),
            terms,
            label.tolist(),
            judged.threshold.tolist(),
            judged.nearest,
            strict=True,
        )
        return [
            HealthVerdict(near, taken, found, CLASSES[number], limit, tuple(Neighbour(*one) for one in neighbours))
            for near, taken, found, number, limit, neighbours in rows
        ]

    def decision_function(self, texts: Sequence[str]) -> Floats:
        """How far inside the threshold each text is: positive means referred. Far outside without any medical term."""
        verdicts = self.classify(texts)
        return np.array(
            [
                -2.0 if one.distance is None or one.threshold is None else one.threshold - one.distance
                for one in verdicts
            ]
        )

    def transform(self, texts: Sequence[str]) -> sparse.csr_array:
        """Texts -> term vectors of length one, a row each, as scikit-learn's estimators take them."""
        return unit_vectors(self._shares(self._matcher.match(texts)), self.weights, self.shape)

    def vectors(self, text: str) -> sparse.csr_array:
        """The vectors that a text is judged by: one of all of it and, if it is long, one of its densest window.

        A text with too few medical terms has none.
        """
        matches = self._matcher.match([text])
        shares = [self._shares(matches)]
        if len(self._long(matches)):
            shares.append(self._shares(densest_windows(matches, self.weights, self.content.window)))
        usable = [rows for rows in shares if self._medical_terms(rows)[0] >= self.content.least_terms]
        if not usable:
            return sparse.csr_array((0, self.weights.columns))
        return unit_vectors(sparse.vstack(usable, format="csr"), self.weights, self.shape)

    def passage_vectors(self, passages: Sequence[str]) -> sparse.csr_array | Floats:
        """The vectors that passages are judged by, without those that could not be referred wherever they lie."""
        if self.passages is not None:
            return self.passages.vectors(passages)
        blank = sparse.csr_array((0, self.weights.columns))
        return sparse.vstack([blank, *map(self.vectors, passages)], format="csr")

    def term_places(self, texts: Sequence[str], least_weight: float = 0.5) -> list[list[tuple[int, int, str]]]:
        """The start, end and concept of all codes and of all medical terms with at least this weight, text by text.

        Doctors and departments are left out, because they say nothing about anybody's health.
        """
        places = code_places(texts)
        matches, starts, ends = self._matcher.match_in_place(texts)
        concepts = self.weights.concept_of_term[matches.term]
        telling = np.flatnonzero((self._tells & (self.weights.weight >= least_weight))[concepts])
        columns = (matches.document, starts, ends, concepts)
        for document, start, end, concept in zip(*(column[telling].tolist() for column in columns), strict=True):
            places[document].append((start, end, self.concepts[concept]))
        return [sorted(of_text) for of_text in places]

    def _classify_portion(self, texts: Sequence[str]) -> list[HealthVerdict]:
        matches = self._matcher.match(texts)
        verdicts = self._verdicts(self._shares(matches))
        long = self._long(matches)
        if len(long):
            densest = densest_windows(matches, self.weights, self.content.window)
            inside = self._verdicts(self._shares(densest)[long])
            for document, window in zip(long, inside, strict=True):
                if margin_of(window) > margin_of(verdicts[document]):
                    verdicts[document] = window
        return verdicts

    def _long(self, matches: Matches) -> Ints:
        """A window adds something only if it is a small part of its document."""
        return np.flatnonzero(matches.lengths > LEAST_WINDOWS * self.content.window)

    def _shares(self, matches: Matches) -> sparse.csr_array:
        return concept_shares(concept_counts(matches, self.weights), matches.lengths, self.weights, self.shape)

    def _verdicts(self, shares: sparse.csr_array) -> list[HealthVerdict]:
        """Positive: within the learned threshold, and nearer than to any other class."""
        # The last bits depend on the rest of the batch; the same document must get the same verdict on every runner.
        to_each = self._search.distances(unit_vectors(shares, self.weights, self.shape)).round(DISTANCE_DIGITS)
        by_class = distances_by_class(to_each, self.content.classes, len(CLASSES), self.content.neighbours)
        distance, other = by_class[:, :PERSONAL_CLASSES].min(axis=1), by_class[:, PERSONAL_CLASSES:].min(axis=1)
        threshold = np.minimum(self.threshold, other)
        medical = self._medical_terms(shares)
        positive = (distance < threshold) & (medical >= self.content.least_terms)
        personal_label = by_class[:, :PERSONAL_CLASSES].argmin(axis=1)
        other_label = np.where(
            np.isfinite(other), by_class[:, PERSONAL_CLASSES:].argmin(axis=1) + PERSONAL_CLASSES, _NONE
        )
        label = np.where(positive, personal_label, other_label)
        columns = (medical, distance, positive, self._terms(shares), label, threshold, self._nearest(to_each))
        return [
            HealthVerdict(near, taken, terms, CLASSES[number], limit, neighbours) if count else NOTHING
            for count, near, taken, terms, number, limit, neighbours in zip(
                *(column.tolist() if isinstance(column, np.ndarray) else column for column in columns), strict=True
            )
        ]

    def _medical_terms(self, shares: sparse.csr_array) -> Ints:
        """The number of different weighted medical terms of each document, without doctors and departments."""
        weighty = (shares.data > 0) & self._tells[shares.indices]
        row = np.repeat(np.arange(shares.shape[0]), np.diff(shares.indptr))
        return np.bincount(row[weighty], minlength=shares.shape[0])

    def _terms(self, shares: sparse.csr_array) -> list[tuple[str, ...]]:
        """The concepts with the highest weight, document by document; forms and doses only where nothing else is."""
        kept = np.flatnonzero(self._is_shown[shares.indices] & (shares.data > 0))
        row = np.repeat(np.arange(shares.shape[0]), np.diff(shares.indptr))[kept]
        formal = self._is_formal[shares.indices[kept]]
        says_more = np.bincount(row[~formal], minlength=shares.shape[0]) > 0
        wanted = ~(formal & says_more[row])
        kept, row = kept[wanted], row[wanted]
        order = kept[np.lexsort((shares.indices[kept], -shares.data[kept], row))]
        concepts, bounds = shares.indices[order].tolist(), np.searchsorted(row, np.arange(shares.shape[0] + 1)).tolist()
        return [
            tuple(self.concepts[concept] for concept in concepts[low : min(high, low + SHOWN_TERMS)])
            for low, high in pairwise(bounds)
        ]

    def _nearest(self, to_each: Floats) -> list[tuple[Neighbour, ...]]:
        """The nearest prototypes of each document; of equally near ones the first."""
        shown = min(SHOWN_NEIGHBOURS, to_each.shape[1])
        few = np.sort(np.argpartition(to_each, shown - 1, axis=1)[:, :shown], axis=1)
        distances = np.take_along_axis(to_each, few, axis=1)
        order = np.argsort(distances, axis=1, kind="stable")
        numbers, nearest = (np.take_along_axis(some, order, axis=1).tolist() for some in (few, distances))
        return [
            tuple(map(Neighbour, map(self.content.names.__getitem__, some), near))
            for some, near in zip(numbers, nearest, strict=True)
        ]


def margin_of(verdict: HealthVerdict) -> float:
    """How far within its threshold a verdict lies; positive ones are above all others."""
    if verdict.distance is None or verdict.threshold is None:
        return -np.inf
    return verdict.threshold - verdict.distance + (1.0 if verdict.positive else 0.0)
