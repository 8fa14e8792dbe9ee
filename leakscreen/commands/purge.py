"""`leakscreen purge`: old decided referrals -> removed from the review service, with an entry in the audit log."""

import json
import re
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from core.errors import SettingsError
from core.settings import load_and_configure_log
from review.service.configuration import configure

_UNITS = {"d": 1, "w": 7}


def run(older_than: str, dry_run: bool, flags: dict[str, Any], config: Path | None, as_json: bool) -> None:
    before = datetime.now(UTC) - age(older_than)
    configure(load_and_configure_log(flags, config))
    from review.referrals.retention import purge
    from review.service.first_start import ensure_database

    ensure_database()
    removed = asdict(purge(before, dry_run=dry_run))
    if as_json:
        print(json.dumps({"before": before.isoformat(timespec="seconds"), "dry_run": dry_run, **removed}, indent=2))
    else:
        what = ", ".join(f"{count:,} {name}" for name, count in removed.items())
        print(f"{'would be removed' if dry_run else 'removed'}: {what}")


def age(text: str) -> timedelta:
    match = re.fullmatch(r"([0-9]{1,5})([dw])", text.strip())
    if not match:
        raise SettingsError(f"--older-than {text!r}: give days or weeks, such as 90d or 12w")
    return timedelta(days=int(match[1]) * _UNITS[match[2]])
