"""A draw over the stages of a scan <-> one line of text that says how many of how many were drawn of each.

The line is the same for all files of a draw: which stage a file is from is in the scan's records, not on the sheet.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

REFERRED, SCREENED_ONLY, NEGATIVE = "referred", "screened only", "screened negative"
STAGES = (REFERRED, SCREENED_ONLY, NEGATIVE)
CONTENT, FILE = "content", "file"
_RISK = "/"


@dataclass(frozen=True, slots=True)
class Design:
    """What was drawn as one, contents or files on disk, and for each stratum how many of how many."""

    unit: str
    strata: Mapping[str, tuple[int, int]]

    def __str__(self) -> str:
        shares = (f"{name}={drawn} of {there}" for name, (drawn, there) in sorted(self.strata.items()))
        return "; ".join((f"by {self.unit}", *shares))

    def probability(self, stage: str, risk: str) -> tuple[str, Fraction] | None:
        """The stratum of a file and its probability; None where the draw left its stage out."""
        for name in (f"{stage}{_RISK}{risk}", stage):
            drawn, there = self.strata.get(name, (0, 0))
            if drawn:
                return name, Fraction(drawn, there)
        return None


def stratum_of(stage: str, risk: str, by_risk: bool) -> str:
    """Negatives have no risk to divide them by."""
    return f"{stage}{_RISK}{risk}" if by_risk and stage != NEGATIVE else stage


@lru_cache(maxsize=64)
def design_of(text: str) -> Design:
    """Raises ValueError for what is no design."""
    unit, *parts = (part.strip() for part in text.split(";"))
    strata = {}
    for part in parts:
        name, _, share = part.partition("=")
        drawn, word, there = share.partition(" of ")
        strata[name] = (int(drawn), int(there))
        if not word or not 0 <= strata[name][0] <= strata[name][1] or not name.startswith(STAGES):
            raise ValueError(part)
    if unit not in (f"by {CONTENT}", f"by {FILE}") or not strata:
        raise ValueError(text)
    return Design(unit.removeprefix("by "), strata)
