"""`leakscreen breach`: scans, or what reviewers verified -> a breach report as HTML, Word document or JSON."""

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from core.atomic import whole_output
from core.errors import SettingsError
from leakscreen.breach.facts import facts_of
from leakscreen.breach.render import FORMS
from pipelines.results.folder import open_scan


def run(
    scans: Sequence[str],
    from_reviews: bool,
    out: Path | None,
    form: str,
    discovered: str,
    flags: dict[str, Any],
    config: Path | None,
) -> None:
    day = _day(discovered)
    if from_reviews:
        facts = _of_reviews(scans, day, flags, config)
    elif scans:
        facts = facts_of([open_scan(scan) for scan in scans], day)
    else:
        raise SettingsError("name a scan, or take what reviewers verified with --from-reviews")
    form = form or (out.suffix.removeprefix(".") if out else "json")
    if form not in FORMS:
        raise SettingsError(f"{form!r} is no form of the report; name a file .html, .docx or .json, or give --format")
    content = FORMS[form](facts)
    with whole_output(out) as sink:
        sink.write(content)


def _day(discovered: str) -> date | None:
    try:
        day = date.fromisoformat(discovered) if discovered else None
    except ValueError:
        raise SettingsError(f"--discovered: {discovered!r} is no day; write it as 2026-03-31") from None
    if day is not None and day > date.today():
        raise SettingsError(f"--discovered: {discovered} has not come yet; deadlines count from a day that is past")
    return day


def _of_reviews(scans: Sequence[str], day: date | None, flags: dict[str, Any], config: Path | None) -> dict[str, Any]:
    """The scans that referred what was decided, or those named."""
    from core.settings import load_and_configure_log
    from review.service.configuration import configure

    configure(load_and_configure_log(flags, config))
    from leakscreen.breach.reviewed import reviewed_facts
    from review.service.first_start import ensure_database

    ensure_database()
    return reviewed_facts(day, [open_scan(scan) for scan in scans])
