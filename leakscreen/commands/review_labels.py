"""What reviewers decided about a scan -> files of labels that are there for as long as they are measured with."""

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.errors import LabelError
from core.settings import load_settings
from review.service.configuration import configure


@contextlib.contextmanager
def labels_from_reviews(scan: str, flags: dict[str, Any], config: Path | None) -> Iterator[tuple[Path, Path | None]]:
    """Labels of what was referred, and of the audit of negatives where one was drawn and judged."""
    configure(load_settings(flags, config=config))
    from pipelines.results.folder import open_scan
    from review.audit import SYSTEM, record
    from review.models import Kind
    from review.referrals.labels import csv_text, label_lines
    from review.service.first_start import ready_database

    scan_id = open_scan(scan).read_manifest()["scan_id"]
    ready_database()
    found = {kind: label_lines(kind, scan_id)[0] for kind in (Kind.REFERRED, Kind.NEGATIVE)}
    if not found[Kind.REFERRED]:
        raise LabelError(
            f"{scan}: no referral of this scan has been decided; see `leakscreen refer` and `leakscreen serve`"
        )
    record(SYSTEM, "export", "labels", **{kind.value: len(lines) for kind, lines in found.items()})
    with tempfile.TemporaryDirectory(prefix="leakscreen-labels-") as folder:
        files = {kind: Path(folder) / f"{kind.value}.csv" for kind in found}
        for kind, lines in found.items():
            files[kind].write_text(csv_text(lines), encoding="utf-8")
        yield files[Kind.REFERRED], files[Kind.NEGATIVE] if found[Kind.NEGATIVE] else None
