"""Made rows of a scan, as the results hold them."""

import hashlib
from datetime import UTC, datetime, timedelta
from typing import Any

from review.referrals.intake import ScanFacts

FIRST = datetime(2026, 1, 5, 8, 0, tzinfo=UTC)


def facts(number: int = 1, rules: str = "a") -> ScanFacts:
    """Each scan starts a day after the one before."""
    return ScanFacts(
        f"scan-{number}",
        f"/results/scan=scan-{number}",
        ("/srv",),
        FIRST + timedelta(days=number),
        rules * 64,
        "b" * 64,
    )


def row(
    uri: str, content: str | None = None, risk: str = "high", distance: float | None = 0.5, **more: Any
) -> dict[str, Any]:
    made = {
        "uri": uri,
        "size": 1200,
        "mtime": FIRST,
        "owner": "ann",
        "sha256": hashlib.sha256((content if content is not None else uri).encode()).hexdigest(),
        "media_type": "text/plain",
        "status": "complete",
        "reason": "",
        "chars": 1100,
        "pii_counts": {"last_name": 2, "phone_number": 1},
        "rules": [{"rule": "name-and-contact", "prototype": "referral letter", "distance": 1}],
        "health_distance": distance,
        "health_terms": ["diabetes mellitus", "metformin"],
        "health_class": "personal-record",
        "health_threshold": 0.9,
        "health_nearest": [{"prototype": "visit note 12", "distance": 0.41}],
        "persons": 1,
        "strongest": "row 3,112",
        "health_role": "subject",
        "passages": {"judged": 40, "positive": 2},
        "risk": risk,
        "evidence": [
            {
                "characteristic": "phone_number",
                "start": 10,
                "end": 22,
                "masked": "***-***-1234",
                "hmac": "c" * 32,
                "where": "page 1",
                "person": 1,
                "role": "",
                "passage": "row 3,112",
            }
        ],
        "source": "/srv",
        "path": None,
    }
    return {**made, **more}


def many(count: int, start: int = 0) -> list[dict[str, Any]]:
    return [
        row(f"/srv/{number:06}.txt", risk=("high", "medium", "low")[number % 3], distance=(number % 97) / 97)
        for number in range(start, start + count)
    ]
