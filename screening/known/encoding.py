"""A list's bytes -> the encoding that it is in; spreadsheets, and text in an encoding that is not read, are refused."""

import codecs
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from core.errors import SettingsError

_BLOCK = 1 << 20
_SPREADSHEETS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_LOOKED_AT = 20  # blocks
_MOST_MISREAD = 0.3  # share of the words with other letters than a to z
_OTHER = re.compile(r"\w*[^\x00-\x7f]\w*")
# How such words look if they were written in another encoding: `Andr‚e` (DOS), `FranÐois` (Mac), `Èâàíîâ` (Cyrillic).
_MISREAD = re.compile(r"\w*[^\w\s’‘“”–—·´°ºª\x00-\x7f]\w+|[À-ÿŒœŠšŽžŸ]{4,}|\w*[a-z][À-ÞŒŠŽŸ]\w*")


def encoding_of(source: Path) -> str:
    try:
        with source.open("rb") as file:
            start = file.read(_BLOCK)
            if start.startswith(_SPREADSHEETS):
                raise SettingsError(f"{source}: is a spreadsheet; save it as CSV in UTF-8, with dates as YYYY-MM-DD")
            if start.startswith(_WIDE) and not start.startswith(codecs.BOM_UTF32_LE):
                return "utf-16"
            if b"\0" in start or not (_is_utf8(file) or _is_western(file)):
                raise unknown_encoding(source)
            return "utf-8-sig" if _is_utf8(file) else "cp1252"
    except OSError as error:
        raise SettingsError(f"{source}: cannot be read: {os.strerror(error.errno or 0)}") from None


def unknown_encoding(source: Path) -> SettingsError:
    return SettingsError(f"{source}: is not text in UTF-8, UTF-16 or Windows-1252; save it as UTF-8")


def _is_utf8(file: BinaryIO) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for block in _blocks(file):
            decoder.decode(block)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _is_western(file: BinaryIO) -> bool:
    """Whether what is read as Windows-1252 looks like words."""
    words = misread = 0
    for _, block in zip(range(_LOOKED_AT), _blocks(file), strict=False):
        for word in _OTHER.findall(block.decode("cp1252", "replace")):
            words += 1
            misread += _MISREAD.fullmatch(word) is not None
    return misread <= _MOST_MISREAD * words


def _blocks(file: BinaryIO) -> Iterator[bytes]:
    file.seek(0)
    while block := file.read(_BLOCK):
        yield block
