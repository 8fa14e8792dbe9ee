"""The personal prototypes of a model -> the distance that a personal text must keep within."""

from dataclasses import replace

import numpy as np

from classifiers.distances import leave_one_out
from classifiers.model_content import PERSONAL_CLASSES, HealthContent
from classifiers.vectors import Floats


def with_threshold(content: HealthContent) -> HealthContent:
    """Each personal prototype is judged by the others of its class; the quantile of their distances is the limit."""
    distances: list[Floats] = []
    for number in range(PERSONAL_CLASSES):
        alone = leave_one_out(content.vectors[np.flatnonzero(content.classes == number)], content.neighbours)
        distances.append(alone[np.isfinite(alone)])
    return replace(content, threshold=round(float(np.quantile(np.concatenate(distances), content.accepted)), 6))
