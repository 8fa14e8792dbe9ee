"""Text -> its different runs of letters, in a tenth of the time of an expression; and what each of them means."""

from collections.abc import Callable
from functools import lru_cache
from typing import Generic, TypeVar

Meaning = TypeVar("Meaning")

_LETTERS = {*range(0x41, 0x5B), *range(0x61, 0x7B), *range(0xC0, 0x100)} - {0xD7, 0xF7}
LETTERS_ALONE = bytes(code if code in _LETTERS else 0x20 for code in range(256))
_BEYOND = "œ"  # a letter that Latin-1 has not; whatever else is beyond it parts runs
_MOST_REMEMBERED = 100_000


@lru_cache(maxsize=8)  # a passage is asked about by several, one after the other
def letter_runs(text: str) -> frozenset[bytes] | None:
    """As they are written, in Latin-1; nothing where the text has `œ`."""
    if not text.isascii() and _BEYOND in text:
        return None
    return frozenset(text.encode("latin-1", "replace").translate(LETTERS_ALONE).split())


class Meanings(Generic[Meaning]):
    """Most runs mean nothing, and one look passes over all of them; holds words, never texts."""

    def __init__(self, meaning_of: Callable[[str], Meaning | None]) -> None:
        self._meaning_of = meaning_of
        self._dull: set[bytes] = set()
        self._telling: dict[bytes, Meaning] = {}

    def among(self, runs: frozenset[bytes]) -> list[Meaning]:
        """What those of the runs mean that mean anything."""
        return [meaning for run in runs - self._dull if (meaning := self._of(run)) is not None]

    def telling(self, runs: frozenset[bytes]) -> dict[bytes, Meaning]:
        """The runs that mean anything, each with what it means."""
        return {run: meaning for run in runs - self._dull if (meaning := self._of(run)) is not None}

    def _of(self, run: bytes) -> Meaning | None:
        meaning = self._telling.get(run)
        if meaning is None:
            meaning = self._meaning_of(run.decode("latin-1"))
            if len(self._dull) + len(self._telling) >= _MOST_REMEMBERED:
                self._dull, self._telling = set(), {}
            if meaning is None:
                self._dull.add(run)
            else:
                self._telling[run] = meaning
        return meaning
