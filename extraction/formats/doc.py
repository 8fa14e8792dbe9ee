"""Word 6 to 2003 document -> the text of all its parts and its properties; files and pictures as members."""

import struct
from collections.abc import Iterator

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.formats.binary import extract as extract_strings
from extraction.identify.identify import identify
from extraction.limits.budget import Budget
from extraction.readers.ole.compound import Compound, DamagedError
from extraction.readers.ole.embedded import embedded_objects
from extraction.readers.ole.other_streams import other_streams
from extraction.readers.ole.property_set import summary
from extraction.readers.ole.unlocked import unlocked
from extraction.readers.pictures.blips import office_pictures
from extraction.readers.text.decode import clean
from extraction.readers.word.characters import readable
from extraction.readers.word.pieces import LockedError, WordFile, open_word, part_texts

MEDIA_TYPES = frozenset({"application/msword"})
IS_ARCHIVE = False

_COMMENT_AUTHORS, _CHANGE_AUTHORS, _SAVED_BY = 0x1BA, 0x232, 0x2D2
_LONG_TABLE = b"\xff\xff"
_LOCKED_PROPERTIES = "encryption"


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    try:
        compound = Compound(content, budget)
    except DamagedError:
        yield from extract_strings(content, budget)
        return
    try:
        word = open_word(compound)
    except LockedError:
        opened = unlocked(content, budget.passwords, budget)
        if opened is None:
            raise StoppedError(Status.ENCRYPTED, "password-protected Word document") from None
        compound, word = opened, open_word(opened)
    for part, text in part_texts(word, budget):
        yield Segment(part, readable(text))
    authors = dict.fromkeys(name for name in _people(word) if name.strip())
    if authors:
        yield Segment("authors", clean("\n".join(authors)))
    yield from summary(compound)
    yield from embedded_objects(compound, budget, "ObjectPool")
    yield from office_pictures(compound.read("Data"), budget)
    yield from other_streams(compound, budget, identify)
    compound.finish()
    if compound.has(_LOCKED_PROPERTIES):
        raise StoppedError(Status.PARTIAL, "properties of a password-protected document")


def _people(word: WordFile) -> Iterator[str]:
    """Who commented, who changed and who saved it where: separate tables since Word 97."""
    if word.is_8:
        yield from _strings(_table(word, _COMMENT_AUTHORS))
        for place in (_CHANGE_AUTHORS, _SAVED_BY):
            table = _table(word, place)
            if table[:2] == _LONG_TABLE:
                yield from _strings(table[6:])


def _table(word: WordFile, place: int) -> bytes:
    if len(word.main) < place + 8:
        return b""
    start, size = struct.unpack_from("<II", word.main, place)
    return word.table[start : start + size]


def _strings(data: bytes) -> Iterator[str]:
    place = 0
    while place + 2 <= len(data):
        length = int.from_bytes(data[place : place + 2], "little")
        yield data[place + 2 : place + 2 + length * 2].decode("utf-16-le", "replace")
        place += 2 + length * 2
