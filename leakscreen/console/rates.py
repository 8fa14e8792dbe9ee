"""Rates, comparisons, stages and plans -> tables and sentences for a terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.table import Table

from evaluation.audit import Fractions, StageLoss
from evaluation.comparison import Comparison, Ratio
from evaluation.comparison_in_words import in_words
from evaluation.design import REFERRED, SCREENED_ONLY
from evaluation.estimate import RuleRates
from evaluation.planning import Plan
from evaluation.rates import Interval
from leakscreen.console.summary import UNDEFINED, between, console_for, rate

_FEW = "*: estimated from fewer than 10 contents of the kind (unequal ones count for fewer), so a rough interval"
_UNITS = {"record": "examined files", "file": "examined files on disk", "content": "different contents"}


def print_rates(measured: Sequence[RuleRates], facts: Mapping[str, Any]) -> None:
    console = console_for()
    unit = _UNITS[facts.get("unit", "record")]
    table = Table(title=f"Measured on {facts['n']:,} {unit} (with 95 % intervals)", title_justify="left", box=None)
    table.add_column("rule", no_wrap=True)
    for column in ("n+", "verified", "TDP", "", "FRP", "", "coverage"):
        table.add_column(column, justify="right", no_wrap=True)
    for rule in sorted(_shown(measured), key=_order):
        table.add_row(
            rule.rule,
            f"{rule.positive:,}",
            f"{rule.verified:,}",
            _value(rule, rule.tdp, rule.tdp_bounds),
            _spread(rule.tdp_interval, rule.tdp_bounds, rule.tdp_few),
            _value(rule, rule.frp, rule.frp_bounds),
            _spread(rule.frp_interval, rule.frp_bounds, rule.frp_few),
            rate(rule.coverage),
            style="bold" if rule.rule == REFERRED else None,
        )
    console.print(table)
    _explain(console, measured, facts)


def _shown(measured: Sequence[RuleRates]) -> list[RuleRates]:
    return [rule for rule in measured if rule.positive or rule.rule == REFERRED]


def _order(rule: RuleRates) -> tuple[bool, float, float, str]:
    return rule.rule != REFERRED, -(rule.tdp or 0.0), rule.frp or 0.0, rule.rule


def _explain(console: Any, measured: Sequence[RuleRates], facts: Mapping[str, Any]) -> None:
    said = [f"{REFERRED}: the tool as a whole, what both stages let through"]
    silent = [rule for rule in measured if not rule.positive and rule.rule != REFERRED]
    if silent:
        limit = silent[0].tdp_interval
        names = ", ".join(rule.rule for rule in silent)
        said.append(
            f"Rules that fired on no file ({len(silent)}; TDP and FRP 0 of {facts['n']:,}"
            + (f", at most {rate(limit[1])}): {names}" if limit else f"): {names}")
        )
    if any(rule.bounded for rule in measured):
        said.append(
            "≥ and ≤: in some stage no verified file or draw speaks for the rule's files,"
            " so these are its worst cases and no interval"
        )
    if any(rule.sampled and not rule.bounded for rule in measured):
        said.append(
            "~: estimated from a verified sample, row by row calibrated to the number of files that the rule flagged;"
            " so by chance a TDP may exceed P[PHI]"
        )
    if any(rule.tdp_few or rule.frp_few for rule in _shown(measured)):
        said.append(_FEW)
    if facts.get("scanned_share", 1) < 1:
        said.append(
            f"The scan was a random sample of {facts['scanned_share']:.2%} of the files;"
            " n+ and the rates are estimates for all of them"
        )
    if facts.get("drawn_not_labelled"):
        said.append(
            f"{facts['drawn_not_labelled']:,} of {facts['drawn']:,} drawn files have no label; the others stand for"
            " them, which holds if nobody chose which to leave out"
        )
    if facts["labelled_not_examined"]:
        said.append(f"{facts['labelled_not_examined']} labelled files were not examined and do not count")
    if facts.get("labelled_containers"):
        said.append(
            f"{facts['labelled_containers']} labels name containers (archives, mails), which have no text of their own:"
            " label their members, or count files on disk by --unit file"
        )
    for line in said:
        console.print(line, markup=False, highlight=False)


def _value(rule: RuleRates, value: float | None, bounds: Interval | None) -> str:
    if value is None:
        return rate(value)
    return f"≥{rate(bounds[0])}" if bounds else ("~" if rule.sampled else "") + rate(value)


def _spread(interval: Interval | None, bounds: Interval | None, few: bool) -> str:
    return f"{between(interval)}{'*' * few}" if bounds is None else f"≤{rate(bounds[1])}"


def print_stages(losses: Sequence[StageLoss]) -> None:
    """What each stage lost is what the files behind it hold."""
    console = console_for()
    for loss in losses:
        if loss.stage == REFERRED:
            continue
        who = "The health stage" if loss.stage == SCREENED_ONLY else "Screening"
        left = f"left {loss.files:,} {'file' if loss.files == 1 else 'files'} behind ({loss.stage}); "
        console.print(f"{who} {left}{_lost(loss)}", highlight=False, soft_wrap=True)


def _lost(loss: StageLoss) -> str:
    if not loss.files:
        return "nothing could be lost there"
    if loss.phi_files_bounds is not None:
        low, high = loss.phi_files_bounds
        verified = (
            f"only {loss.verified:,} of them verified, and not a random draw" if loss.verified else "none verified"
        )
        return f"{verified}, so {low:,.0f} to {high:,.0f} contain PHI"
    if loss.verified == loss.files:
        return f"{loss.phi:,} of them contained PHI"
    about = f"{loss.phi_files or 0:,.0f}"
    files = f"about {about} {'file' if about == '1' else 'files'}"
    seen = f"{loss.phi:,} of {loss.verified:,} verified ones contained PHI"
    return f"{seen}: {files}, and at most {loss.phi_files_upper or 0:,.0f} (95 %, a share of {rate(loss.share_upper)})"


def print_fractions(fractions: Sequence[Fractions]) -> None:
    console = console_for()
    told = [one for one in fractions if one.tpf is not None or one.prevalence is not None or _informative(one)]
    if not told:
        return
    first = told[0]
    whole = _either(first.prevalence, first.prevalence_interval, first.prevalence_bounds, first.prevalence_few)
    table = Table(title=f"P[PHI] {whole}")
    table.title_justify, table.box = "left", None
    table.add_column("rule", no_wrap=True)
    for column in ("TPF", "FPF"):
        table.add_column(column, justify="right", no_wrap=True)
    for one in sorted(told, key=lambda one: (one.rule != REFERRED, -(one.tpf or 0.0), one.rule)):
        table.add_row(
            one.rule,
            _either(one.tpf, one.tpf_interval, one.tpf_bounds, one.tpf_few),
            _either(one.fpf, one.fpf_interval, one.fpf_bounds, one.fpf_few),
        )
    console.print(table)
    if any(one.prevalence_few or one.tpf_few or one.fpf_few for one in told):
        console.print(_FEW, markup=False, highlight=False)
    if any(one.tpf_bounds for one in told):
        console.print("[from, to]: worst cases, since not all stages are covered by labels", markup=False)


def _informative(one: Fractions) -> bool:
    return one.prevalence_bounds is not None and one.tpf_bounds not in (None, (0.0, 1.0))


def _either(value: float | None, interval: Interval | None, bounds: Interval | None, few: bool) -> str:
    if bounds is not None:
        return f"[{rate(bounds[0])}, {rate(bounds[1])}]"
    return f"{rate(value)} {between(interval)}{'*' * few}"


def print_plans(plans: Sequence[Plan]) -> None:
    console = console_for()
    table = Table(
        title=f"To reduce both intervals to a width of {plans[0].width:g}" if plans else None,
        title_justify="left",
        box=None,
    )
    table.add_column("rule", no_wrap=True)
    for column in ("verified", "unverified", "width now", "verify more", "all verified", "files to scan"):
        table.add_column(column, justify="right", no_wrap=True)
    for one in plans:
        if one.verified + one.unverified:
            table.add_row(
                one.rule,
                f"{one.verified:,}",
                f"{one.unverified:,}",
                rate(one.width_now),
                UNDEFINED if one.more is None else f"{one.more:,}",
                rate(one.width_at_best),
                "" if one.scan_files is None else f"{one.scan_files:,}",
            )
    console.print(table)
    if any(one.scan_files is not None for one in plans):
        console.print("all verified: the width if every file were; where it is too wide, scan so many files instead")


def print_comparison(comparison: Comparison, unit: str = "record") -> None:
    console = console_for()
    table = Table(
        title=f"{comparison.first} compared with {comparison.second}, on {comparison.n:,} {_UNITS[unit]}",
        title_justify="left",
        box=None,
    )
    table.add_column("")
    for column in ("both", f"only {comparison.first}", f"only {comparison.second}", "ratio", "", "p"):
        table.add_column(column, justify="right", no_wrap=True)
    for name, ratio in (("PHI files (rTPF)", comparison.rtpf), ("false referrals (rFPF)", comparison.rfpf)):
        counts = (_count(ratio.both), _count(ratio.first_only), _count(ratio.second_only))
        table.add_row(name, *counts, *_ratio(ratio), _chance(ratio.p_value))
    console.print(table)
    if comparison.rtpf.few or comparison.rfpf.few:
        console.print("*: fewer than 10 files tell the rules apart (copies count for fewer), so a rough interval")
    if comparison.sampled:
        console.print("The numbers of files are estimated from a verified sample")
    console.print(in_words(comparison), highlight=False, markup=False, soft_wrap=True)


def _chance(p: float | None) -> str:
    return "<0.0001" if p is not None and p < 0.00005 else rate(p)


def _ratio(ratio: Ratio) -> tuple[str, str]:
    if ratio.bounds is None:
        return rate(ratio.ratio), f"{between(ratio.interval)}{'*' * ratio.few}"
    low, high = ratio.bounds
    return f"≥{rate(low)}" if low or high is not None else UNDEFINED, "" if high is None else f"≤{rate(high)}"


def _count(value: float) -> str:
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"
