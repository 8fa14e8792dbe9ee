"""`leakscreen rules test`: a file or standard input -> what each detector finds in it, and why."""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, TextIO

from rich.console import Console
from rich.markup import escape

from core.errors import SettingsError
from core.settings import load_settings
from leakscreen.commands.read_texts import read_windows
from screening.folding import folded, shown
from screening.patterns.explain import ExplainedMatch, explain_matches
from screening.patterns.patterns import Patterns
from screening.privacy.mask import mask
from screening.ruleset.ruleset import RuleSet, rules_of


def run(
    file: str,
    flags: dict[str, Any],
    config: Path | None,
    misses: bool,
    raw: bool,
    as_json: bool,
    out: TextIO | None = None,
) -> None:
    out = out or sys.stdout
    if raw and not out.isatty():
        raise SettingsError(
            "--raw shows unmasked values and works only on a terminal; without it the values are masked"
        )
    settings = load_settings(flags, config=config)
    rules = rules_of(settings.rules)
    patterns = Patterns(rules)
    for uri, text, _ in read_windows(file, settings):
        matches = _explained(patterns, text, misses)
        if as_json:
            print(
                json.dumps({"uri": uri, "findings": [_as_json(finding, text, rules, raw) for finding in matches]}),
                file=out,
            )
        else:
            _print(Console(file=out, soft_wrap=True), uri, matches, text, rules, raw)


def _explained(patterns: Patterns, text: str, misses: bool) -> list[ExplainedMatch]:
    """Matched as a scan does, in the folded text; places count in the text as it is."""
    reading = folded(text)
    found = explain_matches(patterns, reading.text, misses=misses)
    places = [reading.original(each.start, each.end) for each in found]
    return [replace(each, start=start, end=end) for each, (start, end) in zip(found, places, strict=True)]


def _shown(finding: ExplainedMatch, text: str, rules: RuleSet, raw: bool) -> str:
    value = shown(text[finding.start : finding.end])
    style = next(entry.mask for entry in rules.characteristics if entry.id == finding.characteristic)
    return value if raw else mask(value, style)


def _as_json(finding: ExplainedMatch, text: str, rules: RuleSet, raw: bool) -> dict[str, Any]:
    return {
        "start": finding.start,
        "end": finding.end,
        "value": _shown(finding, text, rules, raw),
        "characteristic": finding.characteristic,
        "detector": finding.detector,
        "counts": finding.counts,
        "score": finding.score,
        "base": finding.base,
        "threshold": finding.threshold,
        "keyword": finding.keyword,
        "validator": finding.validator,
        "valid": finding.valid,
        "raised_by": finding.raised_by,
        "lowered_by": finding.lowered_by,
        "part_of_longer": finding.part_of_longer,
        "pattern": finding.pattern,
        "reasons": list(finding.reasons),
    }


def _print(console: Console, uri: str, matches: list[ExplainedMatch], text: str, rules: RuleSet, raw: bool) -> None:
    if uri:
        console.print(f"[bold]{escape(uri)}[/bold]")
    for finding in matches:
        line = text.count("\n", 0, finding.start) + 1
        mark = "[green]found[/green]" if finding.counts else "[dim]left[/dim] "
        value = escape(_shown(finding, text, rules, raw))
        place = f"line {line}, {finding.start}–{finding.end}"
        console.print(f"{mark} {place}  {value}  {finding.characteristic} by [bold]{finding.detector}[/bold]")
        for reason in finding.reasons:
            console.print(f"        {escape(reason)}", style="dim")
    if not matches:
        console.print("no pattern matches")
