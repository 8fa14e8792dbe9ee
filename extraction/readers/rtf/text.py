"""RTF -> its text by place, and the objects and pictures that it embeds."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.records import Segment, Status
from extraction.format import StoppedError
from extraction.readers.ole.property_set import code_page
from extraction.readers.ooxml.said_in_attributes import is_prose
from extraction.readers.rtf.control_words import (
    CHARACTERS,
    CHARSETS,
    CODE_PAGE_WORDS,
    ENDS_WITH_LINE,
    PLACES,
    SAID_ELSEWHERE,
    SKIPPED,
    TRANSPARENT,
)
from extraction.readers.text.decode import clean

DEPTH = 10_000
SEGMENT_CHARS = 1 << 18
_ESCAPES = rb"((?:\\u-?\d{1,5} ?(?:\?|\\'[0-9a-fA-F]{2})){2,})"
_TOKEN = re.compile(
    _ESCAPES
    + rb"|([^\\{}\r\n]+)|[\r\n]+|([{}])|\\(?:([a-zA-Z]{1,40})(-?\d{1,10})? ?|'([0-9a-fA-F]{2})|(\r\n|[\x00-\xff]))"
)
_ESCAPE = re.compile(rb"\\u(-?\d{1,5})")
_WORDS_THAT_TELL = frozenset(
    word.encode()
    for word in {*CHARACTERS, *CODE_PAGE_WORDS, "u", "uc", "bin", "ansicpg", "f", "fcharset", "cpg", "plain"}
)
_MARKUP = re.compile(rb"\\[a-zA-Z]{1,40}-?\d{0,10} ?|[{}\\\r\n]")
_BRACE_OR_WORD = re.compile(rb"[{}]|\\bin(\d{1,10}) ?|\\[\x00-\xff]")
_MAILTO = re.compile(r'HYPERLINK\s+"?(?:mailto|tel):([^"\s]{1,300})', re.I)
_ORDER = (
    "body",
    "headers",
    "footers",
    "footnotes",
    "comments",
    "text boxes",
    "form fields",
    "links",
    "properties",
    "authors",
    "other groups",
)
_SYMBOLS = {b"~": "\xa0", b"_": "-", b"\n": "\n", b"\r": "\n", b"\r\n": "\n", b"\\": "\\", b"{": "{", b"}": "}"}


@dataclass(frozen=True, slots=True)
class _Group:
    place: str = "body"
    encoding: str = "cp1252"
    after_unicode: int = 1


class RtfText:
    """One pass over the tokens; a group without text is skipped without parsing it."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0
        self._group = _Group()
        self._outer: list[_Group] = []
        self._texts: dict[str, list[str]] = {}
        self._bytes = bytearray()
        self._to_skip = 0
        self._is_first_word = False
        self._is_starred = False
        self._fonts: dict[int, str] = {}
        self._default = "cp1252"
        self._font_defined = -1
        self.objects: list[str] = []
        self.pictures: list[bytes] = []  # the groups of pictures as they are written

    def read(self) -> None:
        data, match = self._data, _TOKEN.match
        size = len(data)
        while self._place < size:
            token = match(data, self._place)
            if token is None:
                self._place += 1
                continue
            self._place = token.end()
            kind = token.lastindex
            if kind == 2:
                self._add_plain(token.group(2))
            elif kind == 3:
                self._brace(token.group(3) == b"{")
            elif kind in (4, 5):
                word = token.group(4)
                if self._is_first_word or word in _WORDS_THAT_TELL:
                    self._word(word.decode("ascii"), token.group(5))
            elif kind == 6:
                self._add_byte(int(token.group(6), 16))
            elif kind == 7:
                self._symbol(token.group(7))
            elif kind == 1:
                self._escapes(token)
        self._flush()
        if self._outer:
            raise StoppedError(Status.PARTIAL, "corrupt (truncated)")

    def _add_plain(self, run: bytes) -> None:
        self._is_first_word = False
        if self._to_skip:
            skipped = min(self._to_skip, len(run))
            self._to_skip -= skipped
            run = run[skipped:]
        self._bytes += run

    def _escapes(self, run: re.Match[bytes]) -> None:
        """A word in another script is a series of escapes, each followed by a substitute for older readers."""
        numbers = _ESCAPE.findall(run.group(1))
        if self._group.after_unicode != 1:
            self._place = run.start() + len(numbers[0]) + 2
            numbers = numbers[:1]
            self._place += self._data[self._place : self._place + 1] == b" "
        self._is_first_word = False
        self._flush()
        self._say("".join([chr(int(number) % 65_536) for number in numbers]))
        self._to_skip = 0 if self._group.after_unicode == 1 else self._group.after_unicode

    def _add_byte(self, value: int) -> None:
        if self._to_skip:
            self._to_skip -= 1
        else:
            self._bytes.append(value)

    def _flush(self) -> None:
        if self._bytes:
            text = self._bytes.decode(self._group.encoding, "replace")
            self._bytes.clear()
            self._say(text)

    def _say(self, text: str) -> None:
        self._texts.setdefault(self._group.place, []).append(text)

    def _brace(self, opens: bool) -> None:
        self._flush()
        self._to_skip = 0
        if opens:
            if len(self._outer) >= DEPTH:
                raise StoppedError(Status.PARTIAL, f"nesting limit ({DEPTH:,})")
            self._outer.append(self._group)
            self._is_first_word, self._is_starred = True, False
            return
        closed = self._group
        if self._outer:
            self._group = self._outer.pop()
        if closed.place != self._group.place:
            self._close(closed.place)

    def _close(self, place: str) -> None:
        if place == "fields":
            code = "".join(self._texts.pop(place, []))
            self._texts.setdefault("links", []).extend(f"{address}\n" for address in _MAILTO.findall(code))
        elif place == "objects":
            self.objects.append("".join(self._texts.pop(place, [])))
        elif place == "fonts":
            self._texts.pop(place, None)
        elif place in ENDS_WITH_LINE:
            self._texts.setdefault(place, []).append("\n")

    def _symbol(self, symbol: bytes) -> None:
        if symbol == b"*":
            self._is_starred = self._is_first_word
        elif symbol in _SYMBOLS:
            if self._to_skip:
                self._to_skip -= 1
                return
            self._flush()
            self._say(_SYMBOLS[symbol])

    def _word(self, word: str, number: bytes | None) -> None:
        if self._is_first_word:
            self._is_first_word = False
            if self._begins_destination(word):
                return
        value = int(number) if number else 0
        if word == "u":
            self._flush()
            self._say(chr(value % 65_536))
            self._to_skip = self._group.after_unicode
        elif word == "bin":
            self._place += max(0, value)
        elif word in CHARACTERS:
            self._flush()
            self._say(CHARACTERS[word])
        else:
            self._setting(word, value, number is not None)

    def _begins_destination(self, word: str) -> bool:
        """Whether the group is skipped; an unknown control word after `\\*` marks a group that may be ignored."""
        place = PLACES.get(word)
        if word == "pict":
            start = self._place
            self._jump_over_group()
            self.pictures.append(self._data[start : self._place])
            return True
        if word in SKIPPED or (place is None and self._is_starred and word not in TRANSPARENT):
            start = self._place
            self._jump_over_group()
            if word not in SKIPPED or word in SAID_ELSEWHERE:
                self._say_if_prose(self._data[start : self._place])
            return True
        if place is not None:
            if place in ENDS_WITH_LINE and self._group.place == place:
                self._say("\n")
            self._group = replace(self._group, place=place)
        return False

    def _say_if_prose(self, group: bytes) -> None:
        """Of a group that a reader may ignore."""
        text = " ".join(_MARKUP.sub(b" ", group).decode(self._default, "replace").split())
        if is_prose(text):
            self._texts.setdefault("other groups", []).append(f"{text}\n")

    def _jump_over_group(self) -> None:
        depth = 1
        for match in _BRACE_OR_WORD.finditer(self._data, self._place):
            if match.start() < self._place:
                continue
            mark = match.group()
            if mark == b"{":
                depth += 1
            elif mark == b"}":
                depth -= 1
                if depth == 0:
                    self._place = match.start()
                    return
            elif match.group(1):
                self._place = match.end() + int(match.group(1))
        self._place = len(self._data)

    def _setting(self, word: str, value: int, has_value: bool) -> None:
        if word == "uc":
            self._group = replace(self._group, after_unicode=max(0, min(value, 100)))
        elif word == "ansicpg" and value:
            self._default = code_page(value)
            self._encode(self._default)
        elif word in CODE_PAGE_WORDS and not has_value:
            self._default = CODE_PAGE_WORDS[word]
            self._encode(self._default)
        elif word == "f":
            self._font_defined = value
            if self._group.place != "fonts":
                self._encode(self._fonts.get(value, self._default))
        elif word == "fcharset" and self._group.place == "fonts":
            self._fonts[self._font_defined] = CHARSETS.get(value, self._default)
        elif word == "cpg" and self._group.place == "fonts" and value:
            self._fonts[self._font_defined] = code_page(value)
        elif word == "plain":
            self._encode(self._default)

    def _encode(self, encoding: str) -> None:
        if encoding != self._group.encoding:
            self._flush()
            self._group = replace(self._group, encoding=encoding)

    def segments(self) -> Iterator[Segment]:
        for place in _ORDER:
            text = "".join(self._texts.pop(place, []))
            text = clean(text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")).strip("\n")
            for start in range(0, len(text), SEGMENT_CHARS):
                yield Segment(place, text[start : start + SEGMENT_CHARS])
