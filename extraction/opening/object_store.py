"""The address of an object, such as `s3://bucket/key` -> the store that holds it, and its key there."""

import importlib
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from core.errors import SourceError
from extraction.opening.addresses import SCHEMES

_stores: dict[tuple[int, str], "Store"] = {}
_making = threading.Lock()


class ObjectError(Exception):
    """Why an object, or a listing, cannot be read, in the words that records use."""


@dataclass(frozen=True, slots=True)
class StoredObject:
    """An object as its store lists it."""

    key: str
    size: int
    mtime_ns: int
    etag: str = ""
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A range of an object: the size of the whole object, the requested bytes as they arrive, and their version."""

    size: int
    chunks: Iterator[bytes]
    version: str = ""


class Store(Protocol):
    """A bucket or container. Both methods raise ObjectError, `fetch` also while its chunks are read.

    Threads may share a store, processes may not.
    """

    def objects(self, prefix: str) -> Iterator[StoredObject]:
        """In the order of their keys, page by page."""

    def fetch(self, key: str, most: int, start: int = 0, version: str = "") -> Fetched:
        """All bytes are of one version, the given one if any; requests at most `most` bytes."""


def split_address(address: str) -> tuple[str, str]:
    """The address of the store, and the key in it, verbatim: keys may contain any character."""
    name, _, rest = address.partition("://")
    scheme = SCHEMES[name]
    parts = rest.split("/", scheme.store_names)
    store, key = parts[: scheme.store_names], parts[scheme.store_names :]
    if len(store) < scheme.store_names or not all(store):
        raise SourceError(f"{address}: not of the form {scheme.form}")
    return f"{name}://{'/'.join(store)}", key[0] if key else ""


def store_of(place: str) -> Store:
    """One per process and store: a forked process must not share connections with its parent."""
    with _making:
        mine = os.getpid(), place
        if mine not in _stores:
            _stores[mine] = _make(place)
        return _stores[mine]


def _make(place: str) -> Store:
    scheme, _, name = place.partition("://")
    try:
        module = importlib.import_module(SCHEMES[scheme].module)
    except ImportError:
        raise SourceError(
            f"{place}: needs a library that is not installed; pip install 'leakscreen[{SCHEMES[scheme].extra}]'"
        ) from None
    try:
        store: Store = module.open_store(name)
    except ObjectError as error:
        raise SourceError(f"{place}: cannot be used: {error}") from None
    return store
