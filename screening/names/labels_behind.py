"""Text -> the same with an ordinary word for the label behind a name: in `Mary Sloan DOB 3/4/70` it is no last name."""

import re

from screening.entities.word_groups import words_of

_LABELS = words_of("labels_behind_names")
_FIRST = "".join(sorted({label[0].upper() for label in _LABELS}))
# A capital first, because a set of characters is searched fast; one look at what is before it rules out most.
_LABEL = re.compile(
    rf"[{_FIRST}](?<= .)"
    r"(?:(?<=[^\W\d_] .)|(?<=[^\W\d_], .))(?:[A-Za-z]{1,5}+|\. ?[A-Z]\. ?[A-Z]\b\.?)(?=\.?[:#]?[ ]{0,2}\d)"
)
_ORDINARY = {2: "is", 3: "was"}
_LONGER = "born"


def without_labels(text: str) -> str:
    """Places stay what they are."""
    return _LABEL.sub(_ordinary, text)


def _ordinary(match: re.Match[str]) -> str:
    label = match.group()
    if "".join(filter(str.isalpha, label)).lower() not in _LABELS:
        return label
    return _ORDINARY.get(len(label), _LONGER).ljust(len(label))
