"""Fields of JSON -> the values whose keys say that they are first or last names, such as `"family": "Roe"`."""

import re
from collections.abc import Callable
from functools import lru_cache

from core.records import Span
from screening.names.table_headings import COLUMN_SCORE, cell_spans, heading_kind

_FIELD = re.compile(r'"(\w{2,32}+)"[ \t]{0,4}:[ \t\n\r]{0,40}\[?[ \t\n\r]{0,40}"([^\W\d_][^"\\\n]{1,40}+)"')
_KINDS = ("first_name", "last_name")
_REMEMBERED = 1_000  # keys; documents have few


def named_fields(text: str, could_be_name: Callable[[str], bool]) -> list[Span]:
    """In the order of the text. `name` alone is a key of anything, so it says nothing here."""
    if '"' not in text or ":" not in text:
        return []
    return [span for match in _FIELD.finditer(text) for span in _spans(text, match, could_be_name)]


def _spans(text: str, field: re.Match[str], could_be_name: Callable[[str], bool]) -> list[Span]:
    kind = _kind(field[1])
    if kind not in _KINDS:
        return []
    spans = list(cell_spans(text, *field.span(2), kind, COLUMN_SCORE))
    return spans if any(could_be_name(text[span.start : span.end]) for span in spans) else []


@lru_cache(maxsize=_REMEMBERED)
def _kind(key: str) -> str:
    return heading_kind(key)
