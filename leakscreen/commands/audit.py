"""`leakscreen audit verify`: log and decisions -> whether and where either was edited, shortened or reordered."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.settings import load_settings
from review.service.configuration import configure

INTACT, BROKEN = 0, 2


def verify(flags: dict[str, Any], config: Path | None, as_json: bool) -> int:
    """Adds the head of an intact log to the anchor files; later logs must still contain it."""
    settings = load_settings(flags, config=config)
    configure(settings)
    from review.audit import current_head
    from review.referrals.on_record import verify_all
    from review.service.anchor import keep_head, known_heads
    from review.service.first_start import ensure_database

    ensure_database()
    count, faults = verify_all(known_heads(settings.review))
    head = current_head()
    if not faults:
        keep_head(settings.review)
    if as_json:
        print(
            json.dumps(
                {"entries": count, "head": asdict(head), "faults": [asdict(fault) for fault in faults]}, indent=2
            )
        )
    else:
        for fault in faults:
            print(f"entry {fault.number}: {fault.what}")
        print(
            f"{count:,} entries, {f'{len(faults):,} faults' if faults else 'unbroken'}; head {head.number} {head.hash}"
        )
    return BROKEN if faults else INTACT
