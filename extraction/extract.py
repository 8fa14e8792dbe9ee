"""Content -> the text of a file and of its members, to any depth, each ending in exactly one status."""

import itertools
import os
from collections.abc import Collection, Iterator
from typing import Protocol

from core.records import IN_PLACE, Origin, Segment, Status
from core.settings import LimitSettings
from extraction.content import Content
from extraction.format import Format, Member, Piece, StoppedError, WindowEnd, fault_of
from extraction.hidden.pieces import appended, with_decoded, without_decoded
from extraction.identify.identify import identify, is_text
from extraction.limits.budget import Budget, LimitError
from extraction.limits.cpu_time import ProcessorTime
from extraction.media_types import UNKNOWN
from extraction.member_names import UniqueNames
from extraction.ocr.reader import Ocr
from extraction.readers.text.decode import clean
from extraction.registry import Registry, is_without_text

NESTING = "!"


class Sink(Protocol):
    """Where the text goes: a socket in the sandbox, a list elsewhere. Members start and end within their container."""

    def start(self, path: str, origin: Origin = IN_PLACE) -> None: ...

    def identified(self, media_type: str, sha256: str | None, size: int) -> None: ...

    def text(self, where: str, encoded: bytes) -> None: ...

    def window(self) -> None: ...

    def end(self, status: Status, reason: str) -> None: ...


class Extraction:
    """The examination of one file; `skip` names members whose records exist already or that killed a parser."""

    def __init__(
        self,
        registry: Registry,
        limits: LimitSettings,
        sink: Sink,
        skip: Collection[str] = (),
        ocr: Ocr | None = None,
        time: ProcessorTime | None = None,
        *,
        is_source: bool = False,
        passwords: tuple[str, ...] = (),
        page: int = 0,
    ) -> None:
        self._registry = registry
        self._limits = limits
        self._sink = sink
        self._skip = skip
        self._budget = Budget(limits, ocr, passwords)
        self._time = time or ProcessorTime()
        self._is_source = is_source
        self._page = page  # to draw, of whatever can be drawn; 0: it is read

    def examine(self, content: Content) -> None:
        self._budget.file_bytes = content.size
        self._time.begin(self._budget)
        try:
            self._examine(content, "", 0)
        finally:
            self._time.end()

    def _examine(self, content: Content, path: str, depth: int) -> None:
        """Ends the content that the sink started last."""
        media_type = identify(content.data)
        self._sink.identified(media_type, content.sha256, content.size)
        extractor = self._registry.find(media_type)
        note = ""
        if extractor is None:
            note = f"no text extractor for {media_type}"
            if is_text(content.data):
                extractor, note = self._registry.text, f"read as plain text: {note}"
            elif is_without_text(media_type):
                self._sink.end(Status.UNSUPPORTED, note)
                return
            else:
                extractor = self._registry.binary
        if content.descriptor is not None and getattr(extractor, "PLAIN_BEYOND_LIMIT", False):
            extractor = self._registry.text
        if depth == 0 and self._is_source and getattr(extractor, "STREAMED", False):
            self._stream(content)
        status, reason = self._send_pieces(
            self._pieces(extractor, content, media_type), extractor, content, path, depth
        )
        if content.descriptor is not None and content.sha256 is not None:
            self._sink.identified(media_type, content.sha256, content.size)
        if note and status is Status.COMPLETE:
            status, reason = Status.PARTIAL, note
        self._sink.end(status, reason)

    def _stream(self, content: Content) -> None:
        self._budget.stream()
        content.allowance = self._limits.streamed_bytes
        # An object that is not in memory as a whole keeps its fault: no more of it was fetched.
        if content.fault and content.descriptor is not None and os.fstat(content.descriptor).st_size >= content.size:
            content.fault = self._budget.streamed_reason

    def _pieces(self, extractor: Format, content: Content, media_type: str) -> Iterator[Piece]:
        """What lies behind the end comes first: the reader of the rest may stop early."""
        draw = getattr(extractor, "draw", None) if self._page else None
        if draw is not None:
            yield draw(content, self._budget, self._page)
            return
        pieces = extractor.extract(content, self._budget)
        if content.descriptor is not None and extractor is self._registry.text:
            yield from without_decoded(pieces)
        else:
            behind = appended(media_type, content, self._budget)
            yield from with_decoded(itertools.chain(behind, pieces), self._budget)

    def _send_pieces(
        self, pieces: Iterator[Piece], extractor: Format, content: Content, path: str, depth: int
    ) -> tuple[Status, str]:
        names = UniqueNames()
        has_output = False
        try:
            while (piece := self._time.interruptible(lambda: next(pieces, None))) is not None:
                if isinstance(piece, Segment):
                    has_output = self._send_text(piece) or has_output
                elif isinstance(piece, WindowEnd):
                    self._sink.window()
                    self._budget.text_left = self._limits.expanded_bytes
                else:
                    if extractor.IS_ARCHIVE:
                        self._budget.pictures.forget_surroundings()
                    self._open(piece, names, path, depth, content)
                    has_output = True
        except StoppedError as stopped:
            if stopped.status is Status.PARTIAL or (has_output and stopped.status is Status.UNSUPPORTED):
                return _broken(content, stopped.reason, has_output)
            return stopped.status, stopped.reason
        except LimitError as limit:
            return Status.PARTIAL, str(limit)
        except MemoryError:
            return Status.PARTIAL if has_output else Status.FAILED, self._memory_reason
        except BaseException as error:
            return _broken(content, _fault(error), has_output)
        if content.missing:
            return _broken(content, content.missing, has_output)
        return (Status.CONTAINER if extractor.IS_ARCHIVE else Status.COMPLETE), ""

    def _send_text(self, segment: Segment) -> bool:
        budget = self._budget
        try:
            encoded = segment.text.encode()
        except UnicodeEncodeError:
            encoded = clean(segment.text).encode()
        if len(encoded) > budget.text_left:
            encoded = encoded[: budget.text_left].decode("utf-8", "ignore").encode()
            budget.text_left = 0
            self._sink.text(segment.where, encoded)
            raise LimitError(budget.text_reason)
        budget.hand_over(len(encoded))
        budget.pictures.saw(segment.text)
        if encoded:
            self._sink.text(segment.where, encoded)
        return bool(encoded)

    def _open(self, member: Member, names: UniqueNames, path: str, depth: int, outer: Content) -> None:
        budget = self._budget
        if depth > self._limits.depth:
            raise LimitError(budget.depth_reason)
        if depth == 0:
            budget.next_streamed_member()
        budget.add_member()
        name = names.take(member.name)
        own_path = f"{path}{NESTING}{name}" if path else name
        if own_path in self._skip:
            return
        budget.name_member(own_path)
        self._sink.start(own_path, member.origin)
        try:
            content = self._time.interruptible(member.open)
        except StoppedError as stopped:
            self._close_unopened(member, stopped.status, stopped.reason)
        except LimitError as limit:
            self._close_unopened(member, Status.PARTIAL, str(limit))
        except MemoryError:
            self._close_unopened(member, Status.FAILED, self._memory_reason)
        except BaseException as error:
            fault = _fault(error)
            self._close_unopened(member, Status.PARTIAL if outer.missing else Status.FAILED, outer.missing or fault)
        else:
            if content.fault and outer.missing and not _is_limit(content.fault):
                content.fault, content.size = outer.missing, max(content.size, member.size)
            self._examine(content, own_path, depth + 1)

    def _close_unopened(self, member: Member, status: Status, reason: str) -> None:
        self._sink.identified(UNKNOWN, None, member.size)
        self._sink.end(status, reason)

    @property
    def _memory_reason(self) -> str:
        return f"memory limit ({self._limits.memory_bytes:,} bytes)"


def _fault(error: BaseException) -> str:
    """Catches BaseException because Rust panics are not Exceptions; requests to end this process are passed on."""
    if isinstance(error, SystemExit | KeyboardInterrupt | GeneratorExit):
        raise error
    return fault_of(error)


def _broken(content: Content, reason: str, has_output: bool) -> tuple[Status, str]:
    """A limit leaves a file partial even if nothing came out of it; a fault does so only if something did."""
    if content.fault and content.missing:
        reason = content.missing
    return (Status.PARTIAL if has_output or _is_limit(reason) else Status.FAILED), reason


def _is_limit(reason: str) -> bool:
    return " limit (" in reason
