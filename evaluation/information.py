"""A word -> its information content, from how frequent it is; only where the package wordfreq is installed."""

import math
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec

_RAREST = 1e-9  # a word that the frequency list lacks is taken to be about as rare as the rarest in it


def information_content() -> Callable[[str], float] | None:
    """-ln of the word's frequency in English; None without wordfreq, and then what needs it is undefined."""
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
