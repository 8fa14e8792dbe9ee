"""`leakscreen evaluate`: a scan and verified labels -> TDP, FRP and coverage per rule."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from evaluation.labels import read_labels
from evaluation.rates import RuleRates, rates
from leakscreen.commands.scan import quieten_beam


def run(scan: str, labels_file: Path, runner: str | None, beam: tuple[str, ...], as_json: bool) -> None:
    quieten_beam()
    labels = read_labels(labels_file)
    from pipelines.results import open_scan

    measured, verified = measure(open_scan(scan), labels, runner, beam)
    if as_json:
        print(json.dumps({**verified, "rules": [asdict(rule) for rule in measured]}, indent=2))
    else:
        from leakscreen.tables import print_rates

        print_rates(measured, verified)


def measure(
    folder: Any, labels: dict[str, bool], runner: str | None = None, beam: tuple[str, ...] = ()
) -> tuple[list[RuleRates], dict[str, Any]]:
    """Rates per rule, and what became of the labels; labels of files that the scan never saw are refused by name."""
    manifest = folder.read_manifest()
    rule_ids = manifest["rules"]["ids"]
    if runner:
        from pipelines.evaluate import count_in_beam

        counted = count_in_beam(folder, labels, rule_ids, runner, beam)
    else:
        from pipelines.measure import count_in_process

        counted = count_in_process(folder, labels, rule_ids)
    counted.require_known_labels()
    facts = {"scan_id": manifest["scan_id"], "n": counted.n, "labels": len(labels), "labelled_not_examined": counted.not_examined}
    return [rates(counts) for counts in counted.rules], facts
