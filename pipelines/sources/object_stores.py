"""A store, or what is below a prefix of it -> FileRefs, as lazily as the store lists them."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain

from core.errors import SourceError
from core.records import FileRef
from core.settings import SourceSettings
from extraction.opening.addresses import scheme_of, without_password
from extraction.opening.credentials import PASSWORD_IN_ENV
from extraction.opening.object_store import (
    NO_SETTINGS,
    ObjectError,
    StoredObject,
    join_address,
    split_address,
    store_of,
)
from pipelines.sources.globs import Globs
from pipelines.sources.paths import escape

_ADVICE = "check the address, and that there are credentials that may list it"


@dataclass(slots=True)
class ObjectWalk:
    """The object of that name, and all below it as in a folder; `skipped` counts what was left out."""

    source: str
    globs: Globs = field(default_factory=Globs)
    results: str = ""  # address below which results are written, which are no source
    skipped: Counter[str] = field(default_factory=Counter)
    settings: SourceSettings = NO_SETTINGS

    def __iter__(self) -> Iterator[FileRef]:
        place, prefix = split_address(self.source)
        for stored in _listed(self.source, self.settings):
            address = join_address(place, stored.key)
            relative = stored.key[len(prefix) :].strip("/") or stored.key.rpartition("/")[2]
            if stored.key.endswith("/") and not stored.size:
                self.skipped["folder markers"] += 1
            elif self.results and address.startswith(self.results.rstrip("/") + "/"):
                self.skipped["results of scans"] += 1
            elif _in_folder_left_out(self.globs, relative.rpartition("/")[0]) or self.globs.skips(
                relative, folder=False
            ):
                self.skipped["excluded files"] += 1
            else:
                yield _ref(address, stored, self.source)


def _ref(address: str, stored: StoredObject, source: str) -> FileRef:
    path = address.encode("utf-8", "surrogateescape")
    return FileRef(
        uri=escape(path),
        path=path,
        size=stored.size,
        mtime_ns=stored.mtime_ns,
        owner=stored.owner,
        source=source,
        metadata=stored.metadata,
        fault=stored.fault,
        etag=stored.etag,
        access=stored.access,
    )


def check_objects(source: str, settings: SourceSettings = NO_SETTINGS) -> None:
    """Asks for the first page: what is wrong with an address or its credentials is found before a scan is begun."""
    if without_password(source) != source:
        raise SourceError(
            f"{without_password(source)}: was given with a password, which results would keep; write it without, and"
            f" put the password into sources.credentials_file or {PASSWORD_IN_ENV}"
        )
    scheme = scheme_of(source)
    has_folders = scheme is not None and scheme.folders
    if next(_listed(source, settings), None) is None and split_address(source)[1].strip("/") and not has_folders:
        raise SourceError(f"{source}: no object of that name or below it; {_ADVICE}")


def _listed(source: str, settings: SourceSettings) -> Iterator[StoredObject]:
    place, prefix = split_address(source)
    store = store_of(place, settings)
    try:
        if not prefix or prefix.endswith("/"):
            yield from store.objects(prefix)
            return
        itself = [stored for stored in _first(store.objects(prefix)) if stored.key == prefix]
        yield from chain(itself, store.objects(prefix + "/"))
    except ObjectError as error:
        raise SourceError(f"{source}: cannot be listed: {error}; {_ADVICE}") from None


def _first(objects: Iterator[StoredObject]) -> Iterator[StoredObject]:
    """An object whose key is the whole prefix comes before all others."""
    first = next(objects, None)
    if first is not None:
        yield first


@lru_cache(maxsize=4096)
def _in_folder_left_out(globs: Globs, folder: str) -> bool:
    """A pattern that leaves out a folder leaves out all below it."""
    if not folder:
        return False
    return globs.skips(folder, folder=True) or _in_folder_left_out(globs, folder.rpartition("/")[0])
