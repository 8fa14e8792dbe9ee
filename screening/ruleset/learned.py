"""PII vectors of verified files -> prototypes and a radius that find similar files, and what each choice would flag.

A choice is judged by files that it did not learn from (cross-validation), and by how much it would flag of what nobody
has verified. With TPF, the share of PHI files found, its score is

    TPF - FPF among files verified as not PHI - share of unverified files flagged

The last term is what learning from positive and unlabelled examples needs: if a share of the unverified files holds
PHI, TPF minus the share flagged is still Youden's index times a constant, so that the best radius is the same. A radius
that flags everything scores nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from screening.ruleset.definitions import Characteristic

RULE = "learned"
WIDEST_RADIUS = 6
FOLDS = 10
FEW_NEGATIVES = 20  # verified files without PHI below which a learner of one class is offered
_MOST_PROTOTYPES = 200

Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Example:
    """A file's vector, the verdict (None: nobody verified it), and its content: copies are never learned from apart."""

    bits: int
    phi: bool | None
    content: str


@dataclass(frozen=True, slots=True)
class Proposal:
    """Prototypes that come within `radius` bits of verified PHI files.

    `held_out` says for each example whether it is flagged: a verified one by what the other files taught, others by
    the prototypes themselves.
    """

    radius: int
    prototypes: tuple[int, ...]
    care: int
    held_out: tuple[bool, ...]
    tpf: Fraction | None
    fpf: Fraction | None
    unverified_share: Fraction | None

    @property
    def score(self) -> Fraction:
        return (self.tpf or Fraction(0)) - (self.fpf or Fraction(0)) - (self.unverified_share or Fraction(0))

    def fires(self, bits: int) -> bool:
        return any(((bits ^ prototype) & self.care).bit_count() <= self.radius for prototype in self.prototypes)


@dataclass(frozen=True, slots=True)
class _Table:
    """The different vectors, each with its number of files of each kind, and the distances between them."""

    vectors: Sequence[int]
    place_of: NDArray[np.int64]  # for each example
    phi: NDArray[np.bool_]
    not_phi: NDArray[np.bool_]
    fold: Counts
    distances: NDArray[np.uint8]  # from vectors of PHI files (rows) to all
    candidates: Counts  # which vectors are those of PHI files

    def count(self, chosen: NDArray[np.bool_]) -> Counts:
        return np.bincount(self.place_of[chosen], minlength=len(self.vectors)).astype(np.int64)


def proposals(
    examples: Sequence[Example], characteristics: Sequence[Characteristic], one_class: bool = False
) -> list[Proposal]:
    """One for each radius, from exact match on; of one class, only PHI files teach."""
    care = sum(characteristic.value for characteristic in characteristics if not characteristic.reserved)
    table = _table(examples, care)
    return [_proposal(table, radius, care, one_class) for radius in range(WIDEST_RADIUS + 1)]


def best(proposed: Sequence[Proposal]) -> Proposal:
    """The highest score; of equal ones the smallest radius."""
    return max(proposed, key=lambda proposal: (proposal.score, -proposal.radius))


def _table(examples: Sequence[Example], care: int) -> _Table:
    places: dict[int, int] = {}
    place_of = np.array([places.setdefault(one.bits & care, len(places)) for one in examples], dtype=np.int64)
    phi = np.array([one.phi is True for one in examples], dtype=bool)
    words = np.array(list(places), dtype=np.uint64)
    candidates = np.unique(place_of[phi])
    distances: NDArray[np.uint8] = np.bitwise_count(words[candidates][:, None] ^ words[None, :])
    not_phi = np.array([one.phi is False for one in examples], dtype=bool)
    return _Table(list(places), place_of, phi, not_phi, _folds(examples), distances, candidates)


def _folds(examples: Sequence[Example]) -> Counts:
    """Contents are dealt out in turn, those with PHI and the others apart, so that each fold has some of both."""
    dealt: dict[tuple[bool, str], int] = {}
    turns = [0, 0]
    for one in sorted((one for one in examples if one.phi is not None), key=lambda one: one.content):
        key = (bool(one.phi), one.content)
        if key not in dealt:
            dealt[key] = turns[key[0]] % FOLDS
            turns[key[0]] += 1
    return np.array([-1 if one.phi is None else dealt[one.phi, one.content] for one in examples], dtype=np.int64)


def _proposal(table: _Table, radius: int, care: int, one_class: bool) -> Proposal:
    unverified = ~table.phi & ~table.not_phi
    chosen = _learned(table, table.phi, table.not_phi, radius, one_class)
    flagged = _flagged(table, chosen, radius)[table.place_of]
    for fold in range(FOLDS):
        out = table.fold == fold
        if out.any():
            taught = _learned(table, table.phi & ~out, table.not_phi & ~out, radius, one_class)
            flagged[out] = _flagged(table, taught, radius)[table.place_of[out]]
    return Proposal(
        radius,
        tuple(table.vectors[index] for index in table.candidates[chosen]),
        care,
        tuple(flagged.tolist()),
        *(_share(flagged, kind) for kind in (table.phi, table.not_phi, unverified)),
    )


def _share(flagged: NDArray[np.bool_], kind: NDArray[np.bool_]) -> Fraction | None:
    return Fraction(int(flagged[kind].sum()), int(kind.sum())) if kind.any() else None


def _flagged(table: _Table, chosen: Sequence[int], radius: int) -> NDArray[np.bool_]:
    """Which of the different vectors are near one of the chosen ones."""
    if not len(chosen):
        return np.zeros(len(table.vectors), dtype=bool)
    near: NDArray[np.bool_] = np.any(table.distances[chosen] <= radius, axis=0)
    return near


def _learned(
    table: _Table, phi_files: NDArray[np.bool_], not_phi_files: NDArray[np.bool_], radius: int, one_class: bool
) -> list[int]:
    """Rows of the prototypes: one after the other that which raises the score most, until none does."""
    phi, not_phi = table.count(phi_files), table.count(not_phi_files)
    unverified = table.count(~table.phi & ~table.not_phi)
    within = table.distances <= radius
    worth = phi / max(1, phi.sum())
    cost = np.zeros(len(phi)) if one_class else not_phi / max(1, not_phi.sum()) + unverified / max(1, unverified.sum())
    usable = phi[table.candidates] > 0
    left = worth - cost
    chosen: list[int] = []
    while len(chosen) < _MOST_PROTOTYPES:
        gains = np.where(usable, within @ left, 0.0)
        first = int(np.argmax(gains)) if len(gains) else 0
        if not len(gains) or gains[first] <= _NOTHING:
            break
        chosen.append(first)
        left[within[first]] = 0.0
    return chosen


_NOTHING = 1e-12  # what rounding leaves of a gain that is none


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
