"""Term vectors of files that people verified -> the model with them as prototypes, and what that would change."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from classifiers.distances import distances_by_class
from classifiers.knn import condense
from classifiers.model_content import CLASSES, PERSONAL_CLASSES, HealthContent
from classifiers.search import PrototypeSearch
from classifiers.training.threshold import with_threshold
from classifiers.vectors import Floats
from classifiers.word_ids import Ints

FOLDS = 5
MOST_REVIEWED = 500  # prototypes of one class that are kept of reviewed files; more are condensed
FEW_REVIEWED = 20  # files of one class up to which each counts more than once
_BATCH = 1000


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A verified file: the vectors by which it is judged (none where it has no medical terms), and what people said."""

    uri: str
    vectors: sparse.csr_array
    phi: bool


@dataclass(frozen=True, slots=True)
class Change:
    """A reviewed file and whether it would be taken for health information before and after."""

    uri: str
    phi: bool
    before: bool
    after: bool


@dataclass(frozen=True, slots=True)
class _Placed:
    """For each file with terms: its number, most personal vector, class to become a prototype of, and PHI or not."""

    file: Ints
    vectors: sparse.csr_array
    label: Ints
    phi: Ints

    def among(self, files: Ints) -> "_Placed":
        kept = np.flatnonzero(np.isin(self.file, files))
        return _Placed(self.file[kept], self.vectors[kept], self.label[kept], self.phi[kept])


def learn_from_reviews(content: HealthContent, reviewed: Sequence[Reviewed]) -> HealthContent:
    """Verified PHI becomes prototypes of the nearer personal class; false referrals, of the nearer other class."""
    return _learned(content, _placed(content, _Vectors.of(content, reviewed), reviewed))


def preview(content: HealthContent, reviewed: Sequence[Reviewed]) -> list[Change]:
    """Judges each file by a model that learned from the other parts of the reviews only, never from the file itself."""
    vectors = _Vectors.of(content, reviewed)
    placed = _placed(content, vectors, reviewed)
    before = vectors.are_health(content)
    after = np.zeros(len(reviewed), dtype=bool)
    folds = min(FOLDS, len(reviewed))
    fold_of = np.arange(len(reviewed)) % max(folds, 1)
    for fold in range(folds):
        learned = _learned(content, placed.among(np.flatnonzero(fold_of != fold)))
        after[fold::folds] = _Vectors.of(content, reviewed[fold::folds]).are_health(learned)
    changes = [
        Change(one.uri, one.phi, bool(was), bool(is_now))
        for one, was, is_now in zip(reviewed, before, after, strict=True)
    ]
    return sorted(changes, key=lambda change: change.uri)


@dataclass(frozen=True, slots=True)
class _Vectors:
    """The vectors of many files, one after another, and of which file each is."""

    rows: sparse.csr_array
    file: Ints
    files: int

    @classmethod
    def of(cls, content: HealthContent, reviewed: Sequence[Reviewed]) -> "_Vectors":
        found = [one.vectors for one in reviewed if one.vectors.shape[0]]
        rows = sparse.vstack(found, format="csr") if found else sparse.csr_array((0, content.vectors.shape[1]))
        counts = np.array([one.vectors.shape[0] for one in reviewed], dtype=np.int64)
        return cls(rows, np.repeat(np.arange(len(reviewed)), counts), len(reviewed))

    def are_health(self, content: HealthContent) -> NDArray[np.bool_]:
        """A file is when one of its vectors is."""
        margins, _ = _margins(content, self.rows)
        return np.bincount(self.file[margins > 0], minlength=self.files) > 0


def _placed(content: HealthContent, vectors: _Vectors, reviewed: Sequence[Reviewed]) -> _Placed:
    margins, by_class = _margins(content, vectors.rows)
    order = np.lexsort((np.arange(len(margins)), -margins, vectors.file))
    file, first = np.unique(vectors.file[order], return_index=True)
    best = order[first]
    phi = np.array([reviewed[number].phi for number in file], dtype=np.int64)
    personal = by_class[best, :PERSONAL_CLASSES].argmin(axis=1)
    other = by_class[best, PERSONAL_CLASSES:].argmin(axis=1) + PERSONAL_CLASSES
    return _Placed(file, vectors.rows[best], np.where(phi, personal, other), phi)


def _learned(content: HealthContent, placed: _Placed) -> HealthContent:
    rows, classes, names = [content.vectors], [content.classes], list(content.names)
    for number in range(len(CLASSES)):
        members = np.flatnonzero(placed.label == number)
        if not len(members):
            continue
        kept = members[condense(placed.vectors[members], MOST_REVIEWED)]
        kept = np.repeat(kept, _copies(len(kept), content.neighbours))
        rows.append(placed.vectors[kept])
        classes.append(np.full(len(kept), number))
        names += [
            f"reviewed-{content.version + 1}/{'phi' if placed.phi[place] else 'not-phi'}-{place}" for place in kept
        ]
    together = np.concatenate(classes)
    order = np.argsort(together, kind="stable")
    learned = replace(
        content,
        vectors=sparse.vstack(rows, format="csr")[order],
        classes=together[order],
        names=tuple(names[place] for place in order),
        version=content.version + 1,
    )
    return with_threshold(learned)


def _copies(files: int, neighbours: int) -> int:
    """Repeats a few files up to half of the k neighbours, so that one more of their kind is already close to them."""
    return max(1, min((neighbours + 1) // 2, FEW_REVIEWED * neighbours // max(files, 1)))


def _margins(content: HealthContent, vectors: sparse.csr_array) -> tuple[Floats, Floats]:
    search = PrototypeSearch(content.vectors)
    by_class = np.full((vectors.shape[0], len(CLASSES)), np.inf)
    for low in range(0, vectors.shape[0], _BATCH):
        distances = search.distances(vectors[low : low + _BATCH])
        by_class[low : low + _BATCH] = distances_by_class(distances, content.classes, len(CLASSES), content.neighbours)
    limit = np.minimum(content.threshold, by_class[:, PERSONAL_CLASSES:].min(axis=1))
    return limit - by_class[:, :PERSONAL_CLASSES].min(axis=1), by_class
