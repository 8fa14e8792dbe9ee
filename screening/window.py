"""The spans of one part of a text -> those that count, at their places in the whole text."""

from dataclasses import dataclass

from core.records import Span


@dataclass(frozen=True, slots=True)
class Part:
    """Which part of a text is looked at: spans that begin in start..end count, and offset characters stand before it."""

    start: int = 0
    end: int | None = None
    offset: int = 0

    def owns(self, span: Span) -> bool:
        return self.start <= span.start and (self.end is None or span.start < self.end)

    def own(self, spans: list[Span]) -> list[Span]:
        """Those that count, at their places in the whole text."""
        return [
            span._replace(start=self.offset + span.start, end=self.offset + span.end)
            for span in spans
            if self.owns(span)
        ]


WHOLE = Part()
