"""`leakscreen scan`: settings and sources -> results, a summary for people, an exit code."""

import json
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.errors import LeakscreenError
from core.log import logs_json
from core.settings import RuleSettings, Settings, load_and_configure_log
from leakscreen.commands.stopping import end_on_sigterm, was_stopped
from leakscreen.console.progress import Observers, observer_for
from pipelines import storage
from pipelines.launch import resume_scan, start_scan
from pipelines.request import check_request
from pipelines.results.folder import FinishedScan, count_unexamined
from pipelines.sources.sources import Sources

if TYPE_CHECKING:
    from logging import LogRecord

DONE, REFERRED, UNEXAMINED = 0, 1, 3


def run(
    sources: tuple[str, ...],
    manifests: tuple[str, ...],
    flags: dict[str, Any],
    config: Path | None = None,
    *,
    resume: bool = False,
    full: bool = False,
    fail_on_referral: bool = False,
    quiet: bool = False,
    as_json: bool = False,
) -> int:
    settings = load_and_configure_log(flags, config)
    finished = scan(sources, manifests, settings, resume=resume, full=full, quiet=quiet)
    if as_json:
        print(
            json.dumps({**finished.summary, "folder": finished.folder.uri, "report": finished.folder.report}, indent=2)
        )
    elif not quiet:
        from leakscreen.console.next_step import print_next
        from leakscreen.console.summary import print_summary

        print_summary(finished.summary, finished.folder.report)
        if finished.summary["referred"]:
            print_next("judge what was referred in a browser", "review", "--out", settings.scan.out)
    return exit_code(finished.summary, fail_on_referral)


def scan(
    sources: tuple[str, ...],
    manifests: tuple[str, ...],
    settings: Settings,
    *,
    resume: bool = False,
    full: bool = False,
    quiet: bool = False,
) -> FinishedScan:
    """Runs the scan and writes its report."""
    end_on_sigterm()
    request = None if resume else check_request(Sources(sources, manifests), settings, full=full)
    metrics = metrics_of(settings)
    shown = observer_for(quiet)
    observer = Observers(shown, metrics)
    with shown or nullcontext(), observer:
        _warn_of_ignored_keys(settings.rules)
        if request is not None:
            finished = start_scan(request, observer, before_loading=quieten_beam)
        else:
            quieten_beam()
            finished = resume_scan(settings.scan.out, settings, observer)
        observer.finished(finished.summary)
    _report(finished)
    return finished


def _warn_of_ignored_keys(rules: RuleSettings) -> None:
    """A rule file of an earlier version still works; its keys that never changed a scan are named once."""
    if not rules.files:
        return
    import logging

    from screening.ruleset.files import shipped_sources, sources_of
    from screening.ruleset.parse import ignored_keys

    for file, raw in sources_of(rules, learned=False)[len(shipped_sources()) :]:
        for key in ignored_keys(file, raw):
            logging.getLogger("leakscreen").warning("%s: [names] %s has no effect on a scan; remove it", file, key)


def _report(finished: FinishedScan) -> None:
    original = finished.copied_from
    if original is not None and storage.exists(original.report):
        from leakscreen.report.restamp import restamped

        facts = original.read_manifest(), original.read_summary()
        page = restamped(
            storage.read_whole(original.report).decode("utf-8"), facts, finished.manifest, finished.summary
        )
        if page is not None:
            storage.write_whole(finished.folder.report, page.encode("utf-8"))
            return
    from leakscreen.commands.report import write_report

    write_report(finished.folder, finished.summary, finished.manifest)


def metrics_of(settings: Settings) -> Any:
    """The observer that exports Prometheus metrics, if the settings ask for one."""
    if not settings.metrics.file and not settings.metrics.listen:
        return None
    from leakscreen.commands.scan_metrics import ScanMetrics

    return ScanMetrics(settings.metrics)


def exit_code(summary: dict[str, Any], fail_on_referral: bool) -> int:
    if fail_on_referral and summary["referred"]:
        return REFERRED
    return UNEXAMINED if count_unexamined(summary) else DONE


def quieten_beam() -> None:
    """Hides Beam's warnings about optional cloud libraries; its errors are still shown."""
    if logs_json():
        return
    import logging

    logging.basicConfig(level=logging.ERROR, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    for handler in logging.getLogger().handlers:
        handler.setLevel(logging.ERROR)
        handler.addFilter(_is_news)


def _is_news(record: "LogRecord") -> bool:
    """False for an error that the command itself will report in one sentence."""
    is_reported = record.exc_info is not None and isinstance(record.exc_info[1], LeakscreenError)
    return not is_reported and not was_stopped()
