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
    """An object as its store's listing tells of it."""

    key: str
    size: int
    mtime_ns: int
    etag: str = ""
    owner: str = ""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A part of an object: how large all of it is, the bytes that were asked for, as they come, and which version they are of."""

    size: int
    chunks: Iterator[bytes]
    version: str = ""


class Store(Protocol):
    """A bucket or container. Both raise ObjectError, the second also while its chunks are read; threads may share it, processes may not."""

    def objects(self, prefix: str) -> Iterator[StoredObject]:
        """In the order of their keys, page by page."""

    def fetch(self, key: str, most: int, start: int = 0, version: str = "") -> Fetched:
        """All bytes of one version: of the one that is named, where one is; no more than `most` bytes are asked for."""


def split_address(address: str) -> tuple[str, str]:
    """The place that is a store, and the key in it: verbatim, since keys may hold any character."""
    name, _, rest = address.partition("://")
    scheme = SCHEMES[name]
    parts = rest.split("/", scheme.store_names)
    store, key = parts[: scheme.store_names], parts[scheme.store_names :]
    if len(store) < scheme.store_names or not all(store):
        raise SourceError(f"{address}: not of the form {scheme.form}")
    return f"{name}://{'/'.join(store)}", key[0] if key else ""


def store_of(place: str) -> Store:
    """One a process and place: connections must not be shared with a process that was forked since."""
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
