"""Passages -> how much their wording is that of personal health talk and records: weights of hashed words and pairs.

Words of other languages count as themselves and as what they say in English.
"""

import re
import zlib
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from classifiers.vectors import Floats
from classifiers.word_ids import Ints
from classifiers.wording import in_english

COLUMNS = 1 << 15
_WORD = re.compile(r"\w+")
_FIGURE = re.compile(r"\d")
_READ_CHARACTERS = 1_500


def word_columns(text: str) -> Ints:
    """The columns of the words and pairs of words of a passage; figures are all alike, and no word can be read back."""
    words = words_of(text)
    pairs = [f"{left} {right}" for left, right in pairwise(words)]
    return np.unique([zlib.crc32(term.encode()) % COLUMNS for term in (*words, *pairs, *in_english(words))]).astype(
        np.int64
    )


def words_of(text: str) -> list[str]:
    """In small letters, with all figures alike."""
    return _WORD.findall(_FIGURE.sub("0", text[:_READ_CHARACTERS].lower()))


def style_scores(texts: Sequence[str], weights: Floats, intercept: float, most: float) -> Floats:
    """The mean weight of a passage's columns, by the root of their number; a score beyond `most` says no more."""
    scores = np.empty(len(texts))
    for number, text in enumerate(texts):
        columns = word_columns(text)
        scores[number] = weights[columns].sum() / np.sqrt(max(1, len(columns))) + intercept
    return np.clip(scores, -most, most)
