"""`leakscreen review`: a source, or the last scan of one -> referrals, the running service, and a link to the first."""

from pathlib import Path
from typing import Any

from core.errors import OutputError, ReviewError
from core.settings import Settings, load_and_configure_log
from leakscreen.commands.browser_scans import BrowserScans
from leakscreen.commands.refer import print_counts, refer
from leakscreen.commands.serve import start
from review.service.configuration import configure


def run(sources: tuple[str, ...], flags: dict[str, Any], config: Path | None, quiet: bool) -> None:
    settings = load_and_configure_log(flags, config)
    configure(settings)
    from review.service.server import check_address

    check_address(settings.review)  # before a scan that may take hours
    folder = _scanned(sources, settings, quiet)
    counts = refer(folder, settings)
    if not quiet:
        print_counts(counts)
    start(settings, quiet, BrowserScans(settings, config, flags, sources), with_link=True)


def _scanned(sources: tuple[str, ...], settings: Settings, quiet: bool) -> str:
    """The folder of a new scan, or of the newest one there is."""
    if not sources:
        from pipelines.results.folder import open_scan

        try:
            return str(open_scan(settings.scan.out).uri)
        except OutputError:
            raise ReviewError(
                f"{settings.scan.out}: no scan here yet; name what to scan: leakscreen review FOLDER"
            ) from None
    from leakscreen.commands.scan import scan
    from leakscreen.console.summary import print_summary

    finished = scan(sources, (), settings, quiet=quiet)
    if not quiet:
        print_summary(finished.summary, finished.folder.report)
    return str(finished.folder.uri)
