"""Text -> the same text as matching reads it: disguised digits, hyphens and spaces plain, line breaks that are written
as escapes blank, letters and their accents in one, invisible characters gone.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from core.records import Span

_ZEROS = (0x660, 0x6F0, 0x966, 0x9E6, 0xFF10)  # of scripts whose digits are read as ours
_MATHEMATICAL_DIGITS = {code: str((code - 0x1D7CE) % 10) for code in range(0x1D7CE, 0x1D800)}
_SPACES = "\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000"
_HYPHENS = "\u2010\u2011\u207b\ufe58\ufe63"
_DASHES = "\u2012-\u2015\u2212"
_WIDE = "\uff01-\uff5e"
_DIGITS = "".join(f"{chr(zero)}-{chr(zero + 9)}" for zero in _ZEROS)
# Soft hyphen, zero width, joiners, directions, variation selectors, byte order mark.
_INVISIBLE = "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff"

# One class each, without alternatives and without characters beyond the basic plane: both cost ten times as much.
_DISGUISED = re.compile(f"[{_SPACES}{_HYPHENS}{_DASHES}{_WIDE}{_DIGITS}\u00ad]")
_HIDDEN = re.compile(f"[{_INVISIBLE}]")
_APART = re.compile("[A-Za-z][\u0300-\u0328]")  # a letter and its accent, as some systems write them
_ANY_OF_THEM = re.compile(f"[{_SPACES}{_HYPHENS}{_DASHES}{_WIDE}{_DIGITS}{_INVISIBLE}\u0300-\u0328]")
# Line breaks, tabs and quotes as JSON, SQL and logs write them; and paths of Windows, in which `\n` begins a name.
_ESCAPED = re.compile(r"""(?:(?<![^\W_])[C-HX-Zc-hx-z]:|(?<![^\s"'(=])\\)\\[^\s"'<>|]*|\\+[nrt]|(?<!\\)\\\"""")
_QUOTED = re.compile(r"^>[> \t]*(?=[^\s>])", re.MULTILINE)
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
    text = _with_blank_quotes(with_blank_escapes(text))
    if text.isascii():
        return Folded(text, text)
    if _ANY_OF_THEM.search(text) is None and not _has_mathematical_digits(text):
        return Folded(text, text)  # as most texts with letters beyond ASCII
    level = _APART.sub(_joined, _levelled(text))
    taken = [match.start() for match in _HIDDEN.finditer(level)]
    if not taken:
        return Folded(level, level)
    missing = [place - number for number, place in enumerate(taken)]
    return Folded(_levelled(_HIDDEN.sub("", level)), level, taken, missing)


def with_blank_escapes(text: str) -> str:
    r"""`asthma\nTom Hart`, with as many blanks as there were characters."""
    return _ESCAPED.sub(_blank, text) if "\\" in text else text


def _with_blank_quotes(text: str) -> str:
    """The lines of a mail that is answered, without the marks before them."""
    return _QUOTED.sub(lambda marks: " " * len(marks[0]), text) if "\n>" in text else text


def _blank(match: re.Match[str]) -> str:
    is_path = match[0][-1] not in 'nrt"' or match[0][:-1].strip("\\")
    return match[0] if is_path else " " * len(match[0])


def _levelled(text: str) -> str:
    """Disguised characters as plain ones, each in its place."""
    if _has_mathematical_digits(text):
        text = text.translate(_MATHEMATICAL_DIGITS)
    return _DISGUISED.sub(_plain, text)


def _has_mathematical_digits(text: str) -> bool:
    return any(chr(code) in text for code in _MATHEMATICAL_DIGITS)


def _joined(match: re.Match[str]) -> str:
    letter = unicodedata.normalize("NFC", match[0])
    return letter + _GONE if len(letter) == 1 else match[0]


def shown(text: str) -> str:
    """Without what nobody sees."""
    return text if text.isascii() else _HIDDEN.sub("", text)


def _plain(match: re.Match[str]) -> str:
    character = match[0]
    code = ord(character)
    if character.isspace():
        return " "
    if character.isdecimal():
        return str(int(character))
    if 0xFF01 <= code <= 0xFF5E:
        return chr(code - 0xFEE0)
    if character in _HYPHENS:
        return "-"
    # A dash parts words, but numbers it joins; a soft hyphen does so between groups of figures.
    group = 2 if character == "\u00ad" else 1
    start, end = match.span()
    before, after = match.string[max(0, start - group) : start], match.string[end : end + group]
    return "-" if len(before) == len(after) == group and (before + after).isdecimal() else character
