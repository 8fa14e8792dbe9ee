"""Compiled help file (CHM) -> its pages and pictures as members."""

from collections.abc import Iterator
from functools import partial

from extraction.content import Content
from extraction.format import Member
from extraction.identify.programs import HELP
from extraction.limits.budget import Budget
from extraction.readers.archives.compiled_help import HelpEntry, HelpFile
from extraction.readers.streams.read_member import read_member

MEDIA_TYPES = frozenset({HELP})
IS_ARCHIVE = True


def extract(content: Content, budget: Budget) -> Iterator[Member]:
    help_file = HelpFile(content.data)
    for entry in help_file.entries:
        name = entry.name.lstrip("/")
        yield Member(name, partial(_open, help_file, entry, name, budget), entry.length)


def _open(help_file: HelpFile, entry: HelpEntry, name: str, budget: Budget) -> Content:
    return read_member(_Entry(help_file, entry), name, budget)


class _Entry:
    def __init__(self, help_file: HelpFile, entry: HelpEntry) -> None:
        self._file, self._entry = help_file, entry
        self._place = 0

    def read(self, count: int, /) -> bytes:
        piece = self._file.read(self._entry, self._place)[:count]
        self._place += len(piece)
        return piece
