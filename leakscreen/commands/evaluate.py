"""`leakscreen evaluate`: a scan and verified labels -> TDP, FRP and coverage per rule, misses, what to verify next."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Any

from core.errors import LabelError
from evaluation.audit import Fractions, StageLoss, fractions, stage_loss
from evaluation.design import REFERRED, STAGES
from evaluation.estimate import RuleRates, row_rates
from evaluation.keys import ALL
from evaluation.labels import Label
from evaluation.planning import plan
from evaluation.rows import Row
from leakscreen.commands.scan import quieten_beam
from pipelines.measure.units import Unit
from pipelines.sampling.strata import Strata

Measured = Sequence[RuleRates]


def run(
    scan: str,
    labels_file: Path,
    audit_file: Path | None,
    width: float | None,
    runner: str | None,
    beam: tuple[str, ...],
    as_json: bool,
    unit: str = Unit.RECORD.value,
) -> None:
    quieten_beam()
    if width is not None and not 0 < width < 1:
        raise LabelError("--plan-width must be above 0 and below 1, such as 0.01")
    for file in (labels_file, audit_file):
        if file is not None and not file.is_file():
            raise LabelError(f"{file}: no such file of labels")
    from pipelines.results.folder import open_scan

    folder = open_scan(scan)
    manifest = folder.read_manifest()
    audit = str(audit_file) if audit_file else None
    counted = count(folder, manifest, str(labels_file), audit, runner, beam, unit=Unit(unit))
    rows = rows_of(counted)
    measured = [row_rates(row) for row in rows]
    losses = [stage_loss(counted.sums.stage(stage)) for stage in STAGES]
    positive_fractions = [fractions_of(counted, row) for row in rows]
    plans = [plan(row, width) for row in rows] if width is not None else []
    document = {
        **facts(manifest, counted, Unit(unit)),
        "rules": [asdict(rule) for rule in measured],
        "stages": [asdict(one) for one in losses],
        "fractions": [asdict(one) for one in positive_fractions],
    }
    if as_json:
        if width is not None:
            document["plan"] = [asdict(one) for one in plans]
        print(json.dumps(document, indent=2))
        return
    _print(measured, document, losses, positive_fractions, plans)


def _print(
    measured: Measured,
    document: dict[str, Any],
    losses: Sequence[StageLoss],
    positive_fractions: Sequence[Fractions],
    plans: Sequence[Any],
) -> None:
    from leakscreen.console.rates import print_fractions, print_plans, print_rates, print_stages

    print_rates(measured, document)
    print_stages(losses)
    flagging = {rule.rule for rule in measured if rule.positive}
    print_fractions([one for one in positive_fractions if one.rule in flagging])
    if plans:
        print_plans(plans)


def measure(folder: Any, labels: dict[str, bool]) -> tuple[Measured, dict[str, Any]]:
    """Rates per rule, and how many labels counted; a label of a file that the scan never saw raises an error."""
    from pipelines.measure.count import count_in_process

    manifest = folder.read_manifest()
    verified = {uri: Label(phi) for uri, phi in labels.items()}
    counted = count_in_process(
        folder, verified, manifest["rules"]["ids"], strata=Strata.of(manifest), share=drawn_share(manifest)
    )
    counted.misplaced.refuse()
    return measured_rules(counted), facts(manifest, counted)


def count(
    folder: Any,
    manifest: dict[str, Any],
    labels: str,
    audit: str | None = None,
    runner: str | None = None,
    beam: tuple[str, ...] = (),
    pair: tuple[str, str] | None = None,
    unit: Unit = Unit.RECORD,
) -> Any:
    """A pipelines.measure.Counted, by Beam where a runner is named; what cannot count is refused by name."""
    rule_ids = manifest["rules"]["ids"]
    design: dict[str, Any] = {
        "pair": pair,
        "strata": Strata.of(manifest),
        "share": drawn_share(manifest),
        "unit": unit,
    }
    if runner:
        from pipelines.measure.count_in_beam import count_in_beam

        counted = count_in_beam(folder, labels, rule_ids, runner, beam, audit=audit, **design)
    else:
        from pipelines.measure.count import count_in_process
        from pipelines.measure.labels import read_labels_of

        verified = read_labels_of(labels)
        counted = count_in_process(folder, verified, rule_ids, audit=read_labels_of(audit) if audit else None, **design)
    counted.misplaced.refuse()
    return counted


def rows_of(counted: Any) -> list[Row]:
    """The tool as a whole, and each rule."""
    return [counted.sums.row(rule) for rule in (REFERRED, *counted.sums.ids(counted.rule_ids))]


def measured_rules(counted: Any) -> Measured:
    return [row_rates(row) for row in rows_of(counted)]


def fractions_of(counted: Any, row: Row) -> Fractions:
    return fractions(row, counted.sums.rest(row.rule), counted.sums.row(ALL))


def drawn_share(manifest: dict[str, Any]) -> Fraction:
    """The probability that a walked file was scanned."""
    sample = (manifest.get("walk") or {}).get("sample")
    return Fraction(sample["probability"]) if sample else Fraction(1)


def facts(manifest: dict[str, Any], counted: Any, unit: Unit = Unit.RECORD) -> dict[str, Any]:
    drawn, judged = counted.sums.drawn_and_judged()
    return {
        "scan_id": manifest["scan_id"],
        "unit": unit.value,
        "n": counted.n,
        "screened_positive": counted.sums.screened,
        "referred": counted.sums.stages[REFERRED],
        "labels": counted.labels,
        "labelled_not_examined": counted.not_examined,
        "labelled_containers": counted.on_containers,
        "drawn": drawn,
        "drawn_not_labelled": drawn - judged,
        "sampled": counted.sums.sampled,
        "scanned_share": float(drawn_share(manifest)),
        "scanned_by_folder": Strata.of(manifest) is not None,
        "level": 0.95,
    }
