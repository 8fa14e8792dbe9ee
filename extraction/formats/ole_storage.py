"""Compound file of no known kind -> the files that it wraps as members, and its properties."""

from collections.abc import Iterator

from core.records import Segment, Status
from extraction.budget import Budget
from extraction.compound import Compound
from extraction.content import Content
from extraction.format import Member, StoppedError
from extraction.ole_objects import embedded_objects, storage_members
from extraction.property_set import summary
from extraction.signatures import OLE

MEDIA_TYPES = frozenset({OLE})
IS_ARCHIVE = True


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    compound = Compound(content, budget)
    members = [*storage_members(compound, budget, (), "content"), *embedded_objects(compound, budget)]
    yield from summary(compound)
    yield from members
    if not members:
        raise StoppedError(Status.UNSUPPORTED, f"no text extractor for {OLE}")
