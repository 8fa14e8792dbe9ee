"""Gzip file -> the one file within it."""

import gzip
from collections.abc import Iterator

from core.records import Segment
from extraction.budget import Budget
from extraction.content import Content
from extraction.expand import read_member
from extraction.format import Member

MEDIA_TYPES = frozenset({"application/gzip"})
IS_ARCHIVE = True

_HAS_EXTRA, _HAS_NAME = 4, 8


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    name = _inner_name(content)
    yield Member(name, lambda: read_member(gzip.GzipFile(fileobj=content.file()), name, budget))


def _inner_name(content: Content) -> str:
    stored = _stored_name(content.data)
    if stored:
        return stored
    outer = content.name.rpartition("/")[2]
    folded = outer.lower()
    if folded.endswith(".tgz"):
        return outer[:-4] + ".tar"
    return outer[:-3] if folded.endswith(".gz") and len(outer) > 3 else "content"


def _stored_name(data: bytes) -> str:
    flags = data[3] if len(data) > 10 else 0
    start = 10
    if flags & _HAS_EXTRA:
        start += 2 + int.from_bytes(data[10:12], "little")
    if not flags & _HAS_NAME:
        return ""
    return data[start : start + 1000].partition(b"\0")[0].decode("latin-1")
