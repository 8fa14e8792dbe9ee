"""Candidate spans that may overlap -> the surest of them, none overlapping another, in the order of the text."""

from collections.abc import Sequence

from core.records import Span


def resolved(candidates: Sequence[Span]) -> list[Span]:
    """The surer span wins, then the longer, then the earlier; a loser disappears."""
    found: list[Span] = []
    cluster: list[Span] = []  # spans that touch each other; those of different clusters cannot overlap
    reach = -1
    for span in sorted(candidates):
        start, end, _, _ = span
        if start < reach:
            cluster.append(span)
            reach = max(reach, end)
            continue
        found += cluster if len(cluster) < 2 else _winners(cluster)
        cluster, reach = [span], end
    found += cluster if len(cluster) < 2 else _winners(cluster)
    return found


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
