"""Mail headers -> the names in brackets behind an address: `From: user@example.org (Ana Roe)`."""

import re
from collections.abc import Callable

from core.records import Span
from screening.names.table_headings import cell_spans

COMMENT_SCORE = 0.75
_COMMENT = re.compile(
    r"@[\w.-]{3,80}+>? "
    r"\(([^\W\d_]{2,30}+(?: [^\W\d_]\.?)?(?:[ .'’-][^\W\d_]{2,30}+){1,2})\)(?=[ \t]*(?:\n|writes|wrote|$))"
)


def commented_names(text: str, could_be_name: Callable[[str], bool]) -> list[Span]:
    """In the order of the text; words that `could_be_name` denies name nobody."""
    if "@" not in text or "(" not in text:
        return []
    spans: list[Span] = []
    for match in _COMMENT.finditer(text):
        own = list(cell_spans(text, *match.span(1), "full", COMMENT_SCORE))
        if any(could_be_name(text[span.start : span.end]) for span in own):
            spans += own
    return spans
