"""Candidate spans that may overlap -> the surest of them, none overlapping another, in the order of the text."""

from collections.abc import Iterator, Sequence

from core.records import Span


def resolved(candidates: Sequence[Span]) -> list[Span]:
    """The surer span wins, then the longer, then the earlier; a loser disappears."""
    return [span for cluster in _clusters(candidates) for span in (cluster if len(cluster) == 1 else _winners(cluster))]


def _clusters(candidates: Sequence[Span]) -> Iterator[list[Span]]:
    """Stretches of spans that touch each other; those of different clusters cannot overlap."""
    cluster: list[Span] = []
    reach = 0
    for span in sorted(candidates):
        if cluster and span.start >= reach:
            yield cluster
            cluster = []
        cluster.append(span)
        reach = max(reach, span.end) if len(cluster) > 1 else span.end
    if cluster:
        yield cluster


def _winners(cluster: Sequence[Span]) -> list[Span]:
    """Of spans in the order of the text."""
    if len(cluster) == 2:
        return [min(cluster, key=_rank)]
    ranked = sorted(cluster, key=_rank)
    first = cluster[0].start
    covered = bytearray(max(span.end for span in cluster) - first)
    accepted = []
    for span in ranked:
        start, end = span.start - first, span.end - first
        if covered.find(1, start, end) < 0:
            covered[start:end] = b"\1" * (end - start)
            accepted.append(span)
    accepted.sort()
    return accepted


def _rank(span: Span) -> tuple[float, int, int, str]:
    start, end, characteristic, score = span
    return -score, start - end, start, characteristic
