"""The address of an object, such as `s3://bucket/key` -> the store that holds it, and its key there.

Every source that is not a local path is a store: a bucket, a share of a file server, a mailbox, a database.
"""

import importlib
import os
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from core.errors import SourceError
from core.settings import SourceSettings
from extraction.opening.addresses import SCHEMES, without_password

NO_SETTINGS = SourceSettings()
TOO_BUSY = "the server cannot be reached (it has too much to do)"
UNREACHABLE = ("the store cannot be reached", "the server cannot be reached")
_stores: dict[tuple[int, str, SourceSettings], "Store"] = {}
_making = threading.Lock()


class ObjectError(Exception):
    """Why an object, or a listing, cannot be read, in the words that records use."""

    @property
    def is_passing(self) -> bool:
        """Whether a second try may do better: a connection that broke in the middle."""
        return str(self).startswith(UNREACHABLE)

    @property
    def is_too_busy(self) -> bool:
        return str(self) == TOO_BUSY


@dataclass(frozen=True, slots=True)
class StoredObject:
    """An object as its store lists it, without its content.

    A name that is not UTF-8 has its bytes as surrogates, as in names of the operating system.
    """

    key: str
    size: int
    mtime_ns: int
    etag: str = ""  # identity: with the same key, size and time, the same etag means the same content
    owner: str = ""
    access: str = ""  # who may read it, beginning with a word of access_words.py
    fault: str = ""  # why the listing already knows that it, or the folder of that name, cannot be read
    metadata: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Fetched:
    """A range of an object: the size of the whole object, the requested bytes as they arrive, and their version."""

    size: int
    chunks: Iterator[bytes]
    version: str = ""


class Store(Protocol):
    """A bucket, a share, a mailbox, a repository, a database: what can be listed and read, and nothing else.

    `objects` lists, with what is known of each (size, time, identity, owner, access); `fetch` opens one, by ranges.
    Both raise ObjectError, `fetch` also while its chunks are read. Threads may share a store, processes may not.
    """

    def objects(self, prefix: str) -> Iterator[StoredObject]:
        """Page by page. A prefix that is empty or ends in `/`: everything below it; any other: at first the object
        of that very name, if there is one. A store without folders may go on with all keys that begin so, in order.
        """

    def close(self) -> None:
        """Ends its connections and threads; nobody uses it afterwards."""

    def fetch(self, key: str, most: int, start: int = 0, version: str = "") -> Fetched:
        """All bytes are of one version, the given one if any; requests at most `most` bytes."""


def split_address(address: str) -> tuple[str, str]:
    """The address of the store, and the key in it, verbatim: keys may contain any character."""
    name, _, rest = address.partition("://")
    scheme = SCHEMES[name]
    if scheme.mark:
        store, _, key = rest.partition(scheme.mark)
        if not store.strip("/"):
            raise SourceError(f"{without_password(address)}: not of the form {scheme.form}")
        return f"{name}://{store.rstrip('/')}", key
    parts = rest.split("/", scheme.store_names)
    names, keys = parts[: scheme.store_names], parts[scheme.store_names :]
    if len(names) < scheme.store_names or not all(names):
        raise SourceError(f"{without_password(address)}: not of the form {scheme.form}")
    return f"{name}://{'/'.join(names)}", keys[0] if keys else ""


def join_address(place: str, key: str) -> str:
    """The inverse of split_address."""
    return f"{place}{SCHEMES[place.partition('://')[0]].mark or '/'}{key}"


def store_of(place: str, settings: SourceSettings = NO_SETTINGS) -> Store:
    """One per process and store: a forked process must not share connections with its parent."""
    with _making:
        mine = os.getpid(), place, settings
        if mine not in _stores:
            _stores[mine] = _make(place, settings)
        return _stores[mine]


def close_stores() -> None:
    """Before processes are forked: they must not start among the threads of a client."""
    with _making:
        for mine in [mine for mine in _stores if mine[0] == os.getpid()]:
            _stores.pop(mine).close()


def _make(place: str, settings: SourceSettings) -> Store:
    scheme = SCHEMES[place.partition("://")[0]]
    try:
        module = importlib.import_module(scheme.module)
    except ImportError:
        raise SourceError(
            f"{place}: needs a library that is not installed; pip install 'leakscreen[{scheme.extra}]'"
        ) from None
    try:
        store: Store = module.open_store(place, settings)
    except ObjectError as error:
        raise SourceError(f"{place}: cannot be used: {error}") from None
    return store
