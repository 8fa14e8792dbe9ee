"""Evidence of persons, and where medical terms stand -> the person of whose health a text tells."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from core.records import Evidence


def person_nearest_terms(evidence: Sequence[Evidence], terms: Sequence[int], reach: int) -> int:
    """The number of the person near whom most terms stand, 0 where none stands within `reach` characters of anyone."""
    pieces = sorted((piece.start, piece.person) for piece in evidence if piece.person)
    starts = [start for start, _ in pieces]
    near: Counter[int] = Counter()
    for place in terms:
        at = bisect_left(starts, place)
        beside = [pieces[number] for number in (at - 1, at) if 0 <= number < len(pieces)]
        within = [(abs(start - place), person) for start, person in beside if abs(start - place) <= reach]
        if within:
            near[min(within)[1]] += 1
    return min((-count, person) for person, count in near.items())[1] if near else 0
