"""Text of any encoding -> its characters, letters that are escapes among them; files in its data URIs as members."""

from collections.abc import Iterator
from functools import partial

from core.records import Segment
from extraction.content import Content
from extraction.format import Member, Piece
from extraction.limits.budget import Budget
from extraction.readers.text.data_uris import opened, without_data_uris
from extraction.readers.text.decode import decode, with_letters
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
        text, files = without_data_uris(decode(data, declared_encoding(data), cut=bool(content.fault)))
        yield Segment("", with_letters(text))
        for number, packed in enumerate(files, 1):
            name = f"embedded {number}"
            yield Member(name, partial(opened, packed, name, budget))
