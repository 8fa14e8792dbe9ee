"""What a walk finds -> one hash, which another walk has only where nothing about any file is different."""

import hashlib
import marshal
import stat
from collections.abc import Iterable, Iterator
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING

from pipelines.sources.local import Found, owner_name

if TYPE_CHECKING:
    from core.records import FileRef

_told_of = itemgetter(stat.ST_MODE, stat.ST_INO, stat.ST_DEV, stat.ST_UID, stat.ST_SIZE)
_owner_in = itemgetter(3)
_time_of = attrgetter("st_mtime_ns")
_FORM = 2  # of marshal, the quickest way from numbers to bytes: in it, equal numbers have equal bytes


class Seen:
    """All that decides whether a file is unchanged, and all that its record says of it beside its content."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()
        self._owners: set[int] = set()
        self.files = 0
        self.newest_ns = 0
        self.plain = True  # nothing but regular files whose access their modes tell

    def passing(self, pieces: "Iterable[Found | FileRef]") -> "Iterator[Found | FileRef]":
        for piece in pieces:
            self.add(piece)
            yield piece

    def add(self, piece: "Found | FileRef") -> None:
        if not isinstance(piece, Found) or piece.listed is not None:
            self.plain = False
            return
        numbers, times = list(map(_told_of, piece.seen)), list(map(_time_of, piece.seen))
        names = "\0".join((piece.source, *piece.names)).encode("utf-8", "surrogateescape")
        for part in (piece.folder, piece.shown, names, marshal.dumps(numbers, _FORM), marshal.dumps(times, _FORM)):
            self._digest.update(len(part).to_bytes(8, "big"))
            self._digest.update(part)
        self._owners.update(map(_owner_in, numbers))
        self.files += len(piece.names)
        self.newest_ns = max(self.newest_ns, max(times))

    @property
    def sha256(self) -> str | None:
        """None where there was anything that is looked at anew by every scan."""
        if not self.plain:
            return None
        owners = "\0".join(f"{uid}\0{owner_name(uid)}" for uid in sorted(self._owners))
        whole = self._digest.copy()
        whole.update(owners.encode("utf-8", "surrogateescape"))
        return whole.hexdigest()
