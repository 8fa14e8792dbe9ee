"""A stretch of text -> whether it is an obituary: what a family publishes of somebody is no leak."""

from screening.people.cues import read_cues

_LEAST = 3  # different phrases; a note of a hospital about a death has one or two


def is_obituary(text: str) -> bool:
    plain = text.lower()
    return sum([phrase in plain for phrase in read_cues().obituary]) >= _LEAST
