"""A prefix of an object store -> FileRefs, as lazily as the store lists them."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain

from core.errors import SourceError
from core.records import FileRef
from extraction.opening.object_store import ObjectError, StoredObject, split_address, store_of
from pipelines.sources.globs import Globs

_ADVICE = "check the address, and that the environment holds credentials that may list it"


@dataclass(slots=True)
class ObjectWalk:
    """The object of that name, and all below it as in a folder; `skipped` counts what was left out."""

    source: str
    globs: Globs = field(default_factory=Globs)
    results: str = ""  # address below which results are written, which are no source
    skipped: Counter[str] = field(default_factory=Counter)

    def __iter__(self) -> Iterator[FileRef]:
        place, prefix = split_address(self.source)
        for stored in _listed(self.source):
            address = f"{place}/{stored.key}"
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
                yield FileRef(
                    uri=address,
                    path=address.encode(),
                    size=stored.size,
                    mtime_ns=stored.mtime_ns,
                    owner=stored.owner,
                    source=self.source,
                    etag=stored.etag,
                )


def check_objects(source: str) -> None:
    """Asks for the first page: what is wrong with an address or its credentials is found before a scan is begun."""
    if next(_listed(source), None) is None and split_address(source)[1].strip("/"):
        raise SourceError(f"{source}: no object of that name or below it; {_ADVICE}")


def _listed(source: str) -> Iterator[StoredObject]:
    place, prefix = split_address(source)
    store = store_of(place)
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
