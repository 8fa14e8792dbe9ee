"""OLE compound file -> its streams and storages, within the budget of the whole file."""

import io
import struct
from collections.abc import Iterator

import olefile

from core.records import Status
from extraction.content import Content
from extraction.format import StoppedError, fault_of
from extraction.limits.budget import Budget
from extraction.readers.ole.compound_writer import write_compound

Path = tuple[str, ...]
_LAST_SECTOR = 0xFFFFFFFA  # numbers from here on are special values


class DamagedError(Exception):
    """The directory of a compound file cannot be read; the message becomes the record's reason."""


class Compound:
    """Names are compared without case; `within` looks at one storage as if it were the whole file."""

    def __init__(self, content: Content, budget: Budget) -> None:
        try:
            self._file = olefile.OleFileIO(content.file())
            listed = self._file.listdir(streams=True, storages=False)
        except (OSError, ValueError, IndexError, RecursionError, struct.error, TypeError, AttributeError) as error:
            raise DamagedError(fault_of(error)) from None
        self._budget = budget
        self.fault = "corrupt (truncated)" if self._is_cut() else ""
        self._taken: set[Path] = set()
        self._paths: dict[Path, Path] = {}
        for entry in listed:
            self._paths[tuple(name.lower() for name in entry)] = tuple(entry)

    def _is_cut(self) -> bool:
        """Whether a chain of sectors continues beyond the end of the file."""
        sectors = self._file.nb_sect
        return any(sectors <= following < _LAST_SECTOR for following in self._file.fat)

    def has(self, *path: str) -> bool:
        return tuple(name.lower() for name in path) in self._paths

    def read(self, *path: str) -> bytes:
        """A stream that is missing is empty."""
        own = self._paths.get(tuple(name.lower() for name in path))
        return b"" if own is None else self._read(own)

    def _read(self, path: Path) -> bytes:
        """Reads as much as a broken chain of sectors still yields."""
        self._taken.add(path)
        size = int(self._file.get_size(list(path)))
        try:
            with self._file.openstream(list(path)) as stream:
                data = bytes(stream.read(self._budget.limits.member_bytes))
        except OSError as error:
            self.fault = self.fault or fault_of(error)
            return b""
        if len(data) < size:
            too_long = len(data) >= self._budget.limits.member_bytes
            self.fault = self.fault or (self._budget.member_reason if too_long else "corrupt (truncated)")
        self._budget.expand(len(data))
        return data

    def finish(self) -> None:
        """Raises at the end if something was missing, after everything readable was read."""
        if self.fault:
            raise StoppedError(Status.PARTIAL, self.fault)

    def paths(self, *storage: str) -> Iterator[Path]:
        """The streams under a storage, in the order of the directory."""
        folded = tuple(name.lower() for name in storage)
        for low, path in self._paths.items():
            if low[: len(folded)] == folded and len(low) > len(folded):
                yield path

    def untaken(self) -> list[Path]:
        """The streams that nobody has read."""
        return [path for path in self._paths.values() if path not in self._taken]

    def leave(self, *storage: str) -> None:
        """Says that a stream, or all below a storage, will be read."""
        folded = tuple(name.lower() for name in storage)
        self._taken.update(path for low, path in self._paths.items() if low[: len(folded)] == folded)

    def storages(self, *storage: str) -> list[Path]:
        """The storages right below a storage that hold a stream of their own."""
        level = len(storage) + 1
        return list(dict.fromkeys(path[:level] for path in self.paths(*storage) if len(path) > level))

    def within(self, storage: Path) -> bytes:
        """A storage as a separate compound file."""
        streams = {path[len(storage) :]: self._read(path) for path in self.paths(*storage)}
        return write_compound(streams)


def compound_of(data: bytes, budget: Budget) -> Compound:
    return Compound(Content(data, len(data)), budget)


def is_compound(data: bytes) -> bool:
    return bool(olefile.isOleFile(io.BytesIO(data))) if len(data) >= olefile.MINIMAL_OLEFILE_SIZE else False
