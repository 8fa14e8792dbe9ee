"""Text -> what base64, hex, uuencode, quoted-printable, escapes and the like in it say, if it is worth reading."""

import base64
import binascii
import codecs
import quopri
import re
import urllib.parse
from collections.abc import Iterator
from dataclasses import dataclass

from extraction.identify.encrypted import encrypted_media_type
from extraction.identify.identify import identify
from extraction.identify.signatures import BY_FIRST_BYTE
from extraction.media_types import JSON, TEXT, is_textual
from extraction.readers.archives.zlib_stream import is_zlib
from extraction.readers.text.decode import decode, wide_encoding

SHORTEST_RUN = 40  # characters of base64 or hex; shorter ones are words, numbers and keys
LEAST_ESCAPES = 4
SHORT_TEXT = 4096  # a longer one of a structure of its own, such as a mail, is read as a file
_SHORTEST_DATA = 16
_SHORTEST_SIGNATURE = 3
_LOOK = 2048
_CONTEXT = 200
_ALPHABET = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-"
_IN_RUNS = bytes(ord("a") if byte in _ALPHABET else ord(" ") for byte in range(256))
_RUN = b"a" * SHORTEST_RUN
_LINE = r"(?:[A-Za-z0-9+/_-]|\\/)"
_BASE64 = re.compile(
    rf"(?<![A-Za-z0-9+/_-]){_LINE}{{{SHORTEST_RUN},}}+"
    rf"(?:(?:\r?\n[ \t>]{{0,8}}|\\r\\n|\\n| ){_LINE}{{2,}}+(?=[\s\"'<=\\,;)]|\Z))*+"
)
_BREAK = re.compile(r"\r?\n[ \t>]*|\\r\\n|\\n| ")
_JOINT = re.compile(r"[/_-]+")
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2})+")
_PAIRS = re.compile(
    rf"\b(?:[0-9A-Fa-f]{{2}}(?:[ :\n]|,(?:\\\r?\n *)?)){{{SHORTEST_RUN // 2},}}+(?:[0-9A-Fa-f]{{2}}\b)?"
)
_NUMBERS = re.compile(
    rf"\b(?:[01]{{8}}[ ,\n]?){{{SHORTEST_RUN // 2},}}+"
    rf"|\b(?:[0-9]{{2,3}}(?:,| |, )){{{SHORTEST_RUN},}}+(?:[0-9]{{2,3}}\b)?"
)
_NUMBER = re.compile(r"[0-9]+")
_BITS = 8
_LIKELY_NUMBERS = re.compile(rb"(?:[0-9]{2,3}[, ]{1,2}){20}|[01]{8}[ ,\n]?[01]{8}[ ,\n]?[01]{8}")
_LAST_32 = (0, 2, 4, 5, 7)  # characters of the last group
_BASE32 = re.compile(r"[A-Z2-7]+")
_BASE85 = re.compile(r"<~([!-uz\s]{20,}+)~>")
_IN_PAIRS = bytes(
    ord("a") if byte in b"0123456789abcdefABCDEF" else 32 if byte in b" :,\n" else 0 for byte in range(256)
)
_RUN_OF_PAIRS = b"aa " * (SHORTEST_RUN // 2)
_ESCAPES = re.compile(
    r"(?:\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\[0-3][0-7]{2}|&#x[0-9A-Fa-f]{2,5};|&#[0-9]{2,6};){8,}+"
)
_ESCAPE = re.compile(r"\\x(..)|\\u(....)|&#x([0-9A-Fa-f]+);|&#([0-9]+);|\\([0-7]{3})")
_URL = re.compile(
    rf"%[0-9A-Fa-f]{{2}}(?:[^\s%\"'<>]{{0,{_CONTEXT}}}%[0-9A-Fa-f]{{2}}){{{LEAST_ESCAPES - 1},}}+"
    rf"[^\s%\"'<>]{{0,{_CONTEXT}}}"
)
_QUOTED = re.compile(
    rf"=(?:[0-9A-F]{{2}}|\r?\n)(?:[^=]{{0,100}}=(?:[0-9A-F]{{2}}|\r?\n)){{{LEAST_ESCAPES - 1},}}+[^\n=]{{0,100}}"
)
_UU = re.compile(r"^begin [0-7]{3,4} ([^\r\n]{1,200})\r?\n", re.M)
_CONTROL = bytes({*range(32)} - {7, 8, 9, 10, 11, 12, 13, 27}) + b"\x7f"
_WORD = re.compile(r"[^\W\d_]{3}")


@dataclass(frozen=True, slots=True, repr=False)
class Hidden:
    """What an encoded part of a text decodes to: `text`, or the `data` of a file."""

    text: str = ""
    data: bytes = b""
    name: str = ""


def hidden_in(text: str) -> Iterator[Hidden]:
    """A text without long runs or many escapes costs little more than a copy of it."""
    seen: set[bytes] = set()
    for data, name in _decoded(text, text.encode("utf-8", "replace")):
        if data in seen:
            continue
        kind = identify(data)
        if kind == TEXT or (len(data) < SHORT_TEXT and (kind == JSON or is_textual(kind))):
            seen.add(data)
            yield Hidden(text=decode(data))
        else:
            yield Hidden(data=data, name=name)


def worth_reading(data: bytes) -> bool:
    """Whether decoded bytes are text or begin like a file of a known type; what was not encoded decodes to neither."""
    if len(data) < _SHORTEST_DATA:
        return False
    if any(
        len(beginning) >= _SHORTEST_SIGNATURE and data.startswith(beginning)
        for beginning, _ in BY_FIRST_BYTE.get(data[0], ())
    ):
        return True
    if (
        encrypted_media_type(data)
        or data[4:8] == b"ftyp"
        or data[128:132] == b"DICM"
        or data[257:262] == b"ustar"
        or is_zlib(data)
    ):
        return True
    return _is_text(data)


def _is_text(data: bytes) -> bool:
    """UTF-8 or UTF-16 with a word in it and no control characters: random bytes never are."""
    head = data[:_LOOK]
    if encoding := wide_encoding(head):
        return _WORD.search(head.decode(encoding, "replace")) is not None
    ends = head + data[max(_LOOK, len(data) - _LOOK) :]
    if len(ends.translate(None, _CONTROL)) < len(ends):
        return False
    try:
        shown = codecs.getincrementaldecoder("utf-8")().decode(head)
    except UnicodeDecodeError:
        shown = head.decode("cp1252", "replace")
        if sum(byte < 0x80 for byte in head) < 0.85 * len(head):
            return False
    return _WORD.search(shown) is not None


def _decoded(text: str, look: bytes) -> Iterator[tuple[bytes, str]]:
    """The bytes that are worth reading, and the name of the file if there is one."""
    if b"begin " in look:
        yield from _uuencoded(text)
    if _RUN in look.translate(_IN_RUNS):
        for match in _BASE64.finditer(text):
            part = match.group()
            if text[match.start() - 1 : match.start()] == "\\" and part[0] in "nrt":
                part = part[1:]  # the end of a line break within a string
            yield from ((data, "") for data in _from_lines(_BREAK.split(part.replace("\\/", "/"))))
    for is_likely, pattern, decoder in (
        (_RUN_OF_PAIRS in look.translate(_IN_PAIRS), _PAIRS, _from_pairs),
        (b"\\" in look or b"&#" in look, _ESCAPES, _unescaped),
        (_LIKELY_NUMBERS.search(look) is not None, _NUMBERS, _from_numbers),
        (b"<~" in look, _BASE85, _from_base85),
        (look.count(b"%") >= LEAST_ESCAPES, _URL, _from_url),
        (look.count(b"=") >= LEAST_ESCAPES, _QUOTED, _unquoted),
    ):
        for match in pattern.finditer(text) if is_likely else ():
            data = decoder(_before(text, match.start(), pattern) + match.group())
            if worth_reading(data):
                yield data, ""


def _before(text: str, start: int, pattern: re.Pattern[str]) -> str:
    """The words in front of the first escape, which belong to it."""
    if pattern not in (_URL, _QUOTED):
        return ""
    context = text[max(0, start - _CONTEXT) : start]
    return re.split(r"[\s\"'<>]" if pattern is _URL else r"\n", context)[-1]


def _from_lines(lines: list[str]) -> Iterator[bytes]:
    """Lines of equal length and a shorter one behind them are one run; other lines are runs of their own."""
    place = 0
    while place < len(lines):
        end = place + 1
        while end < len(lines) and len(lines[end]) == len(lines[place]):
            end += 1
        if len(lines[place]) >= SHORTEST_RUN:
            block = lines[place:end]
            whole = _from_run("".join([*block, lines[end]])) if end < len(lines) else b""
            if whole:
                end += 1
            elif not (whole := _from_run("".join(block))) and len(block) > 1:
                yield from (data for line in block if (data := _from_run(line)))
            if whole:
                yield whole
            elif len(block) == 1:
                yield from (data for part in _JOINT.split(block[0]) if (data := _from_run(part)))
        place = end


def _from_run(run: str) -> bytes:
    """Empty if it is neither hex nor base64 of something worth reading; the first part decides quickly."""
    run = run.removeprefix("0x")
    if len(run) < SHORTEST_RUN:
        return b""
    for decoder in (_from_hex, _from_base32, _from_base64):
        if worth_reading(decoder(run[:_LOOK])) and worth_reading(data := decoder(run)):
            return data
    return _from_run(run[1:].rstrip("-")) if run[0] == "+" else b""  # as UTF-7 marks it


def _from_hex(run: str) -> bytes:
    return bytes.fromhex(run) if _HEX.fullmatch(run) else b""


def _from_base64(run: str) -> bytes:
    usual = run.replace("-", "+").replace("_", "/")
    usual = usual[: len(usual) - (len(usual) % 4 == 1)]
    return base64.b64decode(usual + "=" * (-len(usual) % 4))


def _from_pairs(pairs: str) -> bytes:
    return bytes.fromhex(re.sub(r"[^0-9A-Fa-f]", "", pairs))


def _unescaped(escapes: str) -> bytes:
    numbers = (match.groups() for match in _ESCAPE.finditer(escapes))
    codes = (
        int(decimal or octal, 10 if decimal else 8) if decimal or octal else int(short or wide or entity, 16)
        for short, wide, entity, decimal, octal in numbers
    )
    kept = [code for code in codes if code < 0x110000]
    if kept and max(kept) < 0x100 and "\\u" not in escapes and "&" not in escapes:
        return bytes(kept)
    return "".join(map(chr, kept)).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()


def _from_numbers(numbers: str) -> bytes:
    """The codes of characters; ages, years and measures are not those of words with spaces."""
    parts = _NUMBER.findall(numbers)
    is_binary = not len(parts[0]) % _BITS and set("".join(parts[:_BITS])) <= {"0", "1"}
    joined = "".join(parts)
    codes = (
        [int(joined[place : place + _BITS], 2) for place in range(0, len(joined) - _BITS + 1, _BITS)]
        if is_binary
        else [int(part) for part in parts]
    )
    if max(codes) > 0xFF:
        return b""
    data = bytes(codes)
    words = data.decode("latin-1").split()
    is_prose = len(words) >= LEAST_ESCAPES and sum(word.strip(".,:;()").isalpha() for word in words) * 2 > len(words)
    return data if is_prose and len(data) > 3 * len(words) else b""


def _from_base85(part: str) -> bytes:
    try:
        return base64.a85decode(part.encode(), adobe=True)
    except ValueError:
        return b""


def _from_base32(run: str) -> bytes:
    return base64.b32decode(run + "=" * (-len(run) % 8)) if _BASE32.fullmatch(run) and len(run) % 8 in _LAST_32 else b""


def _from_url(part: str) -> bytes:
    return urllib.parse.unquote_to_bytes(part.replace("+", " "))


def _unquoted(part: str) -> bytes:
    return quopri.decodestring(part.encode("utf-8", "replace"))


def _uuencoded(text: str) -> Iterator[tuple[bytes, str]]:
    place = 0
    while (match := _UU.search(text, place)) is not None:
        pieces: list[bytes] = []
        place = match.end()
        while True:
            end = text.find("\n", place)
            line = text[place : end if end >= 0 else len(text)].rstrip("\r")
            piece = _uu_line(line)
            if not piece:
                break
            pieces.append(piece)
            if end < 0:
                break
            place = end + 1
        if pieces:
            yield b"".join(pieces), match[1]


def _uu_line(line: str) -> bytes:
    if not 2 <= len(line) <= 90 or not line.isascii():
        return b""
    try:
        return binascii.a2b_uu(line)
    except binascii.Error:
        length = ((ord(line[0]) - 32) & 63) * 4 // 3 + 4  # some encoders add characters at the end of a line
    try:
        return binascii.a2b_uu(line[:length])
    except binascii.Error:
        return b""
