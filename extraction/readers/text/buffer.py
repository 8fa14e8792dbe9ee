"""Pieces of text as they come, each for its place -> segments that end between lines, early enough to stay small."""

from collections.abc import Iterator

from core.records import Segment

SEGMENT_CHARS = 1 << 18


class FlowingText:
    def __init__(self) -> None:
        self._pieces: dict[str, list[str]] = {}
        self._chars = 0

    def add(self, where: str, text: str) -> None:
        self._pieces.setdefault(where, []).append(text)
        self._chars += len(text)

    def of(self, where: str) -> list[str]:
        """The text there that is not yet handed out; its end may still change."""
        return self._pieces.get(where, [])

    def full(self) -> Iterator[Segment]:
        """Whole lines, once there are many; an unfinished line stays."""
        if self._chars < SEGMENT_CHARS:
            return
        self._chars = 0
        for where, pieces in self._pieces.items():
            end = len(pieces)
            while end and pieces[end - 1] != "\n":
                end -= 1
            yield from _segment(where, pieces[:end])
            del pieces[:end]

    def rest(self) -> Iterator[Segment]:
        for where, pieces in self._pieces.items():
            yield from _segment(where, pieces)
        self._pieces = {}


def _segment(where: str, pieces: list[str]) -> Iterator[Segment]:
    text = "".join(pieces).strip("\n")
    if text.strip():
        yield Segment(where, text)
