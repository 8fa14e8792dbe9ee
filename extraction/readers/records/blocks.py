"""Labelled values of records, as they come -> one block of lines a record, blank lines between, cut into segments."""

from collections.abc import Iterator

from core.records import Segment

SEGMENT_CHARS = 1 << 18


class Blocks:
    """Gathers the lines of one record after another; text that no one understood comes last."""

    def __init__(self) -> None:
        self._done: list[str] = []
        self._chars = 0
        self._lines: list[str] = []
        self._rest: list[str] = []

    def add(self, title: str, value: str) -> None:
        """Adds a line, unless the block has the same one already or there is no value."""
        value = " ".join(value.split())
        if value:
            line = f"{title}: {value}"
            if line not in self._lines[-_LOOK_BACK:]:
                self._lines.append(line)

    def keep(self, text: str) -> None:
        """Text as it is, for the end."""
        self._rest.append(text)
        self._chars += len(text) + 1

    def end(self) -> None:
        """The next line begins a block."""
        if self._lines:
            block = "\n".join(self._lines)
            self._done.append(block)
            self._chars += len(block) + 2
            self._lines = []

    def full(self) -> Iterator[Segment]:
        """A segment once there is much text, so that a large file meets the text limit before it fills memory."""
        if self._chars >= SEGMENT_CHARS:
            yield from self._flush()

    def rest(self) -> Iterator[Segment]:
        self.end()
        yield from self._flush()

    def _flush(self) -> Iterator[Segment]:
        text = "\n\n".join([*self._done, *(["\n".join(self._rest)] if self._rest else [])])
        self._done, self._rest, self._chars = [], [], 0
        if text:
            yield Segment("", text)


_LOOK_BACK = 40
