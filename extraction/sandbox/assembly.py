"""Frames of an untrusted child -> Documents, checked and bounded."""

import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from core.records import IN_PLACE, Document, FileRef, Origin, Segment, Status
from core.settings import LimitSettings, OcrSettings
from extraction.media_types import UNKNOWN, files_of_a_process
from extraction.member_names import is_label, label
from extraction.sandbox.frames import FrameError, FrameKind
from extraction.sandbox.reasons import OTHER, known_reason

LONGEST_PATH = 120_000
MOST_CRASHES = 24  # of one file: each costs a new process, and an archive may hold many members that crash
LEAST_MEMBER = 512  # bytes that a member takes up in an archive, at least
REPEATED = 4096  # characters that a window shares with the one before, so that no identifier is cut in two
MOST_HANGING = 3  # members of one file: each may use up the time of a file
KILLS = 2  # a file that kills its parser this often has failed
_IDENTITY = re.compile(rb"([a-z0-9]+/[a-z0-9][a-z0-9!#$&^_.+-]{0,126})\0([0-9a-f]{64})?\0([0-9]{1,18})")
_ORIGIN = re.compile(rb"(deleted)?\0([0-9]{0,18})")
_SECTOR = 512  # carved files begin at one
_MOST_DIGITS = 4  # of a media type: no number of a person fits in
_DIGIT = re.compile(rb"[0-9]")
_LONGEST_PLACE = 400
_KEPT = frozenset({Status.COMPLETE, Status.PARTIAL, Status.CONTAINER, Status.ENCRYPTED})
_STATUSES = {status.value: status for status in Status}


@dataclass(slots=True, repr=False)
class _Open:
    """A file or member that has started and not ended."""

    path: str
    size: int = 0
    sha256: str | None = None
    media_type: str = UNKNOWN
    started: float = field(default_factory=time.monotonic)
    segments: list[tuple[str, list[bytes]]] = field(default_factory=list)
    has_members: bool = False
    origin: Origin = IN_PLACE

    @property
    def has_something(self) -> bool:
        return self.has_members or bool(self.segments)


class Assembly:
    """The examination of one file over all attempts at it."""

    def __init__(
        self,
        ref: FileRef,
        limits: LimitSettings,
        size: int,
        own_hash: Callable[[], str | None] = lambda: None,
        ocr: OcrSettings | None = None,
    ) -> None:
        self._ref = ref
        self._limits = limits
        self._size = size
        self._ocr = ocr or OcrSettings()
        self._own_hash = own_hash  # of the file itself; None where only the child can make it
        self._crashes: dict[str, int] = {}
        self._hanging = 0
        self.skip: set[str] = set()
        # By the types in it, as the child named each before it read it: until then nothing can have taken it over.
        self.files_of_a_process = limits.recycle_files
        self._skipped_before = 0  # members that no longer count: those of a source are limited one by one
        self.finished = False
        self._repeated = ""  # the end of the previous window
        self._offset = 0  # characters before `_repeated`
        # A character that cannot be decoded becomes one of three bytes, and no window is smaller than a character.
        self._windows_left = 4 * size + (1 << 20)
        self.restart()

    def restart(self) -> None:
        """Drops whatever has not ended; whatever has ended is in `skip` and will not come again."""
        self._open = [_Open("", self._size)]
        self._open[0].has_members = bool(self.skip)
        self._count_anew()

    def _count_anew(self) -> None:
        self._text_left = self._limits.expanded_bytes
        self._segments_left = 1_000_000

    def take(self, kind: FrameKind, payload: bytes) -> Document | None:
        """Takes one frame; returns a Document if the frame ends one."""
        if self.finished:
            raise FrameError("a frame after the end")
        if kind is FrameKind.TEXT:
            self._take_text(payload)
        elif kind is FrameKind.MORE_TEXT:
            self._take_more_text(payload)
        elif kind is FrameKind.IDENTIFIED:
            self._take_identity(payload)
        elif kind is FrameKind.END:
            return self._take_end(payload)
        elif kind is FrameKind.START:
            self._take_start(payload)
        elif kind is FrameKind.WINDOW:
            return self._take_window()
        else:
            raise FrameError("a frame of an unexpected kind")
        return None

    @property
    def is_between_streamed_members(self) -> bool:
        return self._ref.is_source and len(self._open) == 1 and bool(self.skip)

    @property
    def _most_members(self) -> int:
        return max(self._limits.members, self._limits.streamed_bytes // LEAST_MEMBER)

    def _take_text(self, payload: bytes) -> None:
        where, separator, text = payload.partition(b"\0")
        self._segments_left -= 1
        if not separator or self._segments_left < 0 or len(where) > _LONGEST_PLACE:
            raise FrameError("too many segments, or one without a place")
        self._open[-1].segments.append((label(where.decode("utf-8", "replace")) if where else "", [text]))
        self._count_text(len(text))

    def _take_more_text(self, payload: bytes) -> None:
        segments = self._open[-1].segments
        if not segments:
            raise FrameError("more text without a segment")
        segments[-1][1].append(payload)
        self._count_text(len(payload))

    def _count_text(self, length: int) -> None:
        self._text_left -= length
        if self._text_left < 0:
            raise FrameError("more text than the limit")

    def _take_identity(self, payload: bytes) -> None:
        identity = _IDENTITY.fullmatch(payload)
        if identity is None or len(_DIGIT.findall(identity[1])) > _MOST_DIGITS:
            raise FrameError("an invalid identity")
        media_type, sha256, size = identity.groups()
        of_this_type = files_of_a_process(media_type.decode(), self._limits.recycle_files)
        self.files_of_a_process = min(self.files_of_a_process, of_this_type)
        entry = self._open[-1]
        entry.media_type, entry.sha256, entry.size = media_type.decode(), sha256.decode() if sha256 else None, int(size)

    def _take_start(self, payload: bytes) -> None:
        name, _, origin = payload.partition(b"\0")
        path = name.decode("utf-8", "replace")
        if len(path) > LONGEST_PATH or not is_label(path):
            raise FrameError("a name that cannot be printed")
        self._count_text(len(name))  # as the child counts it
        outer = self._open[-1]
        prefix = f"{outer.path}!" if outer.path else ""
        counted = len(self.skip) - self._skipped_before + len(self._open)
        too_many = (
            counted > self._limits.members + 1
            or len(self.skip) > self._most_members
            or len(self._open) > self._limits.depth + 2
        )
        if self._repeated or too_many or path in self.skip or not path.startswith(prefix) or len(path) == len(prefix):
            raise FrameError("an impossible member")
        outer.has_members = True
        own = _origin(origin)
        self._open.append(_Open(path, origin=outer.origin if own == IN_PLACE else own))

    def _take_window(self) -> Document:
        entry = self._open[-1]
        if entry.path or entry.has_members or len(entry.segments) != 1:
            raise FrameError("a window of anything but one text")
        self._windows_left -= self._limits.expanded_bytes - self._text_left
        if self._windows_left < 0:
            raise FrameError("more windows than the file has text for")
        self._text_left = self._limits.expanded_bytes
        (where, pieces), entry.segments = entry.segments[0], []
        text = self._repeated + _segment(where, pieces).text
        offset, before = self._offset, len(self._repeated)
        self._repeated = text[-REPEATED:]
        self._offset += len(text) - len(self._repeated)
        if len(text) == before:
            raise FrameError("an empty window")
        return Document(
            self._ref,
            self._ref.uri,
            None,
            entry.size,
            None,
            entry.media_type,
            Status.COMPLETE,
            segments=(Segment(where, text),),
            offset=offset,
            repeated_before=before,
            repeated_after=len(self._repeated),
        )

    def _take_end(self, payload: bytes) -> Document:
        status, separator, reason = payload.decode("utf-8", "replace").partition("\0")
        if not separator or status not in _STATUSES:
            raise FrameError("an end with an unknown status")
        document = self._close(_STATUSES[status], self._known(reason))
        self.finished = not self._open
        if self.is_between_streamed_members:
            self._skipped_before = len(self.skip)
            self._count_anew()
        return document

    def _known(self, reason: str) -> str:
        """The type that a reason names is in the record anyway."""
        media_type = self._open[-1].media_type
        known = known_reason(reason.removesuffix(media_type), self._limits, self._ocr)
        return known + media_type if known != OTHER and reason.endswith(media_type) else known

    def _close(self, status: Status, reason: str) -> Document:
        entry = self._open.pop()
        if entry.path:
            self.skip.add(entry.path)
        segments = tuple([_segment(where, pieces) for where, pieces in entry.segments]) if status in _KEPT else ()
        if self._repeated:
            segments = (Segment("", self._repeated + "".join(segment.text for segment in segments)),)
        if not entry.path and entry.sha256 is not None:
            entry.sha256 = self._own_hash() or entry.sha256
        uri = f"{self._ref.uri}!{entry.path}" if entry.path else self._ref.uri
        container = self._uri_of_container() if entry.path else None
        return Document(
            self._ref,
            uri,
            container,
            entry.size,
            entry.sha256,
            entry.media_type,
            status,
            reason,
            segments,
            self._offset,
            len(self._repeated),
            origin=entry.origin,
        )

    def _uri_of_container(self) -> str:
        outer = self._open[-1].path
        return f"{self._ref.uri}!{outer}" if outer else self._ref.uri

    def time_out(self) -> Iterator[Document]:
        """Keeps what has come so far: with text the file is partial, without it has failed.

        A member that used up more than half of the time is given up alone; its siblings get the time of a file anew.
        """
        entry = self._open[-1]
        reason = f"timed out after {self._limits.file_seconds:g} s"
        is_hanging = time.monotonic() - entry.started > self._limits.file_seconds / 2
        if not entry.path or not is_hanging or self._hanging >= MOST_HANGING:
            yield from self._give_up(reason)
            return
        self._hanging += 1
        yield self._close(Status.PARTIAL if entry.has_something else Status.FAILED, reason)
        self.restart()

    def crash(self, how: str) -> Iterator[Document]:
        """Blames the innermost open member: one crash is bad luck, two are its fault."""
        blamed = self._open[-1].path
        self._crashes[blamed] = self._crashes.get(blamed, 0) + 1
        if self._repeated:  # earlier windows were handed out and cannot come again
            yield from self._give_up(f"crashed the parser ({how})")
        elif sum(self._crashes.values()) >= MOST_CRASHES:
            yield from self._give_up("crashed the parser too often")
        elif self._crashes[blamed] < KILLS:
            self.restart()
        else:
            yield self._close(Status.FAILED, f"crashed the parser ({how})")
            self.finished = not blamed
            if not self.finished:
                self.restart()

    def _give_up(self, reason: str) -> Iterator[Document]:
        while self._open:
            something = bool(self._repeated) or self._open[-1].has_something
            yield self._close(Status.PARTIAL if something else Status.FAILED, reason)
        self.finished = True


def _segment(where: str, pieces: list[bytes]) -> Segment:
    return Segment(where, (pieces[0] if len(pieces) == 1 else b"".join(pieces)).decode("utf-8", "replace"))


def _origin(payload: bytes) -> Origin:
    parts = _ORIGIN.fullmatch(payload)
    if parts is None:
        raise FrameError("an invalid origin")
    carved_at = int(parts[2]) if parts[2] else None
    if carved_at is not None and carved_at % _SECTOR:
        raise FrameError("an impossible origin")
    return Origin(bool(parts[1]), carved_at)
