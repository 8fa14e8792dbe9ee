"""The simulated source: its rates, the designs by which it is scanned and verified -> shares of kinds and the truth."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from evaluation.design import NEGATIVE, REFERRED, SCREENED_ONLY

PREVALENCES = (0.0098, 0.165)
RULES = ("first", "second")
# PHI files flagged by both rules, by the first only, by the second only; the same for the others; the rest by neither.
FLAGGED = {True: (0.60, 0.20, 0.10), False: (0.03, 0.02, 0.02)}
REFERRED_SHARE = {True: 0.85, False: 0.25}  # of what was screened positive
HIGH_RISK = {True: 0.85, False: 0.25}
Copies = Mapping[int, float]  # number of copies -> share of contents
ONCE: Copies = {1: 1.0}
THREE: Copies = {3: 1.0}
MIXED: Copies = {1: 0.7, 2: 0.2, 10: 0.1}
HALVING: Copies = {1: 0.5, 2: 0.25, 4: 0.125, 8: 0.0625, 16: 0.0625}


class Kind(NamedTuple):
    """Files that look alike: PHI or not, how far they came, their risk, and which of the two rules fired."""

    phi: bool
    stage: str
    risk: str
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Folder:
    """So many files, of which a share was scanned; PHI is so many times as frequent there as in the whole source."""

    files: int
    share: Fraction
    prevalence: float = 1.0


@dataclass(frozen=True, slots=True)
class Design:
    """How many contents are scanned, how often each is there, and which share of each stratum is verified."""

    name: str
    contents: int
    shares: Mapping[str, Fraction]
    copies: Mapping[bool, Copies]
    container: int = 0  # members of a container, half of which stand or fall together
    folders: tuple[Folder, ...] = ()  # where the scan drew from each of them apart

    def share(self, kind: Kind) -> Fraction:
        return self.shares.get(f"{kind.stage}/{kind.risk}", self.shares.get(kind.stage, Fraction(0)))

    def stratum(self, kind: Kind) -> str:
        name = f"{kind.stage}/{kind.risk}"
        return name if name in self.shares else kind.stage


def shares(referred: object, screened: object, negative: object = 0) -> dict[str, Fraction]:
    given = {REFERRED: referred, SCREENED_ONLY: screened, NEGATIVE: negative}
    return {stage: Fraction(str(share)) for stage, share in given.items()}


def by_risk(high: str, low: str) -> dict[str, Fraction]:
    return {
        f"{stage}/{risk}": Fraction(share)
        for stage in (REFERRED, SCREENED_ONLY)
        for risk, share in (("high", high), ("low", low))
    }


def alike(copies: Copies) -> dict[bool, Copies]:
    return {True: copies, False: copies}


def geometric(mean: int) -> Copies:
    """Each further copy is as likely as the one before."""
    shares = {number: (1 - 1 / mean) ** (number - 1) / mean for number in range(1, 8 * mean)}
    return {number: share / sum(shares.values()) for number, share in shares.items()}


BY_STAGE = shares("1/2", "1/4", "1/10")  # of the referred, of the screened only, of the others
SAMPLE = (Folder(100_000, Fraction(1, 20)),)
ALIKE = (Folder(90_000, Fraction(1, 20)), Folder(10_000, Fraction(1, 4)))
HALF_A_SOURCE = (Folder(10_000, Fraction(1, 2)),)
UNLIKE = (Folder(90_000, Fraction(1, 20), 0.5), Folder(10_000, Fraction(1, 4), 5.5))
DESIGNS = (
    Design("all flagged verified", 10_000, shares(1, 1), alike(ONCE)),
    Design("half of the flagged", 10_000, shares("1/2", "1/2"), alike(ONCE)),
    Design("a quarter of the flagged", 10_000, shares("1/4", "1/4"), alike(ONCE)),
    Design("high risk half, low a tenth", 10_000, by_risk("1/2", "1/10"), alike(ONCE)),
    Design("all flagged, negatives a tenth", 10_000, shares(1, 1, "1/10"), alike(ONCE)),
    Design("three stages: half, a quarter, a tenth", 10_000, BY_STAGE, alike(ONCE)),
    Design("everything verified", 10_000, shares(1, 1, 1), alike(ONCE)),
    Design("three copies each, all flagged", 10_000, shares(1, 1), alike(THREE)),
    Design("three copies each, half of the flagged", 10_000, shares("1/2", "1/2"), alike(THREE)),
    Design("one to ten copies, all flagged", 10_000, shares(1, 1), alike(MIXED)),
    Design("one to ten copies, half of the flagged", 10_000, shares("1/2", "1/2"), alike(MIXED)),
    Design("PHI five times, others once, half", 10_000, shares("1/2", "1/2"), {True: {5: 1.0}, False: ONCE}),
    Design("one to ten copies, three stages", 10_000, BY_STAGE, alike(MIXED)),
    Design("one to sixteen copies, three stages", 10_000, BY_STAGE, alike(HALVING)),
    Design("PHI one to ten times, others once, three stages", 10_000, BY_STAGE, {True: MIXED, False: ONCE}),
    Design("PHI once, others one to ten times, three stages", 10_000, BY_STAGE, {True: ONCE, False: MIXED}),
    Design("one to ten copies, everything verified", 10_000, shares(1, 1, 1), alike(MIXED)),
    Design("containers of ten, all flagged", 5_000, shares(1, 1), alike(ONCE), 10),
    Design("containers of ten, half of the flagged", 5_000, shares("1/2", "1/2"), alike(ONCE), 10),
    Design("containers of ten, three stages", 5_000, BY_STAGE, alike(ONCE), 10),
    Design("450 files, all flagged", 450, shares(1, 1), alike(ONCE)),
    Design("450 files, half of the flagged", 450, shares("1/2", "1/2"), alike(ONCE)),
    Design("one file in 20 scanned, three stages", 5_000, BY_STAGE, alike(ONCE), folders=SAMPLE),
    Design("by folder, PHI alike in both, three stages", 7_000, BY_STAGE, alike(ONCE), folders=ALIKE),
    Design(
        "by folder, PHI eleven times as frequent in one, all flagged", 7_000, shares(1, 1), alike(ONCE), folders=UNLIKE
    ),
    Design(
        "by folder, PHI eleven times as frequent in one, three stages", 7_000, BY_STAGE, alike(ONCE), folders=UNLIKE
    ),
    Design(
        "one file in 2 scanned, one to ten copies, three stages", 5_000, BY_STAGE, alike(MIXED), folders=HALF_A_SOURCE
    ),
    Design(
        "by folder, PHI eleven times as frequent in one, one to ten copies, three stages",
        7_000,
        BY_STAGE,
        alike(MIXED),
        folders=UNLIKE,
    ),
    Design(
        "by folder, PHI eleven times as frequent in one, containers of ten, all flagged",
        7_000,
        shares(1, 1),
        alike(ONCE),
        10,
        UNLIKE,
    ),
    Design(
        "by folder, PHI eleven times as frequent in one, containers of ten, three stages",
        7_000,
        BY_STAGE,
        alike(ONCE),
        10,
        UNLIKE,
    ),
)
COPIED = (
    Design("three copies each", 3_000, shares(1, 1), alike(THREE)),
    Design("three copies on average", 3_000, shares(1, 1), alike(geometric(3))),
    Design("ten copies each", 3_000, shares(1, 1), alike({10: 1.0})),
    Design("ten copies on average", 3_000, shares(1, 1), alike(geometric(10))),
)


def kinds(prevalence: float) -> dict[Kind, float]:
    """The share of each kind among contents."""
    table: dict[Kind, float] = {}
    patterns = (RULES, RULES[:1], RULES[1:])
    for phi, share in ((True, prevalence), (False, 1 - prevalence)):
        for rules, flagged in zip(patterns, FLAGGED[phi], strict=True):
            for stage, going_on in ((REFERRED, REFERRED_SHARE[phi]), (SCREENED_ONLY, 1 - REFERRED_SHARE[phi])):
                for risk, of_risk in (("high", HIGH_RISK[phi]), ("low", 1 - HIGH_RISK[phi])):
                    table[Kind(phi, stage, risk, rules)] = share * flagged * going_on * of_risk
        table[Kind(phi, NEGATIVE, "none", ())] = share * (1 - sum(FLAGGED[phi]))
    return table


def truths(table: Mapping[Kind, float], copies: Mapping[bool, Copies]) -> dict[str, float]:
    """The figures of the source itself, file by file: a content with more copies counts more."""
    size = {phi: sum(number * share for number, share in of_kind.items()) for phi, of_kind in copies.items()}
    files = {kind: share * size[kind.phi] for kind, share in table.items()}
    everything = sum(files.values())

    def of(wanted: Callable[[Kind], bool]) -> float:
        return sum(share for kind, share in files.items() if wanted(kind)) / everything

    phi = of(lambda kind: kind.phi)
    tdp = of(lambda kind: kind.phi and RULES[0] in kind.rules)
    frp = of(lambda kind: not kind.phi and RULES[0] in kind.rules)
    second = of(lambda kind: kind.phi and RULES[1] in kind.rules)
    wrong = of(lambda kind: not kind.phi and RULES[1] in kind.rules)
    tool = of(lambda kind: kind.phi and kind.stage == REFERRED)
    return {
        "TDP": tdp,
        "FRP": frp,
        "tool TDP": tool,
        "coverage": tdp + frp,
        "rTPF": tdp / second,
        "rFPF": frp / wrong,
        "exchange": (frp - wrong) / (tdp - second),
        "P[PHI]": phi,
        "TPF": tdp / phi,
        "FPF": frp / (1 - phi),
    }
