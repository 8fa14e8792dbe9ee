"""Bytes of a text in any encoding -> exactly its characters: no stripping, no newline translation."""

import codecs
import re

import chardet

SAMPLE = 64_000  # detectors need gigabytes for large texts, so they get a sample
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_NOT_WRITTEN = re.compile("[\x01-\x06\x0e-\x1a\x1c-\x1f\x7f\ufdd0-\ufdef\ufff0-\uffff]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_NOT_TEXT_CODECS = frozenset(
    {"utf-7", "utf_7", "idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined", "mbcs", "oem"}
)
_OTHER_SCRIPT = re.compile("[\u0370-\u06ff]+")
_TOUCHING_SCRIPTS = re.compile("(?<=[A-Za-z])[\u0370-\u06ff]+|[\u0370-\u06ff]+(?=[A-Za-z])")
_ESCAPED = re.compile(r"\\u([0-9a-fA-F]{4})")
REPLACEMENT = "\ufffd"
FALLBACK = "cp1252"


def decode(data: bytes, declared: str = "", *, cut: bool = False) -> str:
    """Tries a byte order mark, then UTF-8, wide encodings, what the file declares, and a guess from a sample.

    The byte order mark is not part of the text and is left out. `cut`: the last character may be incomplete.
    """
    mark, encoding = _marked_encoding(data)
    if encoding:
        return _with(encoding, data[mark:], cut)
    try:
        return data.decode() if not cut else codecs.getincrementaldecoder("utf-8")().decode(data)
    except UnicodeDecodeError:
        pass
    return _with(_usable(declared) or detect(data) or FALLBACK, data, cut)


def with_letters(text: str) -> str:
    r"""`Negr\u00f3n`, as JSON may write it, with its letters; quotes and control characters stay escapes."""
    return _ESCAPED.sub(_letter, text) if "\\u" in text else text


def _letter(escape: re.Match[str]) -> str:
    character = chr(int(escape[1], 16))
    return character if character.isprintable() and character not in '"\\' else escape[0]


class StreamDecoder:
    """The same choice for a text that comes in pieces: the first piece that is not UTF-8 decides the guess."""

    def __init__(self, beginning: bytes, declared: str = "") -> None:
        self._skip, encoding = _marked_encoding(beginning)
        self._declared = _usable(declared)
        self._decoder = codecs.getincrementaldecoder(encoding or "utf-8")("replace" if encoding else "strict")

    def decode(self, data: bytes, *, last: bool) -> str:
        data, self._skip = data[self._skip :], max(0, self._skip - len(data))
        held = self._decoder.getstate()[0]
        try:
            return clean(self._decoder.decode(data, last))
        except UnicodeDecodeError:
            self._decoder = codecs.getincrementaldecoder(self._declared or detect(held + data) or FALLBACK)("replace")
            return clean(self._decoder.decode(held + data, last))


def _marked_encoding(data: bytes) -> tuple[int, str]:
    """The length of the byte order mark and the encoding, if the bytes show one."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return len(mark), encoding
    return 0, wide_encoding(data)


def wide_encoding(data: bytes) -> str:
    """UTF-16 and UTF-32 without a mark, by the positions of the zero bytes of their Latin letters."""
    sample = data[:4096]
    zeros = sample.count(0)
    if zeros * 4 < len(sample) or len(sample) < 4:
        return ""
    sample = sample[: len(sample) // 4 * 4]
    shares = [sample[start::4].count(0) * 4 / len(sample) for start in range(4)]
    if min(shares[1:]) > 0.9 and shares[0] < 0.1:
        return _if_valid("utf-32-le", sample)
    if min(shares[:3]) > 0.9 and shares[3] < 0.1:
        return _if_valid("utf-32-be", sample)
    even, odd = (shares[0] + shares[2]) / 2, (shares[1] + shares[3]) / 2
    if odd > 0.4 and even < 0.1:
        return _if_valid("utf-16-le", sample)
    if even > 0.4 and odd < 0.1:
        return _if_valid("utf-16-be", sample)
    return ""


def is_marked(head: bytes) -> bool:
    """Whether text follows a byte order mark in its encoding; some music begins with the same bytes."""
    return any(head.startswith(mark) and _if_valid(encoding, head[len(mark) :]) for mark, encoding in _BOMS)


def _if_valid(encoding: str, sample: bytes) -> str:
    """Quiet sound decodes as well, but to control characters."""
    try:
        text = codecs.getincrementaldecoder(encoding)().decode(sample)
    except UnicodeDecodeError:
        return ""
    return encoding if len(_NOT_WRITTEN.findall(text)) * 50 <= len(text) else ""


def detect(data: bytes) -> str:
    """The detector's guess, from a sample around the first byte beyond ASCII."""
    first = _first_beyond_ascii(data)
    start = max(0, first - SAMPLE // 2)
    sample = data[start : start + SAMPLE]
    guess = _usable(str(chardet.detect(sample)["encoding"] or ""))
    return FALLBACK if guess and _mixes_scripts(sample, guess) else guess


def _mixes_scripts(sample: bytes, encoding: str) -> bool:
    """Nobody mixes Latin with Greek, Cyrillic or other letters in one word: if most words do, the guess is wrong."""
    text = sample.decode(encoding, "replace")
    touching = len(_TOUCHING_SCRIPTS.findall(text))
    return touching > 0 and touching * 2 > len(_OTHER_SCRIPT.findall(text))


def _first_beyond_ascii(data: bytes) -> int:
    match = re.search(rb"[\x80-\xff]", data)
    return match.start() if match else 0


def _usable(encoding: str) -> str:
    """The name of a text encoding that Python knows, else empty: a file may declare any name."""
    if not encoding or len(encoding) > 40 or "\0" in encoding:
        return ""
    try:
        info = codecs.lookup(encoding)
    except (LookupError, UnicodeError, ValueError, OSError):  # OSError: an unknown name if no file can be opened
        return ""
    text_encoding = getattr(info, "_is_text_encoding", True)
    return info.name if text_encoding and info.name not in _NOT_TEXT_CODECS else ""


def _with(encoding: str, data: bytes, cut: bool) -> str:
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    return clean(decoder.decode(data, final=not cut))


def clean(text: str) -> str:
    """Lone surrogates cannot be encoded again; each becomes one replacement character, so offsets stay."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return _SURROGATES.sub(REPLACEMENT, text)
    return text
