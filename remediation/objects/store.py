"""An object's address -> a store that can also write: only where the object is still the version that was seen."""

import hashlib
import importlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, BinaryIO, Protocol

from core.errors import SourceError
from extraction.opening.object_store import Fetched, ObjectError, split_address
from remediation.action import LeftAloneError, UnreachableError

_MODULES = {"s3": "remediation.objects.s3", "gs": "remediation.objects.gcs", "azfs": "remediation.objects.azure"}
_WHOLE = 1 << 50
LARGEST = 5_000_000_000  # what stores take in one request, and what comes back in one


class VersionChangedError(Exception):
    """The object is no longer the version that the request was held to."""


@dataclass(frozen=True, slots=True)
class Described:
    """What is kept of an object beside its bytes."""

    content_type: str = ""
    metadata: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {"content_type": self.content_type, "metadata": self.metadata, "tags": self.tags}


class WritableStore(Protocol):
    """Methods raise ObjectError, and VersionChangedError where a condition does not hold."""

    def fetch(self, key: str, most: int, start: int = 0, version: str = "") -> Fetched: ...

    def describe(self, key: str) -> Described: ...

    def put(self, key: str, content: BinaryIO, described: Described, version: str) -> None:
        """Only if the object is of this version; an empty one means that there must be none."""
        ...

    def delete(self, key: str, version: str) -> None: ...

    def set_label(self, key: str, label: str | None, version: str) -> None:
        """None removes it; other tags stay."""
        ...

    def keeps_versions(self, key: str) -> bool:
        """Whether what is replaced or deleted stays in the store as an older version."""
        ...


@dataclass(frozen=True, slots=True)
class StoredPlace:
    """A key in a store."""

    store: WritableStore
    key: str

    def open(self) -> tuple[str, Iterator[bytes]] | None:
        """The version and the bytes of the object; None where there is none."""
        try:
            fetched = self.store.fetch(self.key, _WHOLE)
        except ObjectError as error:
            if str(error) == "vanished":
                return None
            raise UnreachableError(f"the store: {error}") from None
        if fetched.size > LARGEST:
            raise LeftAloneError(f"it is larger than {LARGEST:,} bytes, which no store takes back in one request")
        return fetched.version, fetched.chunks

    def now(self) -> tuple[str, str] | None:
        """Version and hash of what is there."""
        opened = self.open()
        if opened is None:
            return None
        digest = hashlib.sha256()
        try:
            for chunk in opened[1]:
                digest.update(chunk)
        except ObjectError as error:
            raise UnreachableError(f"the store: {error}") from None
        return opened[0], digest.hexdigest()

    def put(self, chunks: Iterator[bytes], described: Described, version: str) -> None:
        """The bytes wait in memory that has no name: nothing of them is written to a disk."""
        with _in_memory(chunks) as content, _explained():
            self.store.put(self.key, content, described, version)

    def delete(self, version: str) -> None:
        with _explained():
            self.store.delete(self.key, version)

    def set_label(self, label: str | None, version: str) -> None:
        with _explained():
            self.store.set_label(self.key, label, version)

    def describe(self) -> Described:
        with _explained():
            return self.store.describe(self.key)


@contextmanager
def _in_memory(chunks: Iterator[bytes]) -> Iterator[BinaryIO]:
    with os.fdopen(os.memfd_create("object", os.MFD_CLOEXEC), "w+b") as content:
        for chunk in chunks:
            content.write(chunk)
        content.seek(0)
        yield content


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except VersionChangedError:
        raise LeftAloneError("it changed in the store meanwhile") from None
    except ObjectError as error:
        raise UnreachableError(f"the store: {error}") from None


def stored_place(uri: str) -> StoredPlace:
    try:
        place, key = split_address(uri)
        return StoredPlace(_store_of(os.getpid(), place), key)
    except ImportError:
        raise UnreachableError("the library of this store is not installed") from None
    except (SourceError, ObjectError) as error:
        raise UnreachableError(f"the store cannot be used: {error}") from None


@lru_cache(maxsize=16)
def _store_of(process: int, place: str) -> WritableStore:
    """One per process: a forked one must not share connections with its parent."""
    scheme, _, name = place.partition("://")
    if scheme not in _MODULES:
        raise LeftAloneError(f"files of {scheme}:// can be scanned, but not acted on; act on the server itself")
    store: WritableStore = importlib.import_module(_MODULES[scheme]).open_store(name)
    return store
