"""Counts of files in cells, and verified files among them -> the same sums as file by file, at the speed of arrays."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from evaluation.comparison import BOTH, FIRST, SECOND
from evaluation.sampling import NOT_PHI, PHI
from evaluation.tally import _ALL, _PAIR, _POSITIVE, _RULE, _SCREENED, _UNVERIFIED, _VERIFIED, Key, Sums

Counts = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Fired:
    """For each cell: its number of files, if they were screened positive, and (a column a rule) which rules fired."""

    rules: tuple[str, ...]
    flags: Flags
    screened: Flags
    files: Counts


@dataclass(frozen=True, slots=True)
class VerifiedCells:
    """Files of each cell that people verified and found alike; `probability` is empty where nobody drew."""

    phi: bool
    files: Counts
    stratum: str = ""
    probability: str = ""


def sums_of(fired: Fired, verified: Sequence[VerifiedCells], pair: tuple[str, str] | None = None) -> Sums:
    """One probability makes all of them drawn: a file that nobody drew then counts with 1."""
    drawn = any(group.probability for group in verified)
    by_rule = _by_rule(fired, [fired.files, *(group.files for group in verified)])
    counts: Counter[Key] = Counter(
        {(_ALL,): int(fired.files.sum()), (_SCREENED,): int(fired.files[fired.screened].sum())}
    )
    counts.update({(_POSITIVE, rule): count for rule, count in zip(fired.rules, by_rule[0], strict=True) if count})
    patterns = _patterns(fired, pair) if pair else {}
    for group, of_rules in zip(verified, by_rule[1:], strict=True):
        probability = str(Fraction(group.probability or 1)) if drawn else ""
        key = (group.stratum, probability, PHI if group.phi else NOT_PHI)
        counts[(_VERIFIED, *key)] += int(group.files.sum())
        counts[(f"{_VERIFIED}-{_SCREENED}", *key)] += int(group.files[fired.screened].sum())
        for rule, count in zip(fired.rules, of_rules, strict=True):
            if count:
                counts[(_RULE, rule, *key)] += count
        for pattern, cells in patterns.items():
            counts[(_PAIR, *key, pattern)] += int(group.files[cells].sum())
    if patterns:
        flagged = patterns[BOTH] | patterns[FIRST] | patterns[SECOND]
        judged = sum((int(group.files[flagged].sum()) for group in verified), 0)
        counts[(_UNVERIFIED,)] = int(fired.files[flagged].sum()) - judged
    return Sums({key: count for key, count in counts.items() if count})


def _by_rule(fired: Fired, files: Sequence[Counts]) -> list[list[int]]:
    """How many of these files each rule fired on."""
    # einsum takes integers and booleans without a conversion: five times as fast as `@`.
    return [[int(count) for count in np.einsum("i,ij->j", counts, fired.flags)] for counts in files]


def _patterns(fired: Fired, pair: tuple[str, str]) -> dict[str, Flags]:
    nowhere = np.zeros(len(fired.files), dtype=bool)
    first, second = (fired.flags[:, fired.rules.index(rule)] if rule in fired.rules else nowhere for rule in pair)
    return {BOTH: first & second, FIRST: first & ~second, SECOND: second & ~first}
