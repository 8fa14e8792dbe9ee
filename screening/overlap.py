"""Candidate spans that may overlap -> the surest of them, none overlapping another, in the order of the text."""

from bisect import bisect_right, insort
from collections.abc import Iterator, Sequence

from core.records import Span


def resolved(candidates: Sequence[Span]) -> list[Span]:
    """The surer span wins, then the longer, then the earlier; a loser disappears."""
    return [span for cluster in _clusters(candidates) for span in (cluster if len(cluster) == 1 else _winners(cluster))]


def _clusters(candidates: Sequence[Span]) -> Iterator[list[Span]]:
    """Stretches of spans that touch each other; those of different clusters cannot overlap."""
    cluster: list[Span] = []
    reach = 0
    for span in sorted(candidates, key=lambda span: (span.start, span.end)):
        if cluster and span.start >= reach:
            yield cluster
            cluster = []
        cluster.append(span)
        reach = max(reach, span.end) if len(cluster) > 1 else span.end
    if cluster:
        yield cluster


def _winners(cluster: Sequence[Span]) -> list[Span]:
    ranked = sorted(cluster, key=lambda span: (-span.score, span.start - span.end, span.start, span.characteristic))
    kept: list[tuple[int, int]] = []
    accepted = []
    for span in ranked:
        at = bisect_right(kept, (span.start, span.end))
        free_before = at == 0 or kept[at - 1][1] <= span.start
        free_after = at == len(kept) or span.end <= kept[at][0]
        if free_before and free_after:
            insort(kept, (span.start, span.end))
            accepted.append(span)
    return sorted(accepted, key=lambda span: span.start)
