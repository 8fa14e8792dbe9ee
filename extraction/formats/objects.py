"""Binary property list (a web archive of Safari, say) or MessagePack -> its keys and values; files in it as members."""

import plistlib
from collections.abc import Iterator
from functools import partial

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, Piece, StoppedError
from extraction.identify.identify import identify
from extraction.limits.budget import Budget
from extraction.media_types import MESSAGE_PACK, UNKNOWN
from extraction.readers.messagepack import messages
from extraction.readers.objects import object_lines
from extraction.readers.streams.read_member import embedded_content
from extraction.readers.text.strings import narrow_runs

PLIST = "application/x-bplist"
MEDIA_TYPES = frozenset({PLIST, MESSAGE_PACK})
IS_ARCHIVE = False


def extract(content: Content, budget: Budget) -> Iterator[Piece]:
    is_plist = content.data.startswith(b"bplist00")
    top = plistlib.loads(content.data, fmt=plistlib.FMT_BINARY) if is_plist else list(messages(content.data))
    lines, files = object_lines(top)
    yield Segment("", "\n".join(lines))
    opaque = False
    for number, (name, data) in enumerate(files, 1):
        if identify(data) != UNKNOWN:
            label = name or f"data {number}"
            yield Member(label, partial(embedded_content, data, budget, label), len(data))
        elif runs := narrow_runs(data):
            opaque = True
            yield Segment("strings", runs)
    if opaque:
        raise StoppedError(Status.PARTIAL, "only the strings of binary values were read")
