"""A text and an expression that begins with INSERT -> its matches, looked for at that word alone."""

import re
from collections.abc import Iterator

_WORD = "insert"


def has_inserts(text: str) -> bool:
    """Whether the word is there, as it is mostly written; the letters that two forms share are looked for first."""
    return ("nsert" in text and (_WORD in text or "Insert" in text)) or ("NSERT" in text and "INSERT" in text)


def inserts_in(expression: re.Pattern[str], text: str, start: int, end: int) -> Iterator[re.Match[str]]:
    if not text.isascii():
        yield from expression.finditer(text, start, end)
        return
    lowered = text.lower()
    at = lowered.find(_WORD, start, end)
    while at >= 0:
        match = expression.match(text, at, end)
        if match is not None:
            yield match
        at = lowered.find(_WORD, at + 1 if match is None else match.end(), end)
