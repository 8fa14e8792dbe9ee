"""`leakscreen people`: people rows of scans -> how many different people are affected, and where."""

import json
from collections.abc import Sequence
from typing import Any

from core.errors import OutputError
from pipelines.bundle.bundle import rules_in
from pipelines.people.entries import read_entries
from pipelines.people.figures import figures_of
from pipelines.people.link import link
from pipelines.results.folder import ScanFolder, open_scan


def run(scans: Sequence[str], which: str, listed: int, as_json: bool) -> None:
    figures = count_people([open_scan(scan) for scan in scans], which, listed)
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
