"""`leakscreen export-labels`: decided referrals -> verified labels, as `leakscreen evaluate` reads them."""

import sys
from pathlib import Path
from typing import Any

from core.errors import OutputError
from core.settings import load_settings
from review.service.configuration import configure


def run(scan: str | None, negatives: bool, out: Path | None, flags: dict[str, Any], config: Path | None) -> None:
    configure(load_settings(flags, config=config))
    from review.audit import SYSTEM, record
    from review.models import Kind
    from review.referrals.labels import csv_text, label_lines
    from review.service.first_start import ready_database

    ready_database()
    kind = Kind.NEGATIVE if negatives else Kind.REFERRED
    lines, told = label_lines(kind, scan)
    record(SYSTEM, "export", "labels", kind=kind.value, labels=told.labels)
    if out is None:
        sys.stdout.write(csv_text(lines))
    else:
        try:
            out.write_text(csv_text(lines), encoding="utf-8")
        except OSError as error:
            raise OutputError(f"{out}: cannot be written: {error.strerror}") from None
    print(f"{told.labels:,} files labelled; {told.open_ends:,} wait, or nobody could tell", file=sys.stderr)
