"""A word and a text -> where the text has it and it is no part of a longer word."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from core.records import Span

_BORDER = re.compile(r"\b")
_WORD = re.compile(r"\w+")
_CAPITALISED = re.compile(r"[A-Z]\w*")


def whole_words(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        if _BORDER.match(text, at) and _BORDER.match(text, at + len(word)):
            yield at
        at = text.find(word, at + 1)


def uncovered_words(text: str, words: Sequence[str], covered: Sequence[Span]) -> list[str]:
    """Those of the words that may occur outside of the spans: in a table of names hardly any do.

    A word that is part of another one of them stays, because the two may compete for a place.
    """
    simple = {word for word in words if word.isalnum() and "A" <= word[0] <= "Z"}
    simple -= {part for word in words if word not in simple for part in _WORD.findall(word)}
    written = Counter(word for word in _CAPITALISED.findall(text) if word in simple)
    known = Counter(word for start, end, _, _ in covered if (word := text[start:end]) in simple)
    return [word for word in words if word not in simple or written[word] != known[word]]
