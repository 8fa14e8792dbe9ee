"""Text of Western letters -> where its words begin and end, by arrays: as an expression finds them, in a third of the
time.
"""

import codecs

import numpy as np
from numpy.typing import NDArray

from screening.entities.tokens import is_letter

Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]

ENCODING = "cp1252"  # a byte for each character, those that Western languages are printed with among them
_OTHER = 0x81  # a byte that the encoding leaves free
_GAP, _LETTER, _FIGURE, _MARK, _FOREIGN = range(5)
_KEPT = b".-_=*#"  # marks that join themselves, `--` and longer are one word: each is a class of its own


def _beyond(error: UnicodeError) -> tuple[bytes, int]:
    assert isinstance(error, UnicodeEncodeError)
    return bytes([_OTHER]) * (error.end - error.start), error.end


codecs.register_error("leakscreen-other", _beyond)


def _class_of(code: int) -> int:
    sign = bytes([code]).decode(ENCODING, "replace")
    if code in _KEPT:
        return code
    if sign.isspace():
        return _GAP if sign.isascii() else _FOREIGN
    if is_letter(sign):
        return _LETTER
    if sign.isdecimal():
        return _FIGURE
    return _FOREIGN if sign.isalnum() or sign == "\ufffd" else _MARK


_CLASSES = bytes(map(_class_of, range(256)))
_IS_S = np.isin(np.arange(256), list(b"sS"))
_NO_NAME = frozenset(b"s S t T m M d D re RE ve VE ll LL".split())  # behind an apostrophe
_CHARS_A_STRETCH = 200  # more stretches than that cost more than they save
_BLANK, _UNDERSCORE = b" _"
_APOSTROPHE, _CURLY = "'’".encode(ENCODING)


def western_and_others(text: str) -> list[tuple[int, bytes | str]]:
    """Stretches of Western text as bytes, and around other letters those that are not, each with its place.

    No word is cut.
    """
    if text.isascii():
        return [(0, text.encode())]
    encoded = text.encode(ENCODING, "leakscreen-other")
    places = np.flatnonzero(np.frombuffer(encoded.translate(_CLASSES), dtype=np.uint8) == _FOREIGN).tolist()
    if len(places) * _CHARS_A_STRETCH > len(text):
        return [(0, text)]
    stretches: list[tuple[int, bytes | str]] = []
    at = 0
    for place in places:
        if place >= at:
            start, end = _blank_before(text, at, place), _blank_behind(text, place)
            if start > at:
                stretches.append((at, encoded[at:start]))
            stretches.append((start, text[start:end]))
            at = end
    return [*stretches, (at, encoded[at:])] if at < len(text) else stretches


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


def token_bounds(encoded: bytes) -> tuple[Ints, Ints]:
    """Where each word begins and ends, without the single blanks between them; other white space is a word."""
    if not encoded:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    text = np.frombuffer(encoded, dtype=np.uint8)
    classes = np.frombuffer(encoded.translate(_CLASSES), dtype=np.uint8)
    begins = np.empty(len(text) + 1, dtype=bool)
    begins[0] = begins[-1] = True
    inner = begins[1:-1]
    np.not_equal(classes[1:], classes[:-1], out=inner)
    inner |= classes[1:] == _MARK
    _join_apostrophes(text, classes, begins)
    bounds = np.flatnonzero(begins)
    starts, ends = bounds[:-1], bounds[1:]
    worded = np.flatnonzero((text[starts] != _BLANK) | (ends - starts > 1))  # a list of places is taken faster
    return starts[worded], ends[worded]


def _join_apostrophes(text: Bytes, classes: Bytes, begins: NDArray[np.bool_]) -> None:
    """`O'Brien` is one word, and so is `'s` alone; of the few apostrophes with a letter behind them, one by one."""
    places = np.flatnonzero((text[:-1] == _APOSTROPHE) | (text[:-1] == _CURLY))
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
