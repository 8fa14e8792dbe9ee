"""Scans, and which of their files somebody verified -> what a breach report says, without a value."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any

from leakscreen.breach.duties import NOT_ADVICE, duties_for
from pipelines.bundle.bundle import rules_in
from pipelines.people.entries import REFERRED, read_entries
from pipelines.people.figures import figures_of
from pipelines.people.link import link
from pipelines.results.folder import ScanFolder

_COLUMNS = ("uri", "source", "owner", "access", "mtime", "risk", "health_class", "referred", "known", "people")
_LISTED = 50
_UNKNOWN = "unknown"


def facts_of(
    folders: Sequence[ScanFolder],
    discovered: date | None,
    verified: frozenset[str] | None = None,
    reviews: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """`verified`: uris that reviewers found to hold health information; None where nobody was asked.

    What they found not to hold any is left out by the caller's `reviews["refuted"]`.
    """
    refuted = frozenset((reviews or {}).get("refuted", ()))
    rows = [row for folder in folders for row in folder.rows(_COLUMNS)]
    wanted = [row for row in rows if row["uri"] not in refuted and (row["referred"] or row["uri"] in (verified or ()))]
    sure = [row for row in wanted if verified is not None and row["uri"] in verified]
    unsure = [row for row in wanted if verified is None or row["uri"] not in verified]
    manifests = [folder.read_manifest() for folder in folders]
    parts = {
        "verified": _part(folders, sure) if verified is not None else None,
        "unverified": _part(folders, unsure),
    }
    counted = parts["verified"] or parts["unverified"] or {}
    return {
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "discovered": discovered.isoformat() if discovered else None,
        "scans": [
            {"id": manifest["scan_id"], "started": manifest["started"], "sources": manifest["sources"]}
            for manifest in manifests
        ],
        **parts,
        "reviews": {name: value for name, value in (reviews or {}).items() if name != "refuted"} or None,
        "duties": duties_for(counted["people"]["by_jurisdiction"], discovered),
        "not_advice": NOT_ADVICE,
    }


def _part(folders: Sequence[ScanFolder], rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    uris = frozenset(row["uri"] for row in rows)
    entries = read_entries(folders, REFERRED, uris)
    times = sorted(row["mtime"] for row in rows if row["mtime"] is not None)
    return {
        "files": len(rows),
        "people": figures_of(entries, link(entries), rules_in(folders[-1].bundle).characteristics, _LISTED),
        "known": sum(row["known"] or 0 for row in rows),
        "by_risk": _counted(rows, "risk"),
        "by_source": _counted(rows, "source"),
        "by_owner": _counted(rows, "owner"),
        "by_access": _counted(rows, "access"),
        "by_health_class": _counted(rows, "health_class"),
        "oldest": times[0].isoformat() if times else None,
        "newest": times[-1].isoformat() if times else None,
        "listed": [
            {
                "uri": row["uri"],
                "people": row["people"],
                "owner": row["owner"] or _UNKNOWN,
                "access": row["access"] or _UNKNOWN,
                "since": row["mtime"].isoformat() if row["mtime"] else None,
            }
            for row in sorted(rows, key=lambda row: (-(row["people"] or 0), row["uri"]))[:_LISTED]
        ],
    }


def _counted(rows: Sequence[Mapping[str, Any]], column: str) -> dict[str, int]:
    return dict(Counter(row[column] or _UNKNOWN for row in rows).most_common(_LISTED))
