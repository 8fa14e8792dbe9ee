"""What stands in the parts of a text -> what stands in all of it, before any rule is asked."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from core.records import Evidence, Span

Found = TypeVar("Found", Span, Evidence)
MOST_PERSONS = 50_000  # of one file; what is told of one person is seldom told after so many others


@dataclass(frozen=True, slots=True, repr=False)
class Seen:
    """Persons are told apart by a key made of their names, which is never kept: evidence bears their number instead."""

    counts: Counter[str]
    evidence: tuple[Evidence, ...]
    persons: Mapping[str, int]  # the bits of all that is told of each, in the order in which they are first named
    suppressed: Counter[str] = field(default_factory=Counter)  # what an allow list took out


def both(before: Seen, after: Seen, most_evidence: int) -> Seen:
    persons = dict(before.persons)
    for key, bits in after.persons.items():
        if key in persons or len(persons) < MOST_PERSONS:
            persons[key] = persons.get(key, 0) | bits
    later = renumbered(after.evidence, after.persons, persons)
    evidence = tuple(most_telling([*before.evidence, *later], most_evidence))
    return Seen(before.counts + after.counts, evidence, persons, before.suppressed + after.suppressed)


def renumbered(evidence: Iterable[Evidence], persons: Iterable[str], among: Iterable[str]) -> tuple[Evidence, ...]:
    """The numbers of persons in one list -> their numbers in another."""
    numbers = {key: number for number, key in enumerate(among, start=1)}
    new = [0, *(numbers.get(key, 0) for key in persons)]
    return tuple(
        piece if new[piece.person] == piece.person else _of_person(piece, new[piece.person]) for piece in evidence
    )


def _of_person(piece: Evidence, number: int) -> Evidence:
    """Made anew, as to replace one field of so many pieces takes three times as long."""
    return Evidence(piece.characteristic, piece.start, piece.end, piece.masked, piece.hmac, piece.where, number)


def most_telling(spans: Sequence[Found], most: int) -> list[Found]:
    """At most so many spans: the first of every characteristic before the second of any."""
    if len(spans) <= most:
        return list(spans)
    seen: dict[str, int] = {}
    ranked = []
    for span in spans:
        rank = seen.get(span.characteristic, 0)
        if rank < most:
            ranked.append((rank, span.start, span))
            seen[span.characteristic] = rank + 1
    ranked.sort(key=lambda entry: entry[:2])
    return sorted((span for _, _, span in ranked[:most]), key=lambda span: span.start)
