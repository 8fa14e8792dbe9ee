"""`leakscreen compare`: two rules, a scan and verified labels -> which rule finds more, at what cost, how surely."""

import json
from dataclasses import asdict
from pathlib import Path

from core.errors import RuleError
from evaluation.comparison import compare
from evaluation.comparison_in_words import in_words
from evaluation.design import REFERRED
from leakscreen.commands.evaluate import count
from leakscreen.commands.scan import quieten_beam
from pipelines.measure.units import Unit


def run(
    first: str,
    second: str,
    scan: str,
    labels_file: Path,
    runner: str | None,
    beam: tuple[str, ...],
    as_json: bool,
    unit: str = Unit.RECORD.value,
) -> None:
    quieten_beam()
    from leakscreen.console.rates import print_comparison
    from pipelines.results.folder import open_scan

    folder = open_scan(scan)
    manifest = folder.read_manifest()
    rule_ids = manifest["rules"]["ids"]
    for rule in (first, second):
        if rule not in (REFERRED, *rule_ids):
            raise RuleError(f"{rule}: the scan had no such rule; it had {', '.join((REFERRED, *rule_ids))}")
    if first == second:
        raise RuleError(f"{first}: give two different rules")
    counted = count(folder, manifest, str(labels_file), None, runner, beam, (first, second), Unit(unit))
    comparison = compare(counted.sums.pair(first, second))
    if as_json:
        print(
            json.dumps(
                {
                    "scan_id": manifest["scan_id"],
                    "unit": unit,
                    **asdict(comparison),
                    "in_words": in_words(comparison),
                },
                indent=2,
            )
        )
    else:
        print_comparison(comparison, unit)
