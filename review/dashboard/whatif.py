"""Another radius, or two rules joined -> the TDP, FRP and workload that the verified files imply."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.cells import Flags
from evaluation.comparison import Comparison, compare
from review.dashboard.choice import Choice
from review.dashboard.figures import Figures, RuleShape
from review.dashboard.measuring import measured, sums_for, verified_cells
from review.dashboard.plots import Column, Plot
from review.dashboard.rules import _RATES, rate_row
from review.templatetags.wording import rule_words
from review.translation import gettext
from review.translation import gettext_lazy as _

WIDEST = 8
JOINS = {"": "alone", "or": "or", "and": "and", "not": "but not"}


@dataclass(frozen=True, slots=True)
class Trial:
    rule: str
    radius: int
    join: str = ""
    other: str = ""
    other_radius: int = 0

    @property
    def words(self) -> str:
        first = f"{self.rule} within {self.radius}"
        return f"{first} {JOINS[self.join]} {self.other} within {self.other_radius}" if self.join else first

    @property
    def said(self) -> str:
        """The same in the reader's language."""
        first = _within(self.rule, self.radius)
        other = _within(self.other, self.other_radius)
        return f"{first} {gettext(JOINS[self.join])} {other}" if self.join else first


def _within(rule: str, radius: int) -> str:
    return gettext("%(rule)s within %(radius)s") % {"rule": rule_words(rule), "radius": radius}


@dataclass(frozen=True, slots=True)
class Outcome:
    """Of the `flagged` files, the present rule misses the `new` ones, and nobody has judged the `unverified` ones."""

    trial: Trial
    flagged: int
    new: int
    unverified: int
    referred_now: int
    plot: Plot
    curve: Plot
    beside: Comparison | None


def within(figures: Figures, shape: RuleShape, radius: int) -> Flags:
    """Which cells have a prototype of the rule within so many bits."""
    if not shape.prototypes:
        return np.zeros(len(figures.cells.files), dtype=bool)
    bits, care = (np.array([prototype[place] for prototype in shape.prototypes], dtype=np.uint64) for place in (0, 1))
    nearest = np.full(len(figures.cells.files), 255, dtype=np.uint8)
    for one, cared in zip(bits, care, strict=True):
        np.minimum(nearest, np.bitwise_count((figures.cells.bits ^ one) & cared), out=nearest)
    found: Flags = nearest <= radius
    return found


def flags_of(figures: Figures, trial: Trial) -> Flags:
    shapes = {shape.id: shape for shape in figures.shapes}
    first = within(figures, shapes[trial.rule], trial.radius)
    if not trial.join:
        return first
    second = within(figures, shapes[trial.other], trial.other_radius)
    return {"or": first | second, "and": first & second, "not": first & ~second}[trial.join]


def tried(choice: Choice, trial: Trial) -> Outcome | None:
    figures = choice.figures
    if choice.scan is None or figures is None:
        return None
    verified, flags = verified_cells(choice.scan.pk, figures), flags_of(figures, trial)
    sums = sums_for(figures, verified, choice.source, (trial.words, trial.rule), {trial.words: flags})
    now, then = (measured(sums, [name])[0] for name in (trial.rule, trial.words))
    before = figures.cells.fired[:, figures.rules.index(trial.rule)]
    inside = (
        np.ones(len(flags), dtype=bool) if not choice.source else figures.cells.source == _place(figures, choice.source)
    )
    kept = figures.cells.files * inside
    rows = [
        [gettext("as it is: %s") % rule_words(trial.rule), *rate_row(now)[1:]],
        [trial.said, *rate_row(then)[1:]],
    ]
    return Outcome(
        trial,
        flagged=int(kept[flags].sum()),
        new=int(kept[flags & ~before].sum()),
        unverified=then.positive - then.verified,
        referred_now=int((figures.cells.referred * inside)[flags].sum()),
        plot=Plot(
            "trial",
            "rates",
            _("As it is, and as tried"),
            _("What the files that people have verified so far imply."),
            _RATES,
            rows,
            table_first=True,
        ),
        curve=_curve(figures, choice, trial, verified),
        beside=compare(sums.pair(trial.words, trial.rule)) if then.verified and now.verified else None,
    )


def _curve(figures: Figures, choice: Choice, trial: Trial, verified: Sequence[Any]) -> Plot:
    """All radii at once, to show where false referrals begin to outnumber detections."""
    steps = [Trial(trial.rule, radius, trial.join, trial.other, trial.other_radius) for radius in range(WIDEST + 1)]
    named = {step.words: flags_of(figures, step) for step in steps}
    sums = sums_for(figures, verified, choice.source, None, named)
    rates = {rule_rates.rule: rule_rates for rule_rates in measured(sums, list(named))}
    rows = []
    for name, step in zip(named, steps, strict=True):
        rule_rates = rates[name]
        rows.append(
            [
                step.radius,
                rule_rates.positive,
                rule_rates.verified,
                rule_rates.positive - rule_rates.verified,
                rule_rates.tdp,
                rule_rates.frp,
            ]
        )
    columns = (
        Column("radius", _("Radius"), "count"),
        Column("positive", _("Flagged files"), "count"),
        Column("verified", _("Verified"), "count"),
        Column("unverified", _("To be judged"), "count"),
        Column("tdp", _("TDP"), "rate"),
        Column("frp", _("FRP"), "rate"),
    )
    note = _(
        "Files that the rule would flag at each radius, and how many of them nobody has judged:"
        " those may or may not contain PHI."
    )
    return Plot("radius", "radius", _("Workload by radius"), note, columns, rows, options={"chosen": trial.radius})


def _place(figures: Figures, source: str) -> int:
    return figures.sources.index(source) if source in figures.sources else -1
