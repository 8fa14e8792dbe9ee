"""Candidates of a text -> for each span the role of the person it names, and the passage it was judged with."""

from bisect import bisect_right
from collections.abc import Sequence

from core.records import Candidate, Role, Span
from screening.people.candidates import TOKENS
from screening.people.mentions import NAME_PARTS

ROLES = {TOKENS[role]: role for role in Role}


class Noted:
    """Passages do not overlap, so that a span is of one of them at most."""

    def __init__(self, candidates: Sequence[Candidate]) -> None:
        self._candidates = candidates
        self._starts = [candidate.passage.start for candidate in candidates]
        self._ends = [candidate.passage.end for candidate in candidates]

    def is_judged(self, span: Span) -> bool:
        at = bisect_right(self._starts, span[0]) - 1
        return at >= 0 and span[0] < self._ends[at]

    def of(self, span: Span) -> tuple[str, str]:
        """Role and passage, both empty for a span that no candidate has."""
        candidate = self._around(span)
        if candidate is None:
            return "", ""
        role = self._role(candidate, span) if span.characteristic in NAME_PARTS else ""
        return role, candidate.passage.place

    def _around(self, span: Span) -> Candidate | None:
        return self._candidates[bisect_right(self._starts, span[0]) - 1] if self.is_judged(span) else None

    def _role(self, candidate: Candidate, span: Span) -> str:
        if candidate.person <= span.start and candidate.role is Role.RELATIVE:
            return Role.RELATIVE.value
        for low, high, token in candidate.replaced:
            if low <= span.start < high:
                return ROLES[token].value if token in ROLES else ""
        return ""
