"""A document's segments -> its text with the file's name, and which stretch of it is the document's own text."""

from collections.abc import Sequence
from typing import NamedTuple

from core.records import Candidate, Document, Segment
from pipelines.stages.file_name import NAME, with_name

# What a program writes around a text, which is not what somebody wrote in it.
_ASIDES = frozenset({"authors", "custom data", "headers", "metadata", "properties", NAME})


class ReadText(NamedTuple):
    """What the offsets of candidates count in, and where the document's own text is: from `start` up to `end`."""

    text: str
    start: int = 0
    end: int = 0

    def alone(self, candidate: Candidate) -> Candidate | None:
        """The candidate without what is around the document's own text, if its person is named there."""
        low, high, *_ = candidate.passage
        start, end = max(low, self.start), min(high, self.end)
        if (start, end) == (low, high) or not start <= candidate.person < end:
            return None
        return candidate._replace(passage=candidate.passage._replace(start=start, end=end))


def read_text(document: Document, *, is_whole: bool = True) -> ReadText:
    """The name of the file comes last; all windows but the last are without it."""
    segments = with_name(document) if is_whole else document.segments
    return ReadText("\n".join(segment.text for segment in segments), *_own_text(segments))


def _own_text(segments: Sequence[Segment]) -> tuple[int, int]:
    """From the first segment to the last one that is no aside."""
    start, end, at = -1, 0, 0
    for segment in segments:
        if segment.where not in _ASIDES:
            start = at if start < 0 else start
            end = at + len(segment.text)
        at += len(segment.text) + 1
    return max(start, 0), end
