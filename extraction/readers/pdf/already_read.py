"""The texts that were read of a file -> whether a further one says anything new; spaces and line ends do not count."""

from collections.abc import Iterable

MOST_COMPARED = 2_000_000_000  # characters in all: what is beyond may be said twice


class AlreadyRead:
    def __init__(self, texts: Iterable[str]) -> None:
        self._text = ""
        self._lines: set[str] = set()
        self._left = MOST_COMPARED
        self.add("\n".join(texts))

    def add(self, text: str) -> None:
        self._lines.update(map(_squeezed, text.splitlines()))
        self._text += _squeezed(text)

    def has(self, text: str) -> bool:
        squeezed = _squeezed(text)
        if not squeezed or squeezed in self._lines:
            return True
        self._left -= len(self._text)
        return self._left > 0 and squeezed in self._text


def _squeezed(text: str) -> str:
    return "".join(text.split())
