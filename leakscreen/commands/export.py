"""`leakscreen export`: a scan's rows -> a file for another system, or lines to a syslog collector."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.atomic import whole_output
from core.errors import SettingsError
from core.settings import Settings, load_settings
from leakscreen.export.registry import load_format
from leakscreen.export.rows import COLUMNS, ExportedScan, Row, exported_scan


class Counted:
    """Rows, and how many there were."""

    def __init__(self, rows: Iterator[Row]) -> None:
        self._rows, self.count = rows, 0

    def __iter__(self) -> Iterator[Row]:
        for row in self._rows:
            self.count += 1
            yield row


def run(
    scan: str, form: str, out: Path | None, everything: bool, send: bool, flags: dict[str, Any], config: Path | None
) -> None:
    settings = load_settings(flags, config=config)
    if send and not settings.syslog.url:
        raise SettingsError("--send: set syslog.url, such as tls://collector.example.org:6514")
    if form == "parquet" and out is None and sys.stdout.isatty():
        raise SettingsError("--format parquet: give --out, or send standard output to a file")
    rows, exported = _rows(scan, everything)
    if send:
        from leakscreen.export.formats.syslog import send as send_lines

        send_lines(rows, exported, settings.syslog)
    else:
        with whole_output(out) as sink:
            load_format(form).write(rows, exported, sink)
    _record(settings, exported, "syslog" if send else form, rows.count)
    print(f"{rows.count:,} files exported", file=sys.stderr)


def _rows(scan: str, everything: bool) -> tuple[Counted, ExportedScan]:
    import pyarrow.compute as pc

    from pipelines.results.folder import open_scan

    folder = open_scan(scan)
    exported = exported_scan(folder.read_manifest(), folder.read_summary())  # an unfinished scan is refused here
    return Counted(folder.rows(COLUMNS, where=None if everything else pc.field("referred"))), exported


def _record(settings: Settings, exported: ExportedScan, form: str, count: int) -> None:
    """On record where a review service is in use."""
    from review.service.database import default_file

    if not settings.review.database and not default_file().exists():
        return
    from review.service.configuration import configure

    configure(settings)
    from review.audit import SYSTEM, record
    from review.service.first_start import ensure_database

    ensure_database()
    record(SYSTEM, "export", f"scan:{exported.scan_id}", format=form, files=count)
