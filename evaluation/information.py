"""Words -> how much information they carry, from how frequent they are, for weighted precision."""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec

from evaluation.tab import Place, Weight

_RAREST = 1e-9  # a word that the frequency list lacks is taken to be about as rare as the rarest in it
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Weights:
    """What the weights come from, and a weight for the masked tokens of each document, in the order of the corpus."""

    origin: str
    of_document: Sequence[Weight]


def word_weights(texts: Sequence[str]) -> Weights:
    """-ln of a word's frequency in English; in the corpus itself where the package wordfreq is not installed."""
    content = information_content()
    if content is not None:
        return Weights("wordfreq", [_by_word(content)] * len(texts))
    return Weights("the corpus", [_by_word(_content_in(texts))] * len(texts))


def information_content() -> Callable[[str], float] | None:
    """-ln of the word's frequency in English; None without wordfreq."""
    if find_spec("wordfreq") is None:
        return None
    from wordfreq import word_frequency

    @cache
    def content(word: str) -> float:
        return -math.log(max(float(word_frequency(word, "en")), _RAREST))

    return content


def vocabulary() -> Callable[[str], bool] | None:
    """Whether a word is in the English word list; None without wordfreq."""
    if find_spec("wordfreq") is None:
        return None
    from wordfreq import word_frequency

    return cache(lambda word: bool(word_frequency(word, "en") > 0))


def _content_in(texts: Iterable[str]) -> Callable[[str], float]:
    counts = Counter(word.lower() for text in texts for word in _WORD.findall(text))
    total = sum(counts.values()) + 1
    return lambda word: -math.log(max(counts[word.lower()], 1) / total)


def _by_word(content: Callable[[str], float]) -> Weight:
    def weight(text: str, places: Sequence[Place]) -> Sequence[float]:
        return [content(text[start:end]) for start, end in places]

    return weight
