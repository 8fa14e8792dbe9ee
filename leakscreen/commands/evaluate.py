"""`leakscreen evaluate`: a scan and verified labels -> TDP, FRP and coverage per rule, misses, what to verify next."""

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from core.errors import LabelError
from evaluation.audit import Audit, Fractions, Rate, fractions, missed
from evaluation.labels import Label
from evaluation.planning import plan
from evaluation.rates import RuleRates, rates
from evaluation.sampling import PHI, SampledRates, sampled_interval, sampled_rates, total
from leakscreen.commands.scan import quieten_beam
from pipelines.sampling.strata import PARTED, Strata

Measured = Sequence[RuleRates | SampledRates]


def run(
    scan: str,
    labels_file: Path,
    audit_file: Path | None,
    width: float | None,
    runner: str | None,
    beam: tuple[str, ...],
    as_json: bool,
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
    counted = count(folder, manifest, str(labels_file), str(audit_file) if audit_file else None, runner, beam)
    measured = measured_rules(counted, drawn_share(manifest), Strata.of(manifest))
    document = {**facts(manifest, counted), "rules": [asdict(rule) for rule in measured]}
    audited = (
        Audit(counted.n - counted.sums.screened, sum(counted.sums.audited.values()), counted.sums.audited[PHI])
        if audit_file
        else None
    )
    positive_fractions = true_positive_fractions(counted, measured, audited) if audited else []
    plans = [plan(rule, width) for rule in counted.rules] if width is not None else []
    if as_json:
        if audited:
            document["audit"] = {**asdict(missed(audited)), "rules": [asdict(one) for one in positive_fractions]}
        if width is not None:
            document["plan"] = [asdict(one) for one in plans]
        print(json.dumps(document, indent=2))
        return
    from leakscreen.console.rates import print_audit, print_plans, print_rates

    print_rates(measured, document)
    if audited:
        print_audit(missed(audited), positive_fractions)
    if plans:
        print_plans(plans)


def measure(folder: Any, labels: dict[str, bool]) -> tuple[Measured, dict[str, Any]]:
    """Rates per rule, and how many labels counted; a label of a file that the scan never saw raises an error."""
    from pipelines.measure.count import count_in_process

    manifest = folder.read_manifest()
    strata = Strata.of(manifest)
    counted = count_in_process(
        folder, {uri: Label(phi) for uri, phi in labels.items()}, manifest["rules"]["ids"], strata=strata
    )
    counted.misplaced.refuse()
    return measured_rules(counted, drawn_share(manifest), strata), facts(manifest, counted)


def count(
    folder: Any,
    manifest: dict[str, Any],
    labels: str,
    audit: str | None = None,
    runner: str | None = None,
    beam: tuple[str, ...] = (),
    pair: tuple[str, str] | None = None,
) -> Any:
    """A pipelines.measure.Counted, by Beam where a runner is named; what cannot count is refused by name."""
    rule_ids, strata = manifest["rules"]["ids"], Strata.of(manifest)
    if strata is not None and (audit or pair):
        raise LabelError(
            "this scan is a sample drawn folder by folder; audits and comparisons need a plain sample: "
            "scan again without --sample-by folder"
        )
    if runner:
        from pipelines.measure.count_in_beam import count_in_beam

        counted = count_in_beam(folder, labels, rule_ids, runner, beam, audit=audit, pair=pair, strata=strata)
    else:
        from pipelines.measure.count import count_in_process
        from pipelines.measure.labels import read_labels_of

        verified = read_labels_of(labels)
        counted = count_in_process(
            folder, verified, rule_ids, audit=read_labels_of(audit) if audit else None, pair=pair, strata=strata
        )
    counted.misplaced.refuse()
    return counted


def measured_rules(counted: Any, share: Fraction = Fraction(1), parts: Strata | None = None) -> Measured:
    """If only a random `share` of the files was scanned, each counts 1/share times, with the uncertainty of the draw.

    If the sample was drawn folder by folder (`parts`), the share is that of the file's folder.
    """
    if not counted.sums.sampled and share == 1:
        return [rates(counts) for counts in counted.rules]
    measured = []
    for counts in counted.rules:
        verified = counted.sums.strata(counts.rule)
        if parts is None:
            n, positive = counts.n / share, counts.positive / share
            strata = [replace(stratum, probability=stratum.probability * share) for stratum in verified]
        else:
            n, positive = counted.sums.weighed(parts.share), counted.sums.weighed(parts.share, counts.rule)
            strata = [
                replace(stratum, probability=stratum.probability * parts.share(stratum.name.partition(PARTED)[0]))
                for stratum in verified
            ]
        measured.append(sampled_rates(counts.rule, round(n), round(positive), strata))
    return measured


def drawn_share(manifest: dict[str, Any]) -> Fraction:
    """The probability that a walked file was scanned."""
    sample = (manifest.get("walk") or {}).get("sample")
    return Fraction(sample["probability"]) if sample else Fraction(1)


def facts(manifest: dict[str, Any], counted: Any) -> dict[str, Any]:
    return {
        "scan_id": manifest["scan_id"],
        "n": counted.n,
        "screened_positive": counted.sums.screened,
        "labels": counted.labels,
        "labelled_not_examined": counted.not_examined,
        "sampled": counted.sums.sampled,
        "scanned_share": float(drawn_share(manifest)),
        "level": 0.95,
    }


def true_positive_fractions(counted: Any, measured: Measured, audit: Audit) -> list[Fractions]:
    """PHI files are those screened positive and verified, plus those that the audit estimates."""
    n, screened = counted.n, counted.sums.screened_strata()
    results = []
    for rule in measured:
        if rule.tdp is None or rule.frp is None or rule.tdp_interval is None or rule.frp_interval is None or not n:
            continue
        elsewhere = max(0.0, float(total(screened, PHI) / n) - rule.tdp)
        limits = sampled_interval(screened, PHI, n) or (0.0, 1.0)
        away = (
            Rate(elsewhere, max(0.0, min(elsewhere, limits[0] - rule.tdp)), max(elsewhere, limits[1] - rule.tdp))
            if elsewhere
            else Rate(0.0, 0.0, 0.0)
        )
        results.append(
            fractions(rule.rule, n, Rate(rule.tdp, *rule.tdp_interval), Rate(rule.frp, *rule.frp_interval), away, audit)
        )
    return results
