"""OLE compound file -> its streams and storages, within the budget of the whole file."""

import io
from collections.abc import Iterator

import olefile

from extraction.budget import Budget
from extraction.compound_writer import write_compound
from extraction.content import Content

Path = tuple[str, ...]


class Compound:
    """Names are compared without case; `within` looks at one storage as if it were the whole file."""

    def __init__(self, content: Content, budget: Budget) -> None:
        self._file = olefile.OleFileIO(content.file())
        self._budget = budget
        self._paths: dict[Path, Path] = {}
        for entry in self._file.listdir(streams=True, storages=False):
            self._paths[tuple(name.lower() for name in entry)] = tuple(entry)

    def has(self, *path: str) -> bool:
        return tuple(name.lower() for name in path) in self._paths

    def read(self, *path: str) -> bytes:
        """A stream that is missing is empty."""
        own = self._paths.get(tuple(name.lower() for name in path))
        return b"" if own is None else self._read(own)

    def _read(self, path: Path) -> bytes:
        with self._file.openstream(list(path)) as stream:
            data = bytes(stream.read(self._budget.limits.member_bytes))
        self._budget.expand(len(data))
        return data

    def paths(self, *storage: str) -> Iterator[Path]:
        """The streams under a storage, in the order of the directory."""
        folded = tuple(name.lower() for name in storage)
        for low, path in self._paths.items():
            if low[: len(folded)] == folded and len(low) > len(folded):
                yield path

    def storages(self, *storage: str) -> list[Path]:
        """The storages right below a storage that hold a stream of their own."""
        level = len(storage) + 1
        return list(dict.fromkeys(path[:level] for path in self.paths(*storage) if len(path) > level))

    def within(self, storage: Path) -> bytes:
        """A storage as a compound file of its own."""
        streams = {path[len(storage) :]: self._read(path) for path in self.paths(*storage)}
        return write_compound(streams)


def compound_of(data: bytes, budget: Budget) -> Compound:
    return Compound(Content(data, len(data)), budget)


def is_compound(data: bytes) -> bool:
    return bool(olefile.isOleFile(io.BytesIO(data))) if len(data) >= olefile.MINIMAL_OLEFILE_SIZE else False
