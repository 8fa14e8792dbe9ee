"""Texts -> where figures and letters meet in them, by arrays: what reads names looks at these places alone."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

_TOGETHER = 200_000  # characters of texts that are searched together
_BETWEEN = "\n"  # between two texts: no place that is looked for reaches over it
_BEYOND = "?"  # stands for whatever Latin-1 does not have, such as figures of other scripts
_FROM_CAPITAL_TO_FIGURE = 14  # at most, in `D. O. B.:  3`
_SIGNS = [chr(code) for code in range(256)]
_CAPITAL = np.array([sign.isascii() and sign.isupper() for sign in _SIGNS])
_LETTER = np.array([sign.isascii() and sign.isalpha() for sign in _SIGNS])
_LETTER_OR_ACCENTED = _LETTER | (np.arange(256) >= 0xC0)
_FIGURE = np.array([sign.isascii() and sign.isdecimal() for sign in _SIGNS])
_MISREAD = np.isin(_SIGNS, list("01358"))
_BEHIND_FIGURES = np.isin(_SIGNS, list(" \t,;:|)\r\n-"))


class FigurePlaces(NamedTuple):
    """Places in one text, in order; all that the expressions of names find are among them, and some more."""

    labels: Sequence[int]  # a capital behind a blank, soon followed by a figure: `Sloan DOB 3`
    misread: Sequence[int]  # a figure between letters, or a zero before one: `Sl0an`
    small_ls: Sequence[int]  # behind two capitals: `SLlNGER`
    numbering: Sequence[int]  # the first figure behind a word: `Sloan 1,`


def figure_places(texts: Sequence[str]) -> Iterator[FigurePlaces]:
    """Of each text."""
    together: list[str] = []
    size = 0
    for text in texts:
        if together and size + len(text) > _TOGETHER:
            yield from _of_each(together)
            together, size = [], 0
        together.append(text)
        size += len(text)
    if together:
        yield from _of_each(together)


def _of_each(texts: Sequence[str]) -> Iterator[FigurePlaces]:
    # Two signs before and four behind, so that the neighbours of each place can be asked for.
    joined = f"{_BETWEEN * 2}{_BETWEEN.join(texts)}{_BETWEEN * 4}".encode("latin-1", "replace")
    signs = np.frombuffer(joined, dtype=np.uint8)
    sizes = np.array([len(text) + len(_BETWEEN) for text in texts])
    borders = np.cumsum(sizes) - sizes + 2
    found = []
    for places in (_labels(signs), _misread(signs), _small_ls(signs), _numbering(signs)):
        bounds = [*np.searchsorted(places, borders).tolist(), len(places)]
        found.append((places, bounds))
    for number, border in enumerate(borders.tolist()):
        own = ((places[bounds[number] : bounds[number + 1]] - border).tolist() for places, bounds in found)
        yield FigurePlaces(*own)


def _labels(signs: NDArray[np.uint8]) -> Ints:
    places = np.flatnonzero((signs[:-1] == ord(" ")) & _CAPITAL[signs[1:]]) + 1
    figures = np.flatnonzero(_FIGURE[signs] | (signs == ord(_BEYOND)))
    if not len(figures):
        return places[:0]
    after = np.searchsorted(figures, places)
    near = figures[np.minimum(after, len(figures) - 1)] - places
    return places[(near >= 0) & (near <= _FROM_CAPITAL_TO_FIGURE)]


def _misread(signs: NDArray[np.uint8]) -> Ints:
    places = np.flatnonzero(_MISREAD[signs])
    places = places[_LETTER[signs[places + 1]]]
    return places[_LETTER[signs[places - 1]] | (signs[places] == ord("0"))]


def _small_ls(signs: NDArray[np.uint8]) -> Ints:
    places = np.flatnonzero((signs[1:] == ord("l")) & _CAPITAL[signs[:-1]]) + 1
    return places[_CAPITAL[signs[places - 2]]]


def _numbering(signs: NDArray[np.uint8]) -> Ints:
    is_figure = _FIGURE[signs]
    places = np.flatnonzero(is_figure[1:] & ~is_figure[:-1]) + 1
    before, second = signs[places - 1], signs[places - 2]
    behind_word = _LETTER_OR_ACCENTED[second] & ((before == ord(" ")) | _LETTER_OR_ACCENTED[before])
    places = places[behind_word | ((before == ord("#")) & (second == ord(" ")))]
    ends = places + 1
    for _ in range(2):
        ends += is_figure[ends]
    return places[_BEHIND_FIGURES[signs[ends]]]
