"""A health model and held-out examples -> how well it ranks them, and what it would refer."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.metrics import roc_auc_score

from classifiers.health import HealthModel
from classifiers.training.corpus import EVERYDAY, GENERAL, NOTE, STRUCTURED, TALK, Example
from classifiers.vectors import Floats

EXCERPTS = (300, 600, 1200)


@dataclass(frozen=True, slots=True)
class Group:
    """A held-out set: its size and the share that the default threshold takes for health information."""

    name: str
    kind: str
    examples: int
    positive: float


@dataclass(frozen=True, slots=True)
class HealthFigures:
    auc_all: float  # notes against general health and everyday text
    auc_general: float
    auc_everyday: float
    recall: float
    structured_recall: float
    talk_recall: float
    everyday_referred: float
    general_referred: float
    groups: tuple[Group, ...]
    excerpts: tuple[Group, ...]  # notes cut to their first so many characters


def measure(model: HealthModel, held_out: Sequence[Example]) -> HealthFigures:
    scores = model.decision_function([example.text for example in held_out])
    kinds = np.array([example.kind for example in held_out])
    notes, structured, talk, general, everyday = (
        scores[kinds == kind] for kind in (NOTE, STRUCTURED, TALK, GENERAL, EVERYDAY)
    )
    texts = [example.text for example in held_out if example.kind == NOTE]
    excerpts = [
        _group(f"first {size} characters", NOTE, model.decision_function([text[:size] for text in texts]))
        for size in EXCERPTS
    ]
    return HealthFigures(
        auc_all=_auc(notes, np.concatenate((general, everyday))),
        auc_general=_auc(notes, general),
        auc_everyday=_auc(notes, everyday),
        recall=float(np.mean(notes > 0)),
        structured_recall=float(np.mean(structured > 0)),
        talk_recall=float(np.mean(talk > 0)),
        everyday_referred=float(np.mean(everyday > 0)),
        general_referred=float(np.mean(general > 0)),
        groups=tuple(share_by_group(model, held_out)),
        excerpts=tuple(excerpts),
    )


def share_by_group(model: HealthModel, examples: Sequence[Example]) -> list[Group]:
    """The share taken for health information, for each source and kind apart."""
    texts: dict[tuple[str, str], list[str]] = {}
    for example in examples:
        texts.setdefault((example.source, example.kind), []).append(example.text)
    return [_group(source, kind, model.decision_function(members)) for (source, kind), members in texts.items()]


def _group(name: str, kind: str, scores: Floats) -> Group:
    return Group(name, kind, len(scores), float(np.mean(scores > 0)))


def _auc(positive: Floats, negative: Floats) -> float:
    truth = np.concatenate((np.ones(len(positive)), np.zeros(len(negative))))
    return float(roc_auc_score(truth, np.concatenate((positive, negative))))
