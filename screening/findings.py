"""The findings of the windows of a text -> the findings of the whole text, before any rule is applied."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from core.records import Candidate, Evidence, PersonSeen, Span

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
    candidates: tuple[Candidate, ...] = ()  # of this window alone: they are judged while its text is at hand
    vectors: frozenset[int] = frozenset()  # the different PII vectors of candidates
    people: tuple[PersonSeen, ...] = ()  # of this window alone too
    known: frozenset[int] = frozenset()  # rows of the list of known people
    left_out: tuple[tuple[Span, int], ...] = ()  # of this window alone: in judged passages, but not in the evidence


def merged(before: Findings, after: Findings, most_evidence: int) -> Findings:
    """The findings of two neighbouring windows as one; evidence of the second gets the person numbers of both."""
    persons = dict(before.persons)
    for key, bits in after.persons.items():
        if key in persons or len(persons) < MOST_PERSONS:
            persons[key] = persons.get(key, 0) | bits
    later = renumbered(after.evidence, new_numbers(after.persons, persons))
    evidence = tuple(most_informative([*before.evidence, *later], most_evidence))
    vectors = before.vectors | after.vectors
    suppressed = before.suppressed + after.suppressed
    known = before.known | after.known
    return Findings(
        before.counts + after.counts, evidence, persons, suppressed, after.candidates, vectors, after.people, known
    )


def new_numbers(persons: Iterable[str], among: Iterable[str]) -> list[int]:
    """The numbers of persons in one list -> their numbers in another; 0 is nobody's, in both."""
    numbers = {key: number for number, key in enumerate(among, start=1)}
    return [0, *(numbers.get(key, 0) for key in persons)]


def renumbered(evidence: Iterable[Evidence], new: Sequence[int]) -> tuple[Evidence, ...]:
    return tuple(
        piece if new[piece.person] == piece.person else _of_person(piece, new[piece.person]) for piece in evidence
    )


def _of_person(piece: Evidence, number: int) -> Evidence:
    """A new object: `dataclasses.replace` takes three times as long, and there are many pieces."""
    place = piece.start, piece.end, piece.masked, piece.hmac, piece.where
    return Evidence(piece.characteristic, *place, number, piece.role, piece.passage)


def most_informative(
    spans: Sequence[Located], most: int, is_judged: Callable[[Located], bool] = lambda _: True
) -> list[Located]:
    """At most `most` spans: those of judged passages before others, the first of a characteristic before its second."""
    if len(spans) <= most:
        return list(spans)
    seen: dict[str, int] = {}
    ranked = []
    for span in spans:
        rank = seen.get(span.characteristic, 0)
        if rank < most:
            ranked.append((not is_judged(span), rank, span.start, span))
            seen[span.characteristic] = rank + 1
    ranked.sort(key=lambda entry: entry[:3])
    return sorted((entry[3] for entry in ranked[:most]), key=lambda span: span.start)
