"""Decisions of reviewers -> labels: `leakscreen export-labels`, and files of labels for `evaluate --from-reviews`."""

import contextlib
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.errors import LabelError, OutputError
from core.settings import load_settings
from review.service.configuration import configure


def run(scan: str | None, negatives: bool, out: Path | None, flags: dict[str, Any], config: Path | None) -> None:
    configure(load_settings(flags, config=config))
    from review.audit import SYSTEM, record
    from review.models import Kind
    from review.referrals.labels import csv_text, label_lines
    from review.service.first_start import ensure_database

    ensure_database()
    kind = Kind.NEGATIVE if negatives else None
    lines, counts = label_lines(kind, scan)
    record(SYSTEM, "export", "labels", kind="all" if kind is None else kind.value, labels=counts.labels)
    if out is None:
        sys.stdout.write(csv_text(lines))
    else:
        try:
            out.write_text(csv_text(lines), encoding="utf-8")
        except OSError as error:
            raise OutputError(f"{out}: cannot be written: {error.strerror}") from None
    print(f"{counts.labels:,} files labelled; {counts.open_ends:,} are undecided or unclear", file=sys.stderr)


@contextlib.contextmanager
def labels_from_reviews(scan: str, flags: dict[str, Any], config: Path | None) -> Iterator[Path]:
    """A file with the labels of referred files and of those drawn from the others; deleted after the block."""
    configure(load_settings(flags, config=config))
    from pipelines.results.folder import open_scan
    from review.audit import SYSTEM, record
    from review.referrals.labels import csv_text, label_lines
    from review.service.first_start import ensure_database

    scan_id = open_scan(scan).read_manifest()["scan_id"]
    ensure_database()
    lines, counts = label_lines(scan_id=scan_id)
    if not lines:
        raise LabelError(
            f"{scan}: no referral of this scan has been decided; see `leakscreen refer` and `leakscreen serve`"
        )
    record(SYSTEM, "export", "labels", labels=counts.labels)
    with tempfile.TemporaryDirectory(prefix="leakscreen-labels-") as folder:
        file = Path(folder) / "labels.csv"
        file.write_text(csv_text(lines), encoding="utf-8")
        yield file
