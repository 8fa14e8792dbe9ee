"""Fields of JSON -> the values whose keys say that they are names, birth dates or numbers: `"family": "Roe"`."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

from core.records import Span
from screening.names.table_headings import COLUMN_SCORE, cell_spans, heading_kind, is_number

_FIELD = re.compile(r'"(\w{2,32}+)"[ \t]{0,4}:[ \t\n\r]{0,40}\[?[ \t\n\r]{0,40}"([^\W\d_][^"\\\n]{1,40}+)"')
_NUMBER = re.compile(r'"(\w{2,32}+)"[ \t]{0,4}:[ \t\n\r]{0,40}"?([A-Za-z]{0,5}[ -]?\d[\w ./-]{2,22}+)')
_KINDS = ("first_name", "last_name")
_WHOLE_NAME = re.compile(r"(?:patient|client|member|insured|subscriber|resident|person|full|legal)[ _]?name", re.I)
_REMEMBERED = 1_000  # keys; documents have few


def named_fields(text: str, could_be_name: Callable[[str], bool]) -> list[Span]:
    """In the order of the text. `name` alone is a key of anything, so it says nothing here.

    Numbers are of a person where somebody is named or born in the same text: `"chart": 4012` is anything otherwise.
    """
    if '"' not in text or ":" not in text:
        return []
    spans = [span for match in _FIELD.finditer(text) for span in _names(text, match, could_be_name)]
    numbers = list(_numbers(text))
    if not spans and not any(span.characteristic == "birth_date" for span in numbers):
        return []
    return sorted([*spans, *numbers], key=lambda span: span.start) if numbers else spans


def _names(text: str, field: re.Match[str], could_be_name: Callable[[str], bool]) -> list[Span]:
    kind = _kind(field[1])
    if kind not in _KINDS and not (kind == "full" and _WHOLE_NAME.fullmatch(field[1])):
        return []
    spans = list(cell_spans(text, *field.span(2), kind, COLUMN_SCORE))
    return spans if any(could_be_name(text[span.start : span.end]) for span in spans) else []


def _numbers(text: str) -> Iterator[Span]:
    for field in _NUMBER.finditer(text):
        kind = _kind(field[1])
        if is_number(kind):
            yield from cell_spans(text, *field.span(2), kind, COLUMN_SCORE)


@lru_cache(maxsize=_REMEMBERED)
def _kind(key: str) -> str:
    return heading_kind(key)
