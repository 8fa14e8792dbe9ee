"""The spans of one window of a long text -> those that the window owns, at their places in the whole text."""

from dataclasses import dataclass

from core.records import Span


@dataclass(frozen=True, slots=True)
class Window:
    """One window of a long text: it owns the spans that begin in start..end, and `offset` characters come before it.

    Neighbouring windows overlap, so a span near an edge has text on both sides; ownership counts it once.
    """

    start: int = 0
    end: int | None = None
    offset: int = 0

    def owns(self, span: Span) -> bool:
        return self.owns_place(span.start)

    def owns_place(self, start: int) -> bool:
        return self.start <= start and (self.end is None or start < self.end)

    def owns_part(self, start: int, end: int) -> bool:
        """Passages begin at other places in the next window, so one that reaches over the edge is of both."""
        return self.start < end and (self.end is None or start < self.end)

    def own(self, spans: list[Span]) -> list[Span]:
        """The spans that begin in this window, at their places in the whole text."""
        return [
            span._replace(start=self.offset + span.start, end=self.offset + span.end)
            for span in spans
            if self.owns(span)
        ]


WHOLE = Window()
