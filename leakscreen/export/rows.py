"""A scan's manifest and summary -> what an export says about the scan as a whole; and the columns that leave the results."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from core.errors import OutputError

Row = dict[str, Any]
# Not exported: `metadata`, which a crawler may have filled with anything, and `path`, the raw bytes behind an escaped `uri`.
COLUMNS = (
    "scan_id",
    "uri",
    "container_uri",
    "size",
    "mtime",
    "owner",
    "sha256",
    "media_type",
    "status",
    "reason",
    "chars",
    "pii_counts",
    "persons",
    "rules",
    "screened_positive",
    "health_distance",
    "health_positive",
    "health_terms",
    "health_class",
    "referred",
    "risk",
    "evidence",
    "source",
)


@dataclass(frozen=True, slots=True)
class ScanFacts:
    scan_id: str
    started: datetime
    finished: datetime
    version: str
    rules: tuple[str, ...]


def scan_facts(manifest: dict[str, Any], summary: dict[str, Any]) -> ScanFacts:
    try:
        return ScanFacts(
            scan_id=manifest["scan_id"],
            started=datetime.fromisoformat(manifest["started"]).astimezone(UTC),
            finished=datetime.fromisoformat(summary["finished"]).astimezone(UTC),
            version=manifest["code_version"],
            rules=tuple(manifest["rules"]["ids"]),
        )
    except (KeyError, TypeError, ValueError):
        raise OutputError("the scan's manifest and summary lack what an export needs; scan again") from None


def counted(row: Row) -> str:
    """email=2 last_name=1"""
    return " ".join(f"{name}={count}" for name, count in sorted((row["pii_counts"] or {}).items()))


def nearest_rule(row: Row) -> str | None:
    hits = row["rules"] or ()
    return min(hits, key=lambda hit: (hit["distance"], hit["rule"]))["rule"] if hits else None


def masked(row: Row, at_most: int | None = None) -> list[str]:
    """email j***@e***.org (page 1)"""
    found = [f"{each['characteristic']} {each['masked']} ({each['where']})" for each in row["evidence"] or ()]
    return found if at_most is None else found[:at_most]
