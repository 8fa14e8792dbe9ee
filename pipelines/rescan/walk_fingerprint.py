"""What a walk finds -> one hash, which another walk has only where nothing about any file is different."""

import hashlib
import marshal
import stat
from collections.abc import Iterable, Iterator
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING

from pipelines.sources.local import FolderListing
from pipelines.sources.paths import owner_name

if TYPE_CHECKING:
    from core.records import FileRef

_identity_of = itemgetter(stat.ST_MODE, stat.ST_INO, stat.ST_DEV, stat.ST_UID, stat.ST_SIZE)
_owner_in = itemgetter(3)
_time_of = attrgetter("st_mtime_ns")
_FORM = 2  # of marshal, the quickest way from numbers to bytes: in it, equal numbers have equal bytes


class WalkFingerprint:
    """All that decides whether a file is unchanged, and all that its record says of it beside its content."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()
        self._owners: set[int] = set()
        self.files = 0
        self.newest_ns = 0
        self.comparable = True  # nothing but regular files whose access their modes tell

    def tee(self, listings: "Iterable[FolderListing | FileRef]") -> "Iterator[FolderListing | FileRef]":
        for listing in listings:
            self.add(listing)
            yield listing

    def add(self, listing: "FolderListing | FileRef") -> None:
        if not isinstance(listing, FolderListing) or listing.listed is not None:
            self.comparable = False
            return
        numbers, times = list(map(_identity_of, listing.seen)), list(map(_time_of, listing.seen))
        names = "\0".join((listing.source, *listing.names)).encode("utf-8", "surrogateescape")
        for part in (listing.folder, listing.shown, names, marshal.dumps(numbers, _FORM), marshal.dumps(times, _FORM)):
            self._digest.update(len(part).to_bytes(8, "big"))
            self._digest.update(part)
        self._owners.update(map(_owner_in, numbers))
        self.files += len(listing.names)
        self.newest_ns = max(self.newest_ns, max(times))

    @property
    def sha256(self) -> str | None:
        """None where there was anything that is looked at anew by every scan."""
        if not self.comparable:
            return None
        owners = "\0".join(f"{uid}\0{owner_name(uid)}" for uid in sorted(self._owners))
        whole = self._digest.copy()
        whole.update(owners.encode("utf-8", "surrogateescape"))
        return whole.hexdigest()
