"""`leakscreen people`: people rows of scans -> how many different people are affected, and where."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from core.errors import OutputError
from pipelines.bundle.bundle import rules_in
from pipelines.people.entries import read_entries
from pipelines.people.figures import figures_of
from pipelines.people.link import link
from pipelines.results.folder import ScanFolder, open_scan


def run(scans: Sequence[str], which: str, listed: int, as_json: bool) -> None:
    _show(count_people([open_scan(scan) for scan in scans], which, listed), as_json)


def run_in_beam(
    scans: Sequence[str], which: str, listed: int, as_json: bool, flags: dict[str, Any], config: Path | None
) -> None:
    """The same figures, by the workers of a Beam runner."""
    from core.settings import load_and_configure_log
    from leakscreen.commands.scan import quieten_beam

    settings = load_and_configure_log(flags, config).scan
    quieten_beam()
    folders = [open_scan(scan) for scan in scans]
    check_keys(folders)
    from pipelines.people.in_beam import link_in_beam
    from pipelines.worker_count import worker_count

    kinds = rules_in(folders[-1].bundle).characteristics
    figures = link_in_beam(folders, kinds, settings, worker_count(settings.workers), which, listed).figures
    _show({"scans": [folder.scan_id for folder in folders], "of": which, **figures}, as_json)


def _show(figures: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print(json.dumps(figures, indent=2))
    else:
        from leakscreen.console.people import print_people

        print_people(figures)


def count_people(folders: Sequence[ScanFolder], which: str, listed: int = 20) -> dict[str, Any]:
    check_keys(folders)
    entries = read_entries(folders, which)
    characteristics = rules_in(folders[-1].bundle).characteristics
    figures = figures_of(entries, link(entries), characteristics, listed)
    return {"scans": [folder.scan_id for folder in folders], "of": which, **figures}


def check_keys(folders: Sequence[ScanFolder]) -> None:
    """Scans are linked only where the same key made their hashes."""
    if len({folder.uri for folder in folders}) < len(folders):
        raise OutputError("the same scan is named twice; name each once")
    keys = {folder.uri: folder.read_manifest().get("hmac_key", {}).get("fingerprint") for folder in folders}
    if len(set(keys.values())) > 1:
        said = ", ".join(f"{uri} ({key})" for uri, key in keys.items())
        raise OutputError(f"these scans were made with different HMAC keys, so their people cannot be linked: {said}")
