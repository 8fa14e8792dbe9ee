"""data/word_groups.toml -> groups of words that say something about the names next to them."""

import tomllib
from functools import cache
from importlib import resources

_FILE = resources.files("screening") / "data" / "word_groups.toml"


@cache
def _document() -> dict[str, str | list[str]]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


def words_of(group: str) -> frozenset[str]:
    words = _document()[group]
    assert isinstance(words, str)
    return frozenset(words.split())


def cue_numbers() -> dict[str, int]:
    """Word -> the number of its group of cues, from 1 on; of two groups that have it, the last counts."""
    return {word: number for number, words in enumerate(_document()["cues"], start=1) for word in words.split()}
