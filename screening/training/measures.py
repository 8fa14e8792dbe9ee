"""A model and held-out labelled texts -> recall and precision of the words of people's names, by kind of text."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from screening.entities.model import EntityModel
from screening.entities.runs import PERSON, Scorer
from screening.training.fit import labels_of
from screening.training.labelled import Labelled


@dataclass(frozen=True, slots=True)
class Figures:
    kind: str
    words: int
    recall: float
    precision: float
    recall_small: float  # of a copy in small letters
    recall_capital: float


def measured(model: EntityModel, texts: Iterable[Labelled], threshold: float = 0.5) -> list[Figures]:
    by_kind: dict[str, list[Labelled]] = defaultdict(list)
    for labelled in texts:
        by_kind[labelled.kind].append(labelled)
    return [_figures(model, kind, of_kind, threshold) for kind, of_kind in sorted(by_kind.items())]


def _figures(model: EntityModel, kind: str, texts: list[Labelled], threshold: float) -> Figures:
    right, names, predicted = _counts(model, texts, threshold)
    small = _counts(
        model,
        [
            replace(labelled, text=labelled.text.lower())
            for labelled in texts
            if len(labelled.text.lower()) == len(labelled.text)
        ],
        threshold,
    )
    capital = _counts(
        model,
        [
            replace(labelled, text=labelled.text.upper())
            for labelled in texts
            if len(labelled.text.upper()) == len(labelled.text)
        ],
        threshold,
    )
    return Figures(
        kind,
        names,
        right / max(1, names),
        right / max(1, predicted),
        small[0] / max(1, small[1]),
        capital[0] / max(1, capital[1]),
    )


def _counts(model: EntityModel, texts: Iterable[Labelled], threshold: float) -> tuple[int, int, int]:
    """Words of names found, words of names, words taken for names."""
    scorer = Scorer(model.labels, model.about["points"])
    totals = np.zeros(3, dtype=np.int64)
    for labelled in texts:
        reading, chances = model.probabilities(labelled.text)
        if not len(reading):
            continue
        kinds, scores = scorer.scores(chances, legal=bool(reading.legal[0]))
        letters = np.array([labelled.text[start].isalpha() for start in reading.starts.tolist()])
        taken = (scores >= threshold) & (kinds == scorer.kinds.index(PERSON)) & letters
        gold = np.array([label == PERSON for label in labels_of(labelled, reading.starts, reading.ends)]) & letters
        totals += ((gold & taken).sum(), gold.sum(), taken.sum())
    return int(totals[0]), int(totals[1]), int(totals[2])
