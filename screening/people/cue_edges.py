"""The words right before or behind a name -> whether they can be the end or the beginning of a cue, at a glance."""

import re
from functools import cache
from typing import NamedTuple

from screening.people.cues import COLON, read_cues

_WORD = re.compile(r"[^\W_]+")
_LAST_WORD = re.compile(r"[^\W_]+\Z")
_IS = "is"  # opens an apposition


class _Edges(NamedTuple):
    closing: frozenset[str]  # last words of what stands before names
    letters: frozenset[str]  # their last letters, small and capital
    opening: frozenset[str]  # first words of what stands behind names


@cache
def _edges() -> _Edges:
    cues = read_cues()
    phrases = (phrase.rstrip(COLON) for phrase in cues.before)
    closing = frozenset((*(phrase.rpartition(" ")[2] for phrase in phrases), *cues.titles, *cues.speaking))
    letters = frozenset(letter for word in closing for letter in (word[-1:], word[-1:].upper()))
    opening = frozenset((*(phrase.partition(" ")[0] for phrase in cues.after), *cues.articles, _IS))
    return _Edges(closing, letters, opening)


def may_close_cue(before: str) -> bool:
    """Whether a cue, a title or a copyright may end here; most rows of a table end with a figure or a plain word."""
    edges = _edges()
    last = before[-1:]
    if not last.isascii() or not last.isalnum():
        return True
    if last not in edges.letters:
        return False
    word = _LAST_WORD.search(before[before.rfind(" ") + 1 :])
    return word is None or word.group().lower() in edges.closing


def may_open_cue(behind: str) -> bool:
    """Whether a cue or an article may begin here."""
    word = _WORD.search(behind)
    return word is not None and word.group().lower() in _edges().opening
