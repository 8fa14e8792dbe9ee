"""winmail.dat, a mail wrapped by Outlook -> its headers and bodies; its attachments as members."""

from collections.abc import Iterator

from core.records import Segment, Status
from extraction.content import Content
from extraction.format import Member, StoppedError, fault_of
from extraction.formats import msg
from extraction.limits.budget import Budget
from extraction.readers.outlook.item import Attached, item_file, item_streams
from extraction.readers.outlook.tnef import TnefError, TnefPart, tnef_parts

MEDIA_TYPES = frozenset({"application/vnd.ms-tnef", "application/ms-tnef"})
IS_ARCHIVE = False

MOST_PARTS = 10_000


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    """Rebuilds the Outlook item that the file wraps."""
    parts: list[TnefPart] = []
    fault = ""
    try:
        for part in tnef_parts(content.data):
            parts.append(part)
            if len(parts) > MOST_PARTS:
                raise TnefError
    except TnefError as error:
        fault = fault_of(error)
    if not any(part.properties or part.data for part in parts):
        raise StoppedError(Status.FAILED, fault or "corrupt (empty)")
    mail, *files = parts
    streams = item_streams(mail.properties, [], [Attached(tuple(file.properties), file.data) for file in files])
    item = item_file(streams)
    yield from msg.extract(Content(item, len(item)), budget)
    if fault:
        raise StoppedError(Status.PARTIAL, fault)
