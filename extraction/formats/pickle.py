"""Python pickle -> the strings in it; it is never loaded, since loading runs what it says."""

import pickletools
from collections.abc import Iterator
from functools import partial

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, Piece, StoppedError, fault_of
from extraction.identify.identify import identify
from extraction.limits.budget import Budget
from extraction.media_types import PICKLE, UNKNOWN
from extraction.readers.streams.read_member import embedded_content
from extraction.readers.text.strings import narrow_runs

MEDIA_TYPES = frozenset({PICKLE})
IS_ARCHIVE = False

SEGMENT_CHARS = 1 << 18
_SMALLEST_FILE = 64
_CALLS = frozenset({"GLOBAL", "STACK_GLOBAL", "PROTO", "FRAME"})


def extract(content: Content, budget: Budget) -> Iterator[Piece]:
    lines: list[str] = []
    chars = files = 0
    fault = opaque = ""
    steps = pickletools.genops(content.data)
    while True:
        try:
            step = next(steps, None)
        except Exception as error:
            fault = fault_of(error)
            break
        if step is None:
            break
        operation, value = step[0].name, step[1]
        if isinstance(value, bytes | bytearray):
            data = bytes(value)
            if len(data) >= _SMALLEST_FILE and identify(data) != UNKNOWN:
                files += 1
                yield Member(f"data {files}", partial(embedded_content, data, budget), len(data))
                continue
            opaque = "strings of binary values in a pickle" if len(data) >= _SMALLEST_FILE else opaque
            value = narrow_runs(data)
        if value is not None and value != "" and operation not in _CALLS and "PUT" not in operation:
            lines.append(str(value))
            chars += len(lines[-1])
        if chars >= SEGMENT_CHARS:
            yield Segment("values", "\n".join(lines))
            lines, chars = [], 0
    if lines:
        yield Segment("values", "\n".join(lines))
    if fault or opaque:
        raise StoppedError(Status.PARTIAL, fault or opaque)
