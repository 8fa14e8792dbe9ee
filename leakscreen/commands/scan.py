"""`leakscreen scan`: settings and sources -> results, a summary for people, an exit code."""

import json
import logging
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from core.settings import Settings, load_settings
from leakscreen.progress import observer_for
from pipelines.results import check_output
from pipelines.sources import Sources, check_sources
from pipelines.watch import Silent

DONE, REFERRED, UNEXAMINED = 0, 1, 3


def run(
    sources: tuple[str, ...],
    manifests: tuple[str, ...],
    flags: dict[str, Any],
    config: Path | None,
    resume: bool,
    full: bool,
    fail_on_referral: bool,
    quiet: bool,
    as_json: bool,
) -> int:
    settings = load_settings(flags, config=config)
    finished = scan(sources, manifests, settings, resume=resume, full=full, quiet=quiet)
    if as_json:
        print(json.dumps({**finished.summary, "folder": finished.folder.uri, "report": finished.folder.report}, indent=2))
    elif not quiet:
        from leakscreen.tables import print_summary

        print_summary(finished.summary, finished.folder.report)
    return exit_code(finished.summary, fail_on_referral)


def scan(
    sources: tuple[str, ...],
    manifests: tuple[str, ...],
    settings: Settings,
    *,
    resume: bool = False,
    full: bool = False,
    quiet: bool = False,
) -> Any:
    """Runs the scan and writes its report; the results are a pipelines.launch.FinishedScan."""
    quieten_beam()
    asked = Sources(sources, manifests)
    if not resume:  # before Beam and the models are imported, which takes seconds
        check_sources(asked)
        check_output(settings.scan.out)
    observer = observer_for(quiet)
    with observer or nullcontext():
        from pipelines.launch import resume_scan, start_scan

        watcher = observer or Silent()
        finished = resume_scan(settings.scan.out, settings, watcher) if resume else start_scan(asked, settings, watcher, full=full)
    from leakscreen.commands.report import write_report

    write_report(finished.folder, finished.summary, finished.manifest)
    return finished


def exit_code(summary: dict[str, Any], fail_on_referral: bool) -> int:
    from pipelines.summary import not_examined

    if fail_on_referral and summary["referred"]:
        return REFERRED
    return UNEXAMINED if not_examined(summary) else DONE


def quieten_beam() -> None:
    """Beam warns about clouds that nobody asked for; its errors still show."""
    logging.basicConfig(level=logging.ERROR, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    for handler in logging.getLogger().handlers:
        handler.setLevel(logging.ERROR)
