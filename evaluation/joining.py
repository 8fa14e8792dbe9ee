"""Neighbouring spans of one category -> instances: first and last name, "Last, First", street and town."""

import re
from collections.abc import Iterable

from evaluation.categories import is_name, parted_by
from evaluation.spans import Marked

_COMMA = re.compile(r"[ \t]*,[ \t]*")
_LAST_OF_LIST = re.compile(r"\s*(?:,|&|,?\s*\b(?:and|or|et|und|y|e|ou|oder)\b)\s*")


def joined(text: str, spans: Iterable[Marked]) -> tuple[Marked, ...]:
    whole: list[Marked] = []
    for span in sorted(spans):
        last = whole[-1] if whole else None
        if last and last.category == span.category and not text[last.end : span.start].strip(parted_by(span.category)):
            whole[-1] = Marked(last.start, max(last.end, span.end), span.category)
        else:
            whole.append(span)
    return tuple(_last_first(text, whole))


def _last_first(text: str, spans: list[Marked]) -> list[Marked]:
    """`SLOAN , CHARLES E` is one name; three names after each other, or two words and a comma, are a list."""
    names: list[Marked] = []
    for index, span in enumerate(spans):
        before, last = (spans[index - back] if index >= back else None for back in (2, 1))
        after = spans[index + 1] if index + 1 < len(spans) else None
        if (
            last is not None
            and names[-1] == last
            and is_name(span.category)
            and len(text[last.start : last.end].split()) == 1
            and _follows(text, last, span, _COMMA)
            and not _follows(text, before, last, _COMMA)
            and not _follows(text, span, after, _LAST_OF_LIST)
        ):
            names[-1] = Marked(last.start, span.end, span.category)
        else:
            names.append(span)
    return names


def _follows(text: str, first: Marked | None, second: Marked | None, between: re.Pattern[str]) -> bool:
    if first is None or second is None or first.category != second.category:
        return False
    return between.fullmatch(text, first.end, second.start) is not None
