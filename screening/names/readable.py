"""Texts -> the same as the model of names reads them: without labels and misread letters, and names without numbers.

Every letter stays at its place.
"""

from collections.abc import Iterable, Mapping, Sequence

from screening.names.encoded_texts import Encoded, encoded_together
from screening.names.figure_places import FigurePlaces, figure_places
from screening.names.labels_behind import without_labels
from screening.names.misread import mended
from screening.names.numbered import without_numbers


def readable(texts: Sequence[str], encoded: Iterable[Encoded], lists: Mapping[str, int]) -> list[str]:
    """`encoded` are the same texts."""
    return [_readable(*each, lists) for each in zip(texts, figure_places(encoded), strict=True)]


def _readable(text: str, places: FigurePlaces, lists: Mapping[str, int]) -> str:
    """Each sees what the one before changed, which is seldom anything."""
    for change in (without_labels, mended):
        changed = change(text, places)
        if changed is not text:
            text = changed
            (places,) = figure_places(encoded_together([text]))
    return without_numbers(text, places, lists)
