"""A word and a text -> where the text has it and it is no part of a longer word."""

import re
from collections.abc import Iterator

_BORDER = re.compile(r"\b")


def whole_words(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        if _BORDER.match(text, at) and _BORDER.match(text, at + len(word)):
            yield at
        at = text.find(word, at + 1)
