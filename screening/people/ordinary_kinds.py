"""A stretch of text -> whether it is of a kind, such as news or lessons, that tells of nobody's health."""

import tomllib
from collections.abc import Mapping, Sequence, Set
from functools import cache
from importlib import resources
from typing import NamedTuple

from screening.people.people_here import Person

_FILE = resources.files("screening") / "data" / "ordinary_kinds.toml"
_PATIENTS, _TITLED = "patients", "titled"  # whom a kind may leave as they are
_KEPT = b"abcdefghijklmnopqrstuvwxyz0123456789':"
_WORDS_ALONE = bytes(code if code in _KEPT else 0x20 for code in range(256))
_Phrases = Mapping[bytes, Sequence[bytes]]  # by their longest word


class _Kind(NamedTuple):
    spares: frozenset[str]
    decisive: _Phrases
    marks: _Phrases
    least: int

    def has(self, plain: bytes, words: Set[bytes]) -> bool:
        return _count(self.decisive, plain, words) > 0 or _count(self.marks, plain, words) >= self.least


def is_ordinary(text: str, person: Person) -> bool:
    """Whether the text is of a kind that says nothing of the person's health."""
    plain = _plain(text)
    words = _telling_words() & set(plain.split())
    if not words:
        return False
    shown = {name for name, holds in ((_PATIENTS, person.is_patient), (_TITLED, person.is_announced)) if holds}
    return any(kind.has(plain, words) for kind in _kinds() if not shown & kind.spares)


def _plain(text: str) -> bytes:
    """Words with one blank around each; a colon is a word of its own."""
    spelled = text.lower().replace("’", "'").encode("latin-1", "replace").translate(_WORDS_ALONE)
    return b" %b " % b" ".join(spelled.replace(b":", b" : ").split())


def _count(phrases: _Phrases, plain: bytes, words: Set[bytes]) -> int:
    """How many different phrases the text has."""
    return sum(phrase in plain for word in phrases.keys() & words for phrase in phrases[word])


@cache
def _kinds() -> tuple[_Kind, ...]:
    tables = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    return tuple(
        _Kind(frozenset(table["spares"]), _by_word(table["decisive"]), _by_word(table["marks"]), table["least"])
        for table in tables.values()
    )


@cache
def _telling_words() -> frozenset[bytes]:
    """All words by which phrases are looked up: most passages have none."""
    return frozenset(word for kind in _kinds() for phrases in (kind.decisive, kind.marks) for word in phrases)


def _by_word(phrases: Sequence[str]) -> _Phrases:
    found: dict[bytes, tuple[bytes, ...]] = {}
    for plain in map(_plain, phrases):
        word = max(plain.split(), key=len)
        found[word] = (*found.get(word, ()), plain)
    return found
