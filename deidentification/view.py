"""Runs of text, some of them fixed -> one text that is screened, and what replacements make of the runs."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence, Set
from itertools import accumulate
from typing import NamedTuple


class Run(NamedTuple):
    """A piece of a file's text. Fixed runs give context, such as a heading or a label; they are never changed."""

    text: str
    is_fixed: bool = False
    where: str = ""


class Edit(NamedTuple):
    start: int
    end: int
    text: str


class View:
    """The runs as one text, and which stretches of it are replacements already."""

    def __init__(self, runs: Sequence[Run], ours: Sequence[tuple[int, int]] = ()) -> None:
        self.runs = tuple(runs)
        self.text = "".join(run.text for run in runs)
        self._starts = list(accumulate((len(run.text) for run in runs), initial=0))[: len(runs)]
        self._ours = sorted(ours)
        self._our_starts = [start for start, _ in self._ours]

    @property
    def kept(self) -> int:
        """Characters that no replacement covers."""
        return len(self.text) - sum(end - start for start, end in self._ours)

    def is_ours(self, start: int, end: int) -> bool:
        """Whether a replacement covers any of it."""
        at = bisect_right(self._our_starts, end - 1)
        return at > 0 and self._ours[at - 1][1] > start

    def own_parts(self, start: int, end: int) -> list[tuple[int, int]]:
        """What of a stretch no replacement covers."""
        parts = []
        for low, high in self._ours[: bisect_right(self._our_starts, end)]:
            if high <= start:
                continue
            if low > start:
                parts.append((start, low))
            start = max(start, high)
        if start < end:
            parts.append((start, end))
        return parts

    def whole_runs(self, letters: Set[str]) -> list[tuple[int, int]]:
        """Runs that hold such a letter and nothing else, such as the element of a middle initial."""
        return [
            (start, start + len(run.text))
            for start, run in zip(self._starts, self.runs, strict=True)
            if letters and not run.is_fixed and run.text.strip(" .") in letters and not self.is_ours(start, start + 1)
        ]

    def place(self, at: int) -> str:
        run = self.runs[bisect_right(self._starts, at) - 1] if self.runs else Run("")
        return run.where or f"line {self.text.count(chr(10), 0, at) + 1}"

    def edited(self, edits: Iterable[Edit]) -> "View":
        """A replacement goes into the first run that it touches and may change; the rest of its stretch goes."""
        pieces: list[list[str]] = [[] for _ in self.runs]
        marks: list[list[tuple[int, int]]] = [[] for _ in self.runs]  # replacements, counted in the new run
        lengths = [0] * len(self.runs)
        done = [0] * len(self.runs)  # characters of the old run that are taken over

        def copy(number: int, up_to: int) -> None:
            piece = self.runs[number].text[done[number] : up_to]
            pieces[number].append(piece)
            lengths[number] += len(piece)
            done[number] = max(done[number], up_to)

        for edit in sorted(edits):
            text: str | None = edit.text
            for number in self._touched(edit):
                start = self._starts[number]
                low = max(edit.start - start, 0)
                high = min(edit.end - start, len(self.runs[number].text))
                copy(number, low)
                if text is not None:
                    pieces[number].append(text)
                    marks[number].append((lengths[number], lengths[number] + len(text)))
                    lengths[number] += len(text)
                    text = None
                done[number] = high
        for number, run in enumerate(self.runs):
            copy(number, len(run.text))
        new = [run._replace(text="".join(own)) for run, own in zip(self.runs, pieces, strict=True)]
        starts = list(accumulate((len(run.text) for run in new), initial=0))
        ours = [(starts[at] + low, starts[at] + high) for at, own in enumerate(marks) for low, high in own]
        return View(new, ours + self._moved(edits, new))

    def _moved(self, edits: Iterable[Edit], new: Sequence[Run]) -> list[tuple[int, int]]:
        """Earlier replacements, where they are now; edits never touch them."""
        if not self._ours:
            return []
        shifts = []
        for edit in sorted(edits):
            touched = self._touched(edit)
            gone = sum(
                min(edit.end, self._starts[at] + len(self.runs[at].text)) - max(edit.start, self._starts[at])
                for at in touched
            )
            shifts.append((edit.end, (len(edit.text) if touched else 0) - gone))
        ends = [end for end, _ in shifts]
        sums = [0, *accumulate(change for _, change in shifts)]
        return [(low + sums[bisect_right(ends, low)], high + sums[bisect_right(ends, low)]) for low, high in self._ours]

    def _touched(self, edit: Edit) -> list[int]:
        first = bisect_right(self._starts, edit.start) - 1
        last = bisect_right(self._starts, edit.end - 1) - 1
        return [at for at in range(max(first, 0), last + 1) if not self.runs[at].is_fixed and self.runs[at].text]

    def changes_from(self, runs: Sequence[Run]) -> dict[int, str]:
        """The new texts of those runs that differ."""
        return {
            at: now.text for at, (now, then) in enumerate(zip(self.runs, runs, strict=True)) if now.text != then.text
        }
