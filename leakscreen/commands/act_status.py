"""`leakscreen act status`: all scans of a folder and the journal -> found, contained, closed, and how long it took."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

from core.settings import Settings, load_and_configure_log
from leakscreen.commands.act import DONE, plain
from leakscreen.commands.act_propose import chosen_of
from leakscreen.commands.act_setup import opened, uses_service
from remediation.status import Case, Cases, Look, figures_of


def run(out: str, flags: dict[str, Any], config: Path | None, listed: bool, as_json: bool) -> int:
    settings = load_and_configure_log(flags, config)
    found, scan_id = _cases(out, settings)
    figures = figures_of(found)
    if uses_service(settings):
        _show_on_dashboard(settings, scan_id, figures)
        _close(found)
    if as_json:
        shown = {"cases": [_case(case) for case in found]} if listed else {}
        print(json.dumps({**figures, **shown}, indent=2))
        return DONE
    _print(figures)
    for case in found if listed else ():
        print(f"{case.state:10}  {case.by:10}  {plain(case.target.uri)}")
    return DONE


def containment(out: str, settings: Settings) -> dict[str, Any]:
    """The figures of all scans of the folder, for the dashboard; cases of content that is gone are closed."""
    found, _ = _cases(out, settings)
    _close(found)
    return figures_of(found)


def _close(found: list[Case]) -> None:
    from review.acting.following import close_gone

    close_gone({(case.target.uri, case.target.sha256) for case in found if case.state == "closed"})


def _cases(out: str, settings: Settings) -> tuple[list[Case], str]:
    """What became of everything that was found, and the newest scan's id."""
    with opened(settings, to_change=False) as setup:
        actions = setup.register.actions
    cases, scan_id = Cases(), ""
    for folder in _finished_scans(out):
        cases.see(_look(folder, cases))
        scan_id = folder.scan_id
    cases.act(actions)
    return list(cases.by_place.values()), scan_id


def _show_on_dashboard(settings: Settings, scan_id: str, figures: dict[str, Any]) -> None:
    """Where the newest scan was referred."""
    from review.service.configuration import configure

    configure(settings)
    from review.models import Scan
    from review.service.first_start import ensure_database

    ensure_database()
    Scan.objects.filter(pk=scan_id).update(containment=figures)


def _finished_scans(out: str) -> list[Any]:
    """Of an output folder, or of the one around a scan's folder, the oldest first; a renamed folder is alone."""
    from pipelines import storage
    from pipelines.results.folder import FOLDER_PREFIX, ScanFolder, open_scan, scan_names

    newest = open_scan(out)
    parent, _, name = newest.uri.rstrip("/").rpartition("/")
    if not name.startswith(FOLDER_PREFIX):
        return [newest]
    folders = [ScanFolder(storage.join(parent or ".", one)) for one in scan_names(parent or ".")]
    return [folder for folder in folders if storage.exists(folder.summary)]


def _look(folder: Any, cases: Cases) -> Look:
    import pyarrow.compute as pc

    manifest = folder.read_manifest()
    tracked = sorted({uri for uri, _ in cases.by_place})
    on_disk = pc.field("container_uri").is_null()
    known = on_disk & pc.field("uri").isin(tracked)
    rows = folder.rows(("uri", "sha256"), where=known) if tracked else ()
    there = {row["uri"]: row["sha256"] or None for row in rows}
    unreadable = [row["uri"] for row in folder.rows(("uri",), where=on_disk & (pc.field("status") == "unreadable"))]
    return Look(
        scan_id=manifest["scan_id"],
        started=datetime.fromisoformat(manifest["started"]),
        sources=tuple(manifest["sources"]),
        whole=not (manifest.get("walk") or {}).get("sample"),
        found=chosen_of(folder).targets,
        there=there,
        unreadable=unreadable,
    )


def _case(case: Case) -> dict[str, Any]:
    return {
        "uri": case.target.uri,
        "sha256": case.target.sha256,
        "source": case.target.source,
        "state": case.state,
        "by": case.by,
        "found": case.found.isoformat(),
        "contained": case.contained.isoformat() if case.contained else None,
        "closed": case.closed.isoformat() if case.closed else None,
    }


def _print(figures: dict[str, Any]) -> None:
    from rich.table import Table

    from leakscreen.console.summary import console_for

    table = Table("", "found", "open", "contained", "closed", "median days to close", box=None)
    for source, counts in [("all", figures), *figures["by_source"].items()]:
        days = counts["median_days_to_close"]
        numbers = [f"{counts[name]:,}" for name in ("found", "open", "contained", "closed")]
        table.add_row(plain(source), *numbers, "" if days is None else f"{days:g}")
    console_for().print(table)
