"""PII vectors -> Hamming distances to every prototype of every rule, on packed 64-bit words."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.records import RuleHit
from screening.ruleset.definitions import Rule

Words = NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class PrototypeTable:
    """All prototypes side by side, those of one rule next to each other."""

    rules: tuple[Rule, ...]
    names: tuple[str, ...]
    bits: Words
    care: Words
    starts: NDArray[np.intp]  # where each rule's prototypes begin

    def distances(self, vectors: Words) -> NDArray[np.uint8]:
        """One row per vector, one column per prototype: how many of the bits that the prototype cares about differ."""
        counted: NDArray[np.uint8] = np.bitwise_count((vectors[:, None] ^ self.bits[None, :]) & self.care[None, :])
        return counted

    def hits(self, vector: int) -> tuple[RuleHit, ...]:
        """The rules that have a prototype within their radius, each with its nearest one."""
        if not self.names:
            return ()
        distances = self.distances(np.array([vector], dtype=np.uint64))[0]
        nearest = np.minimum.reduceat(distances, self.starts).tolist()
        hits = []
        for rule, distance, start in zip(self.rules, nearest, self.starts.tolist(), strict=True):
            if distance <= rule.radius:
                at = start + int(np.argmax(distances[start : start + len(rule.prototypes)] == distance))
                hits.append(RuleHit(rule.id, self.names[at], distance))
        return tuple(hits)


class RuleTable:
    """All rules: those about a whole file, and those about what is tied to one person or stands in one passage."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._order = {rule.id: number for number, rule in enumerate(rules)}
        self._of_file = pack([rule for rule in rules if not rule.same_person])
        self._of_person = pack([rule for rule in rules if rule.same_person])

    def hits(self, vector: int, person_vectors: tuple[int, ...] = ()) -> tuple[RuleHit, ...]:
        """The rules that fire, in their order; of a rule that fires for several persons the nearest hit."""
        nearest = {hit.rule: hit for hit in self._of_file.hits(vector)}
        for person in person_vectors:
            for hit in self._of_person.hits(person):
                if hit.rule not in nearest or hit.distance < nearest[hit.rule].distance:
                    nearest[hit.rule] = hit
        return tuple(sorted(nearest.values(), key=lambda hit: self._order[hit.rule]))


def pack(rules: Sequence[Rule]) -> PrototypeTable:
    with_prototypes = tuple(rule for rule in rules if rule.prototypes)
    prototypes = [prototype for rule in with_prototypes for prototype in rule.prototypes]
    sizes = [len(rule.prototypes) for rule in with_prototypes]
    return PrototypeTable(
        rules=with_prototypes,
        names=tuple(prototype.id for prototype in prototypes),
        bits=np.array([prototype.bits for prototype in prototypes], dtype=np.uint64),
        care=np.array([prototype.care for prototype in prototypes], dtype=np.uint64),
        starts=np.array([sum(sizes[:index]) for index in range(len(sizes))], dtype=np.intp),
    )
