"""The spans of one part of a text -> those that count, at their places in the whole text."""

import math
from dataclasses import dataclass, replace

from core.records import Span


@dataclass(frozen=True, slots=True)
class Part:
    """Which part of a text is looked at: spans that begin in start..end count, and offset characters stand before it."""

    start: int = 0
    end: int | None = None
    offset: int = 0

    def own(self, spans: list[Span]) -> list[Span]:
        """Those that count, at their places in the whole text."""
        if self == WHOLE:
            return spans
        end = math.inf if self.end is None else self.end
        return [
            replace(span, start=self.offset + span.start, end=self.offset + span.end) for span in spans if self.start <= span.start < end
        ]


WHOLE = Part()
