"""Texts -> whether each has a small German word, by arrays; some more, where it is next to other letters than ours."""

from collections.abc import Iterable, Iterator

import numpy as np

from screening.names.encoded_texts import Encoded

_WORDS = (b"der", b"die", b"und", b"mit", b"bei")  # `des` is French too
_JOINS = np.array([chr(code).isalnum() or chr(code) == "_" for code in range(256)])


def have_german_words(encoded: Iterable[Encoded]) -> Iterator[bool]:
    """Of each text."""
    for each in encoded:
        signs = np.frombuffer(each.signs, dtype=np.uint8)
        found = []
        for one, two, three in _WORDS:
            places = np.flatnonzero((signs[1:-3] == one) & (signs[2:-2] == two) & (signs[3:-1] == three)) + 1
            found.append(places[~(_JOINS[signs[places - 1]] | _JOINS[signs[places + 3]])])
        for places in each.parted(np.sort(np.concatenate(found))):
            yield len(places) > 0
