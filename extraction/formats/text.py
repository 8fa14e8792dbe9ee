"""Text of any encoding -> its characters, as they are."""

from collections.abc import Iterator

from core.records import Segment
from extraction.content import Content
from extraction.format import Piece
from extraction.limits.budget import Budget
from extraction.readers.text.decode import decode
from extraction.readers.text.windows import windows
from extraction.readers.xml.parse import declared_encoding

MEDIA_TYPES = frozenset(
    {
        "text/plain",
        "text/csv",
        "application/json",
        "application/x-ndjson",
        "application/javascript",
        "application/x-wine-extension-ini",
        "message/news",
        "application/sql",
        "application/x-tex",
        "application/pgp-keys",
        "inode/x-empty",
    }
)
IS_ARCHIVE = False


def extract(content: Content, budget: Budget) -> Iterator[Piece]:
    data = content.data
    if content.descriptor is not None:
        yield from windows(content, budget.limits)
    elif data:
        yield Segment("", decode(data, declared_encoding(data), cut=bool(content.fault)))
