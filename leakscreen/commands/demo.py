"""`leakscreen demo`: a synthetic share with known truth -> a scan, TDP and FRP per rule, and what was missed."""

import csv
import json
from pathlib import Path
from typing import Any

from rich.console import Console

from core.errors import OutputError
from core.settings import load_settings
from leakscreen.commands.evaluate import measure
from leakscreen.commands.scan import scan
from leakscreen.console.rates import print_rates
from leakscreen.console.summary import print_summary
from leakscreen.demo import make_share, write_truth


def run(folder: Path, files: int, seed: int, prevalence: float, flags: dict[str, Any], quiet: bool) -> None:
    truth = _share(folder, files, seed, prevalence)
    settings = load_settings({**flags, "scan.out": str(folder / "results")})
    finished = scan((str(folder / "share"),), (), settings, quiet=quiet)
    if not quiet:
        print_summary(finished.summary, finished.folder.report)
    outcomes = {
        row["uri"]: row
        for row in finished.folder.rows(("uri", "status", "screened_positive", "health_positive", "referred"))
    }
    labels = {uri: phi for uri, phi in truth.items() if uri in outcomes}
    measured, facts = measure(finished.folder, labels)
    print_rates(measured, facts)
    _print_outcome(truth, outcomes)


def _share(folder: Path, files: int, seed: int, prevalence: float) -> dict[str, bool]:
    """The truth of the share, generated now or by an earlier demo with the same parameters."""
    made, truth = folder / "demo.json", folder / "truth.csv"
    parameters = {"files": files, "seed": seed, "prevalence": prevalence}
    if made.exists():
        if json.loads(made.read_text(encoding="utf-8")) != parameters:
            raise OutputError(
                f"{folder}: holds a demo with another size, seed or prevalence; name a new folder: leakscreen demo "
                "FOLDER"
            )
    else:
        if folder.exists() and any(folder.iterdir()):
            raise OutputError(
                f"{folder}: neither empty nor the folder of a demo; name another one: leakscreen demo FOLDER"
            )
        write_truth(make_share(folder / "share", files=files, seed=seed, phi_share=prevalence), truth)
        made.write_text(json.dumps(parameters), encoding="utf-8")
    with truth.open(encoding="utf-8", newline="") as rows:
        return {row["uri"]: row["phi"] == "1" for row in csv.DictReader(rows)}


def _print_outcome(truth: dict[str, bool], outcomes: dict[str, dict[str, Any]]) -> None:
    console = Console()
    planted = [uri for uri, phi in truth.items() if phi]
    missed = [uri for uri in planted if not outcomes.get(uri, {}).get("referred")]
    wrong = [uri for uri, row in outcomes.items() if row["referred"] and not truth.get(uri)]
    console.print(f"\nPlanted PHI files: {len(planted)}; referred: {len(planted) - len(missed)}; missed: {len(missed)}")
    for uri in missed:
        console.print(f"  missed  {uri}: {_why(outcomes.get(uri))}", markup=False, highlight=False, soft_wrap=True)
    console.print(f"Referred, but not PHI: {len(wrong)}")
    for uri in wrong:
        console.print(f"  wrong   {uri}", markup=False, highlight=False, soft_wrap=True)


def _why(row: dict[str, Any] | None) -> str:
    if row is None:
        return "no record"
    if row["status"] not in ("complete", "partial"):
        return str(row["status"])
    return (
        "screened positive, but no health information detected" if row["screened_positive"] else "not screened positive"
    )
