"""Compound file of another kind, or a broken one -> embedded files as members, properties, macros, else its strings."""

from collections.abc import Iterator

from core.records import Segment
from extraction.content import Content
from extraction.format import Member
from extraction.formats.binary import extract as extract_strings
from extraction.identify.identify import identify
from extraction.limits.budget import Budget
from extraction.media_types import OLE
from extraction.readers.ole.compound import Compound, DamagedError
from extraction.readers.ole.embedded import embedded_objects, storage_members
from extraction.readers.ole.other_streams import other_streams
from extraction.readers.ole.property_set import summary

MEDIA_TYPES = frozenset({OLE, "application/vnd.visio", "application/x-mspublisher"})
IS_ARCHIVE = True


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    try:
        compound = Compound(content, budget)
    except DamagedError:
        yield from extract_strings(content, budget)
        return
    members = [*storage_members(compound, budget, (), "content"), *embedded_objects(compound, budget)]
    yield from summary(compound)
    yield from members
    others = list(other_streams(compound, budget, identify))
    yield from others
    if not members and not others:
        yield from extract_strings(content, budget)
    compound.finish()
