"""Rates, comparisons, audits and plans -> tables and sentences for a terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table

from evaluation.audit import Fractions, Missed
from evaluation.comparison import Comparison
from evaluation.comparison_in_words import in_words
from evaluation.planning import Plan
from evaluation.rates import RuleRates
from evaluation.sampling import SampledRates
from leakscreen.console.summary import UNDEFINED, between, console_for, rate


def print_rates(measured: Sequence[RuleRates | SampledRates], facts: Mapping[str, Any]) -> None:
    console = console_for()
    table = Table(
        title=f"Rules measured on {facts['n']:,} examined files (with 95 % intervals)", title_justify="left", box=None
    )
    table.add_column("rule", no_wrap=True)
    for column in ("n+", "verified", "TDP", "", "FRP", "", "coverage"):
        table.add_column(column, justify="right", no_wrap=True)
    for rule in sorted(measured, key=lambda rule: (-(rule.tdp or 0.0), rule.frp or 0.0, rule.rule)):
        if rule.positive:
            mark = _mark(rule)
            tdp, frp = mark + rate(rule.tdp), mark + rate(rule.frp)
            spread = (between(rule.tdp_interval), between(rule.frp_interval))
            table.add_row(
                rule.rule,
                f"{rule.positive:,}",
                f"{rule.verified:,}",
                tdp,
                spread[0],
                frp,
                spread[1],
                rate(rule.coverage),
            )
    console.print(table)
    silent = [rule.rule for rule in measured if not rule.positive]
    if silent:
        console.print(
            f"Rules that fired on no file ({len(silent)}): {', '.join(silent)}", markup=False, highlight=False
        )
    marks = {_mark(rule) for rule in measured if rule.positive}
    if "≥" in marks:
        console.print("≥: not all of the rule's files were verified (or could be drawn), so its rates are lower bounds")
    if "~" in marks:
        console.print(
            "~: estimated from a verified sample; each file is weighted by 1/(its probability of being drawn)"
        )
    if facts.get("scanned_share", 1) < 1:
        console.print(
            f"The scan was a random sample of {facts['scanned_share']:.2%} of the files;"
            " n+ and the rates are estimates for all of them",
            markup=False,
            highlight=False,
        )
    if facts["labelled_not_examined"]:
        console.print(f"{facts['labelled_not_examined']} labelled files were not examined and do not count")


def _mark(rule: RuleRates | SampledRates) -> str:
    if rule.tdp is None:
        return ""
    if isinstance(rule, SampledRates):
        return "~" if rule.frame_covered else "≥"
    return "" if rule.fully_verified else "≥"


def print_audit(missed: Missed, fractions: Sequence[Fractions]) -> None:
    console = console_for()
    if missed.share is None or missed.files is None or missed.share_upper is None or missed.files_upper is None:
        console.print("Audit: no negative was verified, so it is unknown what was missed")
        return
    console.print(
        f"Audit: {missed.phi:,} of {missed.verified:,} verified negatives contained PHI."
        f" The {missed.negatives:,} screened-negative files include about {missed.files:,.0f} PHI files,"
        f" and at most {missed.files_upper:,.0f} (95 %, a share of {rate(missed.share_upper)}).",
        highlight=False,
    )
    table = Table(box=None)
    table.add_column("rule", no_wrap=True)
    for column in ("TPF", "", "FPF", ""):
        table.add_column(column, justify="right", no_wrap=True)
    for one in sorted(fractions, key=lambda one: (-(one.tpf or 0.0), one.rule)):
        if one.tpf is not None:
            table.add_row(one.rule, rate(one.tpf), between(one.tpf_interval), rate(one.fpf), between(one.fpf_interval))
    console.print(table)


def print_plans(plans: Sequence[Plan]) -> None:
    console = console_for()
    table = Table(
        title=f"To reduce both intervals to a width of {plans[0].width:g}" if plans else None,
        title_justify="left",
        box=None,
    )
    table.add_column("rule", no_wrap=True)
    for column in ("verified", "unverified", "width now", "verify more", ""):
        table.add_column(column, justify="right", no_wrap=True)
    for one in plans:
        if one.verified + one.unverified:
            more = UNDEFINED if one.more is None else f"{one.more:,}"
            table.add_row(
                one.rule, f"{one.verified:,}", f"{one.unverified:,}", rate(one.width_now), more, _instead(one)
            )
    console.print(table)


def _instead(plan: Plan) -> str:
    if plan.more is not None:
        return ""
    files = "" if plan.scan_files is None else f"; scan {plan.scan_files:,} files"
    return f"verifying all would leave {rate(plan.width_at_best)}{files}"


def print_comparison(comparison: Comparison) -> None:
    console = console_for()
    table = Table(
        title=f"{comparison.first} beside {comparison.second}, on {comparison.n:,} examined files",
        title_justify="left",
        box=None,
    )
    table.add_column("")
    for column in ("both", f"only {comparison.first}", f"only {comparison.second}", "ratio", "", "p"):
        table.add_column(column, justify="right", no_wrap=True)
    for name, ratio in (("PHI files (rTPF)", comparison.rtpf), ("false referrals (rFPF)", comparison.rfpf)):
        counts = (_count(ratio.both), _count(ratio.first_only), _count(ratio.second_only))
        table.add_row(name, *counts, rate(ratio.ratio), between(ratio.interval), rate(ratio.p_value))
    console.print(table)
    console.print(in_words(comparison), highlight=False, markup=False, soft_wrap=True)
    if comparison.unverified and not comparison.sampled:
        console.print(
            f"{comparison.unverified:,} files that one of the rules flagged are not verified;"
            " these figures count only the others"
        )


def _count(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"
