"""Passages of files that people verified -> the model with them as prototypes, and what that would change."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from classifiers.distances import Matrix, distances_by_class, euclidean
from classifiers.knn import condense
from classifiers.model_content import CLASSES, PERSONAL_CLASSES, HealthContent
from classifiers.search import PrototypeSearch
from classifiers.training.threshold import with_threshold
from classifiers.vectors import Floats
from classifiers.word_ids import Ints

FOLDS = 5
MOST_REVIEWED = 500  # prototypes of one class that are kept of reviewed files; more are condensed
FEW_REVIEWED = 20  # files of one class up to which each counts more than once
MOST_OF_A_FILE = 20  # passages of one file that teach: a long table must not outweigh all other files
_BATCH = 1000


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A verified file: a vector for each passage that may be referred, and what people said.

    `screened` is False where no rule hands the file to the health stage: it teaches, but it is never referred.
    """

    uri: str
    vectors: Matrix
    phi: bool
    screened: bool = True


@dataclass(frozen=True, slots=True)
class Change:
    """A reviewed file and whether it would be taken for health information before and after."""

    uri: str
    phi: bool
    before: bool
    after: bool


@dataclass(frozen=True, slots=True)
class _Lessons:
    """For each passage that teaches: the number of its file, its vector, its future class, and PHI or not."""

    file: Ints
    vectors: Matrix
    label: Ints
    phi: Ints

    def among(self, files: Ints) -> "_Lessons":
        kept = np.flatnonzero(np.isin(self.file, files))
        return _Lessons(self.file[kept], self.vectors[kept], self.label[kept], self.phi[kept])


def learn_from_reviews(content: HealthContent, reviewed: Sequence[Reviewed], one_class: bool = False) -> HealthContent:
    """The strongest passage of verified PHI becomes a prototype of the nearer personal class.

    Passages that were referred in vain become prototypes of the nearer other class, unless PHI is the one class that is
    learned. A model without passages learns whole texts in the same way.
    """
    return _learned(content, lessons_of(content, reviewed, one_class))


def preview(content: HealthContent, reviewed: Sequence[Reviewed], one_class: bool = False) -> list[Change]:
    """Judges each file by a model that learned from the other parts of the reviews only, never from the file itself."""
    lessons = lessons_of(content, reviewed, one_class)
    before = _are_referred(content, reviewed)
    after = np.zeros(len(reviewed), dtype=bool)
    fold_of = _folds(reviewed)
    for fold in np.unique(fold_of):
        learned = _learned(content, lessons.among(np.flatnonzero(fold_of != fold)))
        after[fold_of == fold] = _are_referred(
            learned, [reviewed[place] for place in np.flatnonzero(fold_of == fold).tolist()]
        )
    changes = [
        Change(one.uri, one.phi, bool(was), bool(is_now))
        for one, was, is_now in zip(reviewed, before, after, strict=True)
    ]
    return sorted(changes, key=lambda change: change.uri)


def _folds(reviewed: Sequence[Reviewed]) -> Ints:
    """Dealt out in turn; files alike in every passage are of one fold, so that copies do not vouch for each other."""
    dealt: dict[bytes, int] = {}
    for one in reviewed:
        dealt.setdefault(_imprint(one), len(dealt) % FOLDS)
    return np.array([dealt[_imprint(one)] for one in reviewed], dtype=np.int64)


def _imprint(one: Reviewed) -> bytes:
    if not one.vectors.shape[0]:
        return one.uri.encode("utf-8", "surrogatepass")
    if not sparse.issparse(one.vectors):
        return bytes(one.vectors.tobytes())
    rows = one.vectors.tocsr()
    return bytes(rows.data.tobytes() + rows.indices.tobytes() + rows.indptr.tobytes())


def lessons_of(content: HealthContent, reviewed: Sequence[Reviewed], one_class: bool = False) -> _Lessons:
    """Of a PHI file the strongest passage, of others what was referred in vain, or else the strongest passage too."""
    rows, file = _stacked(content, reviewed)
    margins, by_class = _margins(content, rows)
    order = np.lexsort((np.arange(len(margins)), -margins, file))
    bounds = np.searchsorted(file[order], np.arange(len(reviewed) + 1))
    chosen = [
        order[low : low + _taught_by(one, margins[order[low:high]])]
        for one, low, high in zip(reviewed, bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
    ]
    places = np.concatenate([np.empty(0, dtype=np.int64), *chosen])
    phi = np.array([reviewed[number].phi for number in file[places]], dtype=np.int64)
    personal = by_class[places, :PERSONAL_CLASSES].argmin(axis=1)
    other = by_class[places, PERSONAL_CLASSES:].argmin(axis=1) + PERSONAL_CLASSES
    lessons = _Lessons(file[places], rows[places], np.where(phi, personal, other), phi)
    return lessons.among(np.flatnonzero([one.phi for one in reviewed])) if one_class else lessons


def _taught_by(one: Reviewed, margins: Floats) -> int:
    """How many of the passages, strongest first, become prototypes."""
    in_vain = 0 if one.phi else int(np.count_nonzero(margins > 0))
    return min(max(in_vain, 1), MOST_OF_A_FILE, len(margins))


def _are_referred(content: HealthContent, reviewed: Sequence[Reviewed]) -> NDArray[np.bool_]:
    """A file is when one of its passages is."""
    rows, file = _stacked(content, reviewed)
    margins, _ = _margins(content, rows)
    screened = np.array([one.screened for one in reviewed], dtype=bool)
    referred: NDArray[np.bool_] = (np.bincount(file[margins > 0], minlength=len(reviewed)) > 0) & screened
    return referred


def _stacked(content: HealthContent, reviewed: Sequence[Reviewed]) -> tuple[Matrix, Ints]:
    """The vectors of many files, one after another, and of which file each is."""
    counts = np.array([one.vectors.shape[0] for one in reviewed], dtype=np.int64)
    parts = [_prototypes(content)[:0], *(one.vectors for one in reviewed if one.vectors.shape[0])]
    return stack(parts), np.repeat(np.arange(len(reviewed)), counts)


def stack(parts: Sequence[Matrix]) -> Matrix:
    """Vectors below each other, sparse or not."""
    return sparse.vstack(parts, format="csr") if sparse.issparse(parts[0]) else np.vstack(parts)


def _prototypes(content: HealthContent) -> Matrix:
    return content.vectors if content.passages is None else content.passages.prototypes


def _learned(content: HealthContent, lessons: _Lessons) -> HealthContent:
    judge = content if content.passages is None else content.passages
    rows, classes, names = [_prototypes(content)], [judge.classes], list(judge.names)
    for number in range(len(CLASSES)):
        members = np.flatnonzero(lessons.label == number)
        if not len(members):
            continue
        kept = members[condense(lessons.vectors[members], MOST_REVIEWED)]
        kept = np.repeat(kept, _copies(len(kept), judge.neighbours))
        rows.append(lessons.vectors[kept])
        classes.append(np.full(len(kept), number))
        names += [
            f"reviewed-{content.version + 1}/{'phi' if lessons.phi[place] else 'not-phi'}-{place}" for place in kept
        ]
    together = np.concatenate(classes)
    order = np.argsort(together, kind="stable")
    vectors, named = stack(rows)[order], tuple(names[place] for place in order)
    version = content.version + 1
    if content.passages is None:
        return with_threshold(replace(content, vectors=vectors, classes=together[order], names=named, version=version))
    passages = replace(content.passages, prototypes=vectors, classes=together[order], names=named)
    return replace(content, passages=passages, version=version)


def _copies(passages: int, neighbours: int) -> int:
    """Repeats a few passages up to half of the k neighbours, so that one more of their kind is close to them."""
    return max(1, min((neighbours + 1) // 2, FEW_REVIEWED * neighbours // max(passages, 1)))


def _margins(content: HealthContent, vectors: Matrix) -> tuple[Floats, Floats]:
    """How far within its limit each vector is, and its distances to the classes."""
    passages = content.passages
    judge = content if passages is None else passages
    distances_of = (
        PrototypeSearch(content.vectors).distances
        if passages is None
        else partial(euclidean, prototypes=passages.prototypes)
    )
    by_class = np.full((vectors.shape[0], len(CLASSES)), np.inf)
    for low in range(0, vectors.shape[0], _BATCH):
        distances = distances_of(vectors[low : low + _BATCH])
        by_class[low : low + _BATCH] = distances_by_class(distances, judge.classes, len(CLASSES), judge.neighbours)
    other = by_class[:, PERSONAL_CLASSES:].min(axis=1)
    limit = np.minimum(content.threshold, other) if passages is None else other / passages.caution
    return limit - by_class[:, :PERSONAL_CLASSES].min(axis=1), by_class
