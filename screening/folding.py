"""Text -> the same text as matching reads it: disguised digits, hyphens and spaces plain, line breaks that are written
as escapes blank, letters and their accents in one, invisible characters gone.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Sequence, Set
from typing import NamedTuple

import numpy as np

from core.records import Span
from screening.escapes import with_blank_escapes

_ZEROS = (0x660, 0x6F0, 0x966, 0x9E6, 0xFF10)  # of scripts whose digits are read as ours
_MATHEMATICAL_DIGITS = {code: str((code - 0x1D7CE) % 10) for code in range(0x1D7CE, 0x1D800)}
_SPACES = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
_HYPHENS = "\u2010\u2011\u207b\ufe58\ufe63"
_DASHES = "\u2012-\u2015\u2212"
_WIDE = "\uff01-\uff5e"
_DIGITS = "".join(f"{chr(zero)}-{chr(zero + 9)}" for zero in _ZEROS)
# Soft hyphen, zero width, joiners, directions, variation selectors, byte order mark.
_INVISIBLE = "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff"

_HIDDEN = re.compile(f"[{_INVISIBLE}]")
_APART = re.compile("[A-Za-z][\u0300-\u0328]")  # a letter and its accent, as some systems write them
_DASH = re.compile(f"[{_DASHES}\u00ad]")  # what it is depends on its neighbours
_BASIC_PLANE = "".join(map(chr, range(0x80, 0x10000)))


def _codes(signs: str) -> frozenset[int]:
    return frozenset(map(ord, re.findall(f"[{signs}]", _BASIC_PLANE)))


def _plain(code: int) -> str:
    sign = chr(code)
    if sign.isspace():
        return " "
    if sign.isdecimal():
        return str(int(sign))
    return chr(code - 0xFEE0) if 0xFF01 <= code <= 0xFF5E else "-"


_PLAIN = {code: _plain(code) for code in _codes(_SPACES + _HYPHENS + _WIDE + _DIGITS)}
_DASH_CODES = _codes(f"{_DASHES}\u00ad")
_ACCENTS = _codes("\u0300-\u0328")
_MATHEMATICAL = 0xD835  # begins the pair that stands for such a digit in UTF-16
_FOLDED = {*_PLAIN, *_DASH_CODES, *_ACCENTS, *_codes(_INVISIBLE), _MATHEMATICAL}
_MERE_DASHES = _DASH_CODES - {0xAD}
_FEW = 4  # kinds of characters that are replaced one by one, which takes a tenth of the time
_GONE = "\u034f"  # an invisible character in place of the accent


class Folded(NamedTuple):
    """A folded text, and what was taken out: the places in the original, and where in the folded text it is missing."""

    text: str
    levelled: str  # with what was taken out still in it
    taken: Sequence[int] = ()
    missing: Sequence[int] = ()

    def in_original(self, spans: list[Span]) -> list[Span]:
        """The same spans, counted in the text as it was."""
        if not self.taken:
            return spans
        moved = [(*self.original(span.start, span.end), span) for span in spans]
        return [span._replace(start=start, end=end) for start, end, span in moved]

    def here(self, spans: Sequence[Span]) -> Sequence[Span]:
        """Spans of the original, counted in the folded text."""
        if not self.taken:
            return spans
        return [span._replace(start=self._place(span.start), end=self._place(span.end)) for span in spans]

    def places(self, originals: Sequence[int]) -> Sequence[int]:
        return [self._place(place) for place in originals] if self.taken else originals

    def original(self, start: int, end: int) -> tuple[int, int]:
        last = max(start, end - 1)
        return start + bisect_right(self.missing, start), last + bisect_right(self.missing, last) + (end > start)

    def _place(self, original: int) -> int:
        return original - bisect_left(self.taken, original)


def folded(text: str) -> Folded:
    text = with_blank_escapes(text)
    if text.isascii():
        return Folded(text, text)
    met = _FOLDED.intersection(_beyond_ascii(text))
    if not met:
        return Folded(text, text)  # as most texts with letters beyond ASCII
    level = _levelled(text, met)
    if not met.isdisjoint(_ACCENTS):
        level = _APART.sub(_joined, level)
    taken = [match.start() for match in _HIDDEN.finditer(level)] if met.difference(_PLAIN, _MERE_DASHES) else []
    if not taken:
        return Folded(level, level)
    missing = [place - number for number, place in enumerate(taken)]
    return Folded(_levelled(_HIDDEN.sub("", level), met & _DASH_CODES), level, taken, missing)


def _beyond_ascii(text: str) -> list[int]:
    """The different characters, in UTF-16: those beyond the basic plane are pairs."""
    codes = np.frombuffer(text.encode("utf-16-le", "surrogatepass"), dtype="<u2")
    found: list[int] = np.unique(codes[codes > 0x7F]).tolist()
    return found


def _levelled(text: str, met: Set[int]) -> str:
    """Disguised characters as plain ones, each in its place; `met` are those that the text has."""
    if _MATHEMATICAL in met:
        text = text.translate(_MATHEMATICAL_DIGITS)
    plain = met & _PLAIN.keys()
    if len(plain) > _FEW:
        text = text.translate(_PLAIN)
    else:
        for code in plain:
            text = text.replace(chr(code), _PLAIN[code])
    return text if met.isdisjoint(_DASH_CODES) else _DASH.sub(_plain_dash, text)


def _joined(match: re.Match[str]) -> str:
    letter = unicodedata.normalize("NFC", match[0])
    return letter + _GONE if len(letter) == 1 else match[0]


def shown(text: str) -> str:
    """Without what nobody sees."""
    return text if text.isascii() else _HIDDEN.sub("", text)


def _plain_dash(match: re.Match[str]) -> str:
    """A dash parts words, but numbers it joins; a soft hyphen does so between groups of figures."""
    group = 2 if match[0] == "\u00ad" else 1
    start, end = match.span()
    before, after = match.string[max(0, start - group) : start], match.string[end : end + group]
    return "-" if len(before) == len(after) == group and (before + after).isdecimal() else match[0]
