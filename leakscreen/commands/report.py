"""`leakscreen report`: a scan's results -> report.html and a summary."""

import json
from typing import Any

from leakscreen.report.render import render_report
from pipelines import storage
from pipelines.results.folder import ScanFolder, count_unexamined, open_scan
from pipelines.summary import referred_access, referred_rows, unexamined_rows

_MOST_ROWS = 200_000  # of people, which take a few seconds; `leakscreen people` counts any number


def run(scan: str, as_json: bool) -> None:
    folder = open_scan(scan)
    summary = folder.read_summary()
    write_report(folder, summary, folder.read_manifest())
    if as_json:
        print(json.dumps({**summary, "folder": folder.uri, "report": folder.report}, indent=2))
    else:
        from leakscreen.console.summary import print_summary

        print_summary(summary, folder.report)


def write_report(folder: ScanFolder, summary: dict[str, Any], manifest: dict[str, Any]) -> None:
    incomplete = count_unexamined(summary) + summary["status"]["partial"]
    access = referred_access(folder) if summary["referred"] else {}
    rows = referred_rows(folder), unexamined_rows(folder) if incomplete else [], access
    people = _people(folder, summary, manifest)
    storage.write_whole(folder.report, render_report(summary, manifest, *rows, people).encode("utf-8"))
    again = folder.again
    if storage.is_local(again.uri) and storage.exists(again.summary):  # for a next scan in which nothing changed
        page = render_report(again.read_summary(), again.read_manifest(), *rows, people)
        storage.write_whole(again.report, page.encode("utf-8"))


def _people(folder: ScanFolder, summary: dict[str, Any], manifest: dict[str, Any]) -> dict[str, int] | None:
    """Different people in referred files; None where there are none, or too many to be linked in passing."""
    if not summary.get("referred"):
        return None
    from pipelines.people.entries import FORMAT_WITH_PEOPLE, count_rows, read_entries
    from pipelines.people.figures import brief_figures
    from pipelines.people.link import link

    if manifest.get("format", 1) < FORMAT_WITH_PEOPLE or count_rows(folder) > _MOST_ROWS:
        return None
    entries = read_entries([folder])
    return brief_figures(entries, link(entries))
