"""A dictionary of a PDF, or what lies between its objects -> the strings in it, as text."""

import re
from collections.abc import Callable, Iterator

_STRING = re.compile(rb"\(((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*)\)|<([0-9A-Fa-f\s]{16,})>", re.S)
_ANY_STRING = re.compile(
    rb"<<|\(((?:[^()\\]|\\.|\((?:[^()\\]|\\.|\((?:[^()\\]|\\.)*\))*\))*)\)|<([0-9A-Fa-f\s]*)>", re.S
)
_SPECIAL = re.compile(rb"[()\\\r]")
_OF_PROGRAMS = re.compile(
    rb"/(?:Producer|Creator|Info|OutputCondition|OutputConditionIdentifier|RegistryName|FontFamily|Registry|Ordering|DA|DS"
    rb"|PTEX\.Fullbanner)\s*\([^)]*\)"
)
_BY_PROGRAMS = re.compile("ReportLab|pdfTeX|Quartz PDFContext|Pillow PDF driver|Original object ID|Contents for page")
_ESCAPE = re.compile(rb"\\(\r\n|[0-7]{1,3}|.)", re.S)
_ESCAPED = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"b": b"\b", b"f": b"\f", b"\n": b"", b"\r": b"", b"\r\n": b""}
_LEAST_PLAIN = 0.6  # of the characters of a text in one byte each: no language has more letters with accents
_NO_TEXT = re.compile("[\0-\x08\x0e-\x1f\x7f-\x9f\ufffd]")
_WIDE = re.compile("[\u0300-\u1fff\u2c00-\ufffc\U00010000-\U0010ffff]")  # letters that one byte cannot stand for
# A comment, or a line that is no part of a table or a dictionary.
_LOOSE_LINE = re.compile(rb"%([^\r\n]{8,})|(?:^|[\r\n])([\x20-\x2e\x30-\x3b\x3d\x3f-\x7e]{8,})(?=[\r\n]|$)")


def strings_of(head: bytes) -> Iterator[str]:
    """Not those that name programs, profiles and fonts, or are no text."""
    for plain, digits in _STRING.findall(_OF_PROGRAMS.sub(b"", head)):
        text = _text(_unescaped(plain) if plain else bytes.fromhex(_even(digits)))
        if _is_text(text):
            yield text


def with_strings(head: bytes, change: Callable[[bytes], bytes]) -> bytes:
    """The same dictionary, in which every string is another."""

    def changed(match: re.Match[bytes]) -> bytes:
        plain, digits = match.groups()
        if plain is None and digits is None:
            return match.group()
        string = change(_unescaped(plain) if plain is not None else bytes.fromhex(_even(digits)))
        return b"(" + _SPECIAL.sub(lambda special: b"\\%03o" % ord(special.group()), string) + b")"

    return _ANY_STRING.sub(changed, head)


def name_in(plain: bytes) -> str:
    return _text(_unescaped(plain))


def loose_lines(between: bytes) -> Iterator[str]:
    for match in _LOOSE_LINE.finditer(between):
        text = _text(match[1] or match[2])
        if _is_text(text) and not _BY_PROGRAMS.search(text):
            yield text


def _is_text(text: str) -> bool:
    """Not a key, a hash or a table of colours, whose bytes are letters by chance."""
    plain = len(text.encode("ascii", "ignore"))
    return (plain >= _LEAST_PLAIN * len(text) or _WIDE.search(text) is not None) and not _NO_TEXT.search(text)


def _text(data: bytes) -> str:
    if data.startswith((b"\xfe\xff", b"\xff\xfe")):
        return data.decode("utf-16", "replace")
    if data.startswith(b"\xef\xbb\xbf"):
        return data.decode("utf-8-sig", "replace")
    return data.decode("cp1252", "replace")


def _even(digits: bytes) -> str:
    joined = b"".join(digits.split()).decode()
    return joined + "0" * (len(joined) % 2)


def _unescaped(plain: bytes) -> bytes:
    return _ESCAPE.sub(_meant, plain)


def _meant(match: re.Match[bytes]) -> bytes:
    escaped = match.group(1)
    return bytes([int(escaped, 8) & 0xFF]) if escaped[:1].isdigit() else _ESCAPED.get(escaped, escaped)
