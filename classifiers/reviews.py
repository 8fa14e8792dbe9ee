"""Term vectors of files that people verified -> the model with them as prototypes, and what that would change."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from scipy import sparse

from classifiers.knn import condense, distances_by_class, euclidean
from classifiers.model_content import CLASSES, PERSONAL_CLASSES, HealthContent
from classifiers.threshold import with_threshold
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


def learn_from_reviews(content: HealthContent, reviewed: Sequence[Reviewed]) -> HealthContent:
    """Verified PHI becomes prototypes of the nearer personal class, what was referred in vain of the nearer other class."""
    vectors, labels, phi = _placed(content, reviewed)
    rows, classes, names = [content.vectors], [content.classes], list(content.names)
    for number in range(len(CLASSES)):
        members = np.flatnonzero(labels == number)
        if not len(members):
            continue
        kept = members[condense(vectors[members], MOST_REVIEWED)]
        kept = np.repeat(kept, _copies(len(kept), content.neighbours))
        rows.append(vectors[kept])
        classes.append(np.full(len(kept), number))
        names += [f"reviewed-{content.version + 1}/{'phi' if phi[place] else 'not-phi'}-{place}" for place in kept]
    together = np.concatenate(classes)
    order = np.argsort(together, kind="stable")
    stacked = sparse.vstack(rows, format="csr")[order]
    learned = replace(
        content, vectors=stacked, classes=together[order], names=tuple(names[place] for place in order), version=content.version + 1
    )
    return with_threshold(learned)


def _copies(files: int, neighbours: int) -> int:
    """A few files stand as often as half of the k neighbours, so that one more of their kind already finds mostly them."""
    return max(1, min((neighbours + 1) // 2, FEW_REVIEWED * neighbours // max(files, 1)))


def preview(content: HealthContent, reviewed: Sequence[Reviewed]) -> list[Change]:
    """Each file is judged by a model that learned from the other parts of the reviews alone, so that nothing is judged by itself."""
    folds = min(FOLDS, len(reviewed))
    changes: list[Change] = []
    for fold in range(folds):
        learned = learn_from_reviews(content, [one for place, one in enumerate(reviewed) if place % folds != fold])
        changes += [Change(one.uri, one.phi, is_health(content, one), is_health(learned, one)) for one in reviewed[fold::folds]]
    return sorted(changes, key=lambda change: change.uri)


def is_health(content: HealthContent, one: Reviewed) -> bool:
    return bool(one.vectors.shape[0]) and bool(_margins(content, one.vectors)[0].max() > 0)


def _placed(content: HealthContent, reviewed: Sequence[Reviewed]) -> tuple[sparse.csr_array, Ints, Ints]:
    """Of each file with terms the vector that made it look personal most, the class that it becomes a prototype of, and PHI or not."""
    found = [one for one in reviewed if one.vectors.shape[0]]
    if not found:
        return sparse.csr_array((0, content.vectors.shape[1])), np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    vectors = sparse.vstack([one.vectors for one in found], format="csr")
    margins, by_class = _margins(content, vectors)
    first = np.cumsum([0, *(one.vectors.shape[0] for one in found)])
    best = np.array([low + margins[low:high].argmax() for low, high in pairwise(first)], dtype=np.int64)
    phi = np.array([one.phi for one in found], dtype=np.int64)
    personal = by_class[best, :PERSONAL_CLASSES].argmin(axis=1)
    other = by_class[best, PERSONAL_CLASSES:].argmin(axis=1) + PERSONAL_CLASSES
    return vectors[best], np.where(phi, personal, other), phi


def _margins(content: HealthContent, vectors: sparse.csr_array) -> tuple[Floats, Floats]:
    parts = [
        distances_by_class(euclidean(vectors[low : low + _BATCH], content.vectors), content.classes, len(CLASSES), content.neighbours)
        for low in range(0, vectors.shape[0], _BATCH)
    ]
    by_class = np.concatenate(parts)
    limit = np.minimum(content.threshold, by_class[:, PERSONAL_CLASSES:].min(axis=1))
    return limit - by_class[:, :PERSONAL_CLASSES].min(axis=1), by_class
