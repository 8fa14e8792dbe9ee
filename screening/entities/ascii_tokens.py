"""ASCII text -> where its words begin and end, by arrays: the same as an expression finds, in a third of the time."""

import re

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]

_GAP, _LETTER, _FIGURE, _MARK = range(4)
_CODES = [chr(code) for code in range(256)]
_CLASS_OF = np.array(
    [
        _GAP if sign.isspace() else _LETTER if sign.isalpha() else _FIGURE if sign.isdecimal() else _MARK
        for sign in _CODES[:128]
    ]
    + [_MARK] * 128,
    dtype=np.uint8,
)
_JOINS_ITSELF = np.isin(_CODES, list(".-_=*#"))  # `--` and longer are one word
_IS_S = np.isin(_CODES, ["s", "S"])
_NO_NAME = frozenset(b"s S t T m M d D re RE ve VE ll LL".split())  # behind an apostrophe
_FOREIGN = re.compile(r"[^\x00-\x7f]+")
_CHARS_A_STRETCH = 200  # more stretches than that cost more than they save
_BLANK, _APOSTROPHE, _UNDERSCORE = b" '_"


def ascii_and_others(text: str) -> list[tuple[int, str]]:
    """Stretches of ASCII, and around other letters those that are not, each with its place; no word is cut."""
    if text.isascii():
        return [(0, text)]
    places = [match.span() for match in _FOREIGN.finditer(text)]
    if len(places) * _CHARS_A_STRETCH > len(text):
        return [(0, text)]
    stretches: list[tuple[int, str]] = []
    at = 0
    for low, high in places:
        if low >= at:
            start, end = _blank_before(text, at, low), _blank_behind(text, high)
            stretches += ((at, text[at:start]), (start, text[start:end])) if start > at else ((at, text[at:end]),)
            at = end
    return [*stretches, (at, text[at:])] if at < len(text) else stretches


def _blank_before(text: str, first: int, place: int) -> int:
    """The last single blank between words from there on, or the first place."""
    blank = text.rfind(" ", first, place)
    while blank > first and not _parts_words(text, blank):
        blank = text.rfind(" ", first, blank)
    return max(blank, first)


def _blank_behind(text: str, place: int) -> int:
    blank = text.find(" ", place)
    while blank >= 0 and not _parts_words(text, blank):
        blank = text.find(" ", blank + 1)
    return blank if blank >= 0 else len(text)


def _parts_words(text: str, blank: int) -> bool:
    return not (text[blank - 1].isspace() or text[blank + 1 : blank + 2].isspace() or blank + 1 == len(text))


def token_bounds(text: Bytes) -> tuple[Ints, Ints]:
    """Where each word begins and ends, without the single blanks between them; other white space is a word."""
    classes = _CLASS_OF[text]
    begins = np.empty(len(text) + 1, dtype=bool)
    begins[0] = begins[-1] = True
    inner = begins[1:-1]
    np.not_equal(classes[1:], classes[:-1], out=inner)
    inner |= (classes[1:] == _MARK) & ((text[1:] != text[:-1]) | ~_JOINS_ITSELF[text[1:]])
    _join_apostrophes(text, classes, begins)
    bounds = np.flatnonzero(begins)
    starts, ends = bounds[:-1], bounds[1:]
    worded = (text[starts] != _BLANK) | (ends - starts > 1)
    return starts[worded], ends[worded]


def _join_apostrophes(text: Bytes, classes: Bytes, begins: NDArray[np.bool_]) -> None:
    """`O'Brien` is one word, and so is `'s` alone; of the few apostrophes with a letter behind them, one by one."""
    places = np.flatnonzero(text[:-1] == _APOSTROPHE)
    places = places[classes[places + 1] == _LETTER]
    if not len(places):
        return
    behind_letter = (classes[places - 1] == _LETTER) & (places > 0)
    after = np.minimum(places + 2, len(text) - 1)
    is_s = _IS_S[text[places + 1]] & ((classes[after] != _LETTER) | (after < places + 2))
    done = -1  # where the last word with an apostrophe ends
    for place, may_join in zip(places[behind_letter | is_s].tolist(), behind_letter[behind_letter | is_s], strict=True):
        end = place + 1 + int(begins[place + 2 :].argmax()) + 1
        ends_word = end == len(text) or (classes[end] != _FIGURE and text[end] != _UNDERSCORE)
        rest = text[place + 1 : end].tobytes()
        if may_join and place != done and not (ends_word and rest in _NO_NAME):
            begins[place] = begins[place + 1] = False
            done = end
        elif ends_word and rest in (b"s", b"S"):
            begins[place + 1] = False
            done = end
