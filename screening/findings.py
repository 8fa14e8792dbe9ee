"""The findings of the windows of a text -> the findings of the whole text, before any rule is applied."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from core.records import Evidence, Span

Located = TypeVar("Located", Span, Evidence)
MOST_PERSONS = 50_000  # of one file: bounds the memory; later persons are still counted as spans


@dataclass(frozen=True, slots=True, repr=False)
class Findings:
    """Counts, evidence and persons of a text, or of one window of it.

    The key of a person is made of the name in plain text, so it is never stored: evidence holds the person's number.
    """

    counts: Counter[str]
    evidence: tuple[Evidence, ...]
    persons: Mapping[str, int]  # key -> bits tied to that person, in the order in which they are first named
    suppressed: Counter[str] = field(default_factory=Counter)  # what an allow list removed


def merged(before: Findings, after: Findings, most_evidence: int) -> Findings:
    """The findings of two neighbouring windows as one; evidence of the second gets the person numbers of both."""
    persons = dict(before.persons)
    for key, bits in after.persons.items():
        if key in persons or len(persons) < MOST_PERSONS:
            persons[key] = persons.get(key, 0) | bits
    later = renumbered(after.evidence, after.persons, persons)
    evidence = tuple(most_informative([*before.evidence, *later], most_evidence))
    return Findings(before.counts + after.counts, evidence, persons, before.suppressed + after.suppressed)


def renumbered(evidence: Iterable[Evidence], persons: Iterable[str], among: Iterable[str]) -> tuple[Evidence, ...]:
    """The numbers of persons in one list -> their numbers in another."""
    numbers = {key: number for number, key in enumerate(among, start=1)}
    new = [0, *(numbers.get(key, 0) for key in persons)]
    return tuple(
        piece if new[piece.person] == piece.person else _of_person(piece, new[piece.person]) for piece in evidence
    )


def _of_person(piece: Evidence, number: int) -> Evidence:
    """A new object: `dataclasses.replace` takes three times as long, and there are many pieces."""
    return Evidence(piece.characteristic, piece.start, piece.end, piece.masked, piece.hmac, piece.where, number)


def most_informative(spans: Sequence[Located], most: int) -> list[Located]:
    """At most `most` spans: the first of every characteristic before the second of any."""
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
