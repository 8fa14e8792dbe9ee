"""PII vectors of verified files -> prototypes and a radius that find similar files, and what each choice would flag."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from screening.ruleset.definitions import Characteristic

RULE = "learned"
WIDEST_RADIUS = 6
_MOST_PROTOTYPES = 200


@dataclass(frozen=True, slots=True)
class Verified:
    """A vector, and how many verified files of each kind have it."""

    phi: int = 0
    not_phi: int = 0


@dataclass(frozen=True, slots=True)
class Proposal:
    """Prototypes that come within `radius` bits of every verified PHI file that differs from all the others."""

    radius: int
    prototypes: tuple[int, ...]
    care: int
    found_by_others: int  # verified PHI files that the prototypes of other files find: what new files can expect

    def fires(self, bits: int) -> bool:
        return any(((bits ^ prototype) & self.care).bit_count() <= self.radius for prototype in self.prototypes)


def proposals(vectors: Mapping[int, Verified], characteristics: Sequence[Characteristic]) -> list[Proposal]:
    """One for each radius, from exact match on."""
    care = sum(characteristic.value for characteristic in characteristics if not characteristic.reserved)
    merged: dict[int, Verified] = {}
    for bits, seen in vectors.items():
        before = merged.get(bits & care, Verified())
        merged[bits & care] = Verified(before.phi + seen.phi, before.not_phi + seen.not_phi)
    distances = _distances(list(merged))
    return [
        _proposal(list(merged), list(merged.values()), distances, radius, care) for radius in range(WIDEST_RADIUS + 1)
    ]


def _distances(vectors: Sequence[int]) -> NDArray[np.uint8]:
    words = np.array(vectors, dtype=np.uint64)
    counted: NDArray[np.uint8] = np.bitwise_count(words[:, None] ^ words[None, :])
    return counted


def _proposal(
    vectors: list[int], seen: list[Verified], distances: NDArray[np.uint8], radius: int, care: int
) -> Proposal:
    phi, not_phi = (np.array([getattr(vector, name) for vector in seen], dtype=np.int64) for name in ("phi", "not_phi"))
    within = distances <= radius
    left = phi.copy()
    chosen: list[int] = []
    covered = np.zeros(len(vectors), dtype=bool)
    while len(chosen) < _MOST_PROTOTYPES:
        gains = np.where(phi > 0, within @ left - within @ np.where(covered, 0, not_phi), 0)
        best = int(np.argmax(gains))
        if gains[best] <= 0:
            break
        chosen.append(best)
        covered |= within[best]
        left[within[best]] = 0
    return Proposal(radius, tuple(vectors[index] for index in chosen), care, _found_by_others(phi, within, chosen))


def _found_by_others(phi: NDArray[np.int64], within: NDArray[np.bool_], chosen: Sequence[int]) -> int:
    """How many other PHI files are near a prototype; the file that it was made from proves nothing."""
    count = 0
    for index in np.flatnonzero(phi):
        nearby = sum(bool(within[index, prototype]) for prototype in chosen if prototype != index)
        count += int(phi[index]) if nearby else int(phi[index]) - 1 if index in chosen else 0
    return count


def count_vectors(files: Sequence[tuple[int, bool]]) -> dict[int, Verified]:
    """Bits and verdicts of verified files -> how many files have each vector."""
    counts = Counter(files)
    return {
        bits: Verified(counts[bits, True], counts[bits, False]) for bits in dict.fromkeys(bits for bits, _ in files)
    }


def rule_file(proposal: Proposal, characteristics: Sequence[Characteristic], note: str) -> str:
    """The proposal as a rule file."""
    lines = [
        f"# {note}",
        "",
        "[[rule]]",
        f'id = "{RULE}"',
        'description = "Near to files that people have verified"',
        f"radius = {proposal.radius}",
        "screens = true",
    ]
    for number, prototype in enumerate(proposal.prototypes, start=1):
        ones = [characteristic.id for characteristic in characteristics if prototype & characteristic.value]
        zeros = [
            characteristic.id for characteristic in characteristics if proposal.care & ~prototype & characteristic.value
        ]
        lines += [
            "",
            "[[prototype]]",
            f'rule = "{RULE}"',
            f'id = "p{number}"',
            f"set = {_listed(ones)}",
            f"clear = {_listed(zeros)}",
        ]
    return "\n".join(lines) + "\n"


def _listed(names: Sequence[str]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"
