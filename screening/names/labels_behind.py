"""Text -> the same with an ordinary word for the label behind a name: in `Mary Sloan DOB 3/4/70` it is no last name."""

import re

from screening.entities.word_groups import words_of
from screening.names.figure_places import FigurePlaces

_LABELS = words_of("labels_behind_names")
_FIRST = "".join(sorted({label[0].upper() for label in _LABELS}))
_LABEL = re.compile(
    rf"[{_FIRST}](?<= .)"
    r"(?:(?<=[^\W\d_] .)|(?<=[^\W\d_], .))(?:[A-Za-z]{1,5}+|\. ?[A-Z]\. ?[A-Z]\b\.?)(?=\.?[:#]?[ ]{0,2}\d)"
)
_ORDINARY = {2: "is", 3: "was"}
_LONGER = "born"


def without_labels(text: str, places: FigurePlaces) -> str:
    """Places stay what they are."""
    pieces: list[str] = []
    at = looked = 0
    for place in places.labels:
        if place < looked or (match := _LABEL.match(text, place)) is None:
            continue
        looked = match.end()
        if (ordinary := _ordinary(match)) != match[0]:
            pieces += (text[at:place], ordinary)
            at = looked
    return "".join((*pieces, text[at:])) if pieces else text


def _ordinary(match: re.Match[str]) -> str:
    label = match.group()
    if "".join(filter(str.isalpha, label)).lower() not in _LABELS:
        return label
    return _ORDINARY.get(len(label), _LONGER).ljust(len(label))
