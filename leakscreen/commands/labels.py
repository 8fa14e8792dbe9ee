"""Decisions of reviewers -> labels: `leakscreen export-labels`, and files of labels for `evaluate --from-reviews`."""

import contextlib
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.errors import LabelError, OutputError, ReviewError
from core.settings import load_settings
from review.service.configuration import configure


def run(scan: str | None, negatives: bool, out: Path | None, flags: dict[str, Any], config: Path | None) -> None:
    configure(load_settings(flags, config=config))
    from review.audit import SYSTEM, record
    from review.models import Kind, Scan
    from review.referrals.labels import csv_text, label_lines
    from review.service.first_start import ensure_database

    ensure_database()
    kind = Kind.NEGATIVE if negatives else None
    if scan is None:
        lines, counts = label_lines(kind)
    else:
        known = Scan.objects.filter(pk=scan).first()
        if known is None:
            raise ReviewError(f"--scan: no scan {scan!r} was referred; refer it first, or name the id of another")
        lines, counts = _lines_of(known.folder, kind)
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
    from review.audit import SYSTEM, record
    from review.referrals.labels import csv_text
    from review.service.first_start import ensure_database

    ensure_database()
    lines, counts = _lines_of(scan, None)
    if not lines:
        raise LabelError(
            f"{scan}: no referral of this scan has been decided; see `leakscreen refer` and `leakscreen serve`"
        )
    record(SYSTEM, "export", "labels", labels=counts.labels)
    with tempfile.TemporaryDirectory(prefix="leakscreen-labels-") as folder:
        file = Path(folder) / "labels.csv"
        file.write_text(csv_text(lines), encoding="utf-8")
        yield file


def _lines_of(scan: str, kind: Any) -> tuple[list[list[str]], Any]:
    """By the records of the scan: the review service knows where a content is now, and not where it was then."""
    from pipelines.results.folder import open_scan
    from review.referrals.labels import label_lines_of

    folder = open_scan(scan)
    return label_lines_of(folder.scan_id, folder.rows(("uri", "sha256", "source")), kind)
