"""`leakscreen refer`: the positives of a scan -> referrals in the review service; repeated, it changes nothing."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from core.errors import OutputError
from core.records import EXAMINED
from evaluation.draw import Reservoir
from leakscreen.commands.settings import load_and_configure_log
from review.service.configuration import configure

NEGATIVE_STRATUM = "screened negative"


def run(scan: str, flags: dict[str, Any], config: Path | None, screened: bool, negatives: int, as_json: bool) -> None:
    settings = load_and_configure_log(flags, config)
    configure(settings)
    from pipelines.results.folder import open_scan
    from review.models import Kind
    from review.referrals.intake import COLUMNS, Intake
    from review.referrals.sampling import draw_scan
    from review.service.first_start import ready_database

    folder = open_scan(scan)
    manifest = folder.read_manifest()
    folder.read_summary()  # an unfinished scan is refused here
    facts = _facts(folder, manifest)
    ready_database()
    told: dict[str, Any] = {"scan_id": facts.id}
    import pyarrow.compute as pc

    wanted = pc.field("screened_positive" if screened else "referred")
    told |= asdict(Intake(facts).take(folder.rows(COLUMNS, where=wanted)))
    plans = draw_scan(facts.id)
    told["samples"] = {plan.queue.name: plan.strata for plan in plans}
    told["counted"] = _count(folder, manifest, facts.id, screened)
    if negatives:
        told["negatives"] = asdict(
            Intake(facts, Kind.NEGATIVE).take(_negatives(folder, negatives, settings.review.seed, COLUMNS))
        )
    _print(told, as_json)


def _count(folder: Any, manifest: dict[str, Any], scan_id: str, screened: bool) -> int:
    """What the dashboard shows of the scan, from all its rows."""
    from pipelines.bundle.bundle import rules_in
    from review.dashboard.aggregate import COLUMNS, Aggregate, ScanNumbers
    from review.dashboard.figures import RuleShape

    summary = folder.read_summary()
    shapes = tuple(
        RuleShape(rule.id, rule.radius, rule.screens, tuple((each.bits, each.care) for each in rule.prototypes))
        for rule in rules_in(folder.bundle).rules
    )
    stages = tuple((name, float(each["seconds"]), int(each["bytes"])) for name, each in summary["stages"].items())
    return Aggregate(ScanNumbers(scan_id, shapes, stages, float(summary["seconds"])), screened).take(
        folder.rows(COLUMNS)
    )


def _facts(folder: Any, manifest: dict[str, Any]) -> Any:
    from review.referrals.intake import ScanFacts

    try:
        return ScanFacts(
            id=manifest["scan_id"],
            folder=folder.uri,
            sources=tuple(manifest["sources"]),
            started=datetime.fromisoformat(manifest["started"]),
            rules_sha256=manifest["rules"]["sha256"],
            model_sha256=manifest["health_model"]["sha256"],
        )
    except (KeyError, TypeError, ValueError):
        raise OutputError(f"{folder.manifest}: lacks what a referral needs; scan again") from None


def _negatives(folder: Any, count: int, seed: int, columns: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """So many of the examined files that no rule referred to the health stage, each with the same chance."""
    import pyarrow.compute as pc

    where = ~pc.field("screened_positive") & pc.field("status").isin([status.value for status in EXAMINED])
    reservoir = Reservoir(count, seed)
    for row in folder.rows(("uri",), where=where):
        reservoir.offer(row["uri"])
    chosen = sorted(reservoir.drawn())
    for row in folder.rows(columns, where=where & pc.field("uri").isin(chosen)):
        yield {**row, "stratum": NEGATIVE_STRATUM, "probability": f"{len(chosen)}/{reservoir.offered}"}


def _print(told: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print(json.dumps(told, indent=2))
        return
    print(
        f"{told['files']:,} files: {told['new']:,} new referrals, {told['known']:,} known, {told['asked_again']:,} asked again"
    )
    for queue, strata in told["samples"].items():
        drawn, there = (sum(sizes[index] for sizes in strata.values()) for index in (0, 1))
        print(f"queue {queue}: {drawn:,} of {there:,} drawn for review")
    if "negatives" in told:
        print(f"audit of negatives: {told['negatives']['files']:,} files drawn")
