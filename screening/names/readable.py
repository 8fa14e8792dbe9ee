"""Texts -> the same as the model of names reads them: without labels, misread letters and numbers that belong to no name.

Every letter stays at its place.
"""

from collections.abc import Mapping, Sequence

from screening.names.figure_places import FigurePlaces, figure_places
from screening.names.labels_behind import without_labels
from screening.names.misread import mended
from screening.names.numbered import without_numbers


def readable(texts: Sequence[str], lists: Mapping[str, int]) -> list[str]:
    return [_readable(*each, lists) for each in zip(texts, figure_places(texts), strict=True)]


def _readable(text: str, places: FigurePlaces, lists: Mapping[str, int]) -> str:
    """Each sees what the one before changed, which is seldom anything."""
    for change in (without_labels, mended):
        changed = change(text, places)
        if changed is not text:
            text = changed
            (places,) = figure_places([text])
    return without_numbers(text, places, lists)
