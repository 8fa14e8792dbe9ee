"""`leakscreen breach`: scans, or what reviewers verified -> a breach report as HTML, Word document or JSON."""

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from core.atomic import whole_output
from core.errors import OutputError, SettingsError
from leakscreen.breach.facts import facts_of
from leakscreen.breach.render import as_document, as_page
from pipelines.results.folder import ScanFolder, open_scan


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
    written = {
        "html": lambda: as_page(facts).encode("utf-8"),
        "docx": lambda: as_document(facts),
        "json": lambda: json.dumps(facts, indent=2).encode() + b"\n",
    }
    if form not in written:
        raise SettingsError(f"{form!r} is no form of the report; name a file .html, .docx or .json, or give --format")
    content = written[form]()
    with whole_output(out) as sink:
        sink.write(content)


def _day(discovered: str) -> date | None:
    try:
        return date.fromisoformat(discovered) if discovered else None
    except ValueError:
        raise SettingsError(f"--discovered: {discovered!r} is no day; write it as 2026-03-31") from None


def _of_reviews(scans: Sequence[str], day: date | None, flags: dict[str, Any], config: Path | None) -> dict[str, Any]:
    """The scans that referred what was decided, or those named."""
    from core.settings import load_and_configure_log
    from review.service.configuration import configure

    configure(load_and_configure_log(flags, config))
    from review.referrals.verified import decided_uris
    from review.service.first_start import ensure_database

    ensure_database()
    decided = decided_uris()
    folders = [open_scan(scan) for scan in scans] or _existing(decided.folders)
    reviews = {"verified": len(decided.phi), "refuted": decided.not_phi, "not decided": decided.open}
    return facts_of(folders, day, decided.phi, {**reviews, "found to hold none": len(decided.not_phi)})


def _existing(places: Sequence[str]) -> list[ScanFolder]:
    folders = []
    for place in places:
        try:
            folders.append(open_scan(place))
        except OutputError:
            raise OutputError(
                f"{place}: the results that reviewers decided about are not there any more; name the scans to count in"
            ) from None
    if not folders:
        raise OutputError("nobody has decided about any referral yet; name a scan instead")
    return folders
