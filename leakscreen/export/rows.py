"""A scan's manifest and summary -> what an export says of the scan; and the columns that are exported, as flat text."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from core.columns import Reader, names_for
from core.errors import OutputError

Row = dict[str, Any]
COLUMNS = names_for(Reader.EXPORT)


@dataclass(frozen=True, slots=True)
class ExportedScan:
    """What an export says of the scan as a whole: when it ran, and with which version and rules."""

    scan_id: str
    started: datetime
    finished: datetime
    version: str
    rules: tuple[str, ...]


def exported_scan(manifest: dict[str, Any], summary: dict[str, Any]) -> ExportedScan:
    try:
        return ExportedScan(
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
    return pairs(row["pii_counts"])


def pairs(entries: Mapping[str, Any] | None) -> str:
    return " ".join(f"{name}={value}" for name, value in sorted((entries or {}).items()))


def fired(row: Row) -> str:
    """email name-and-contact"""
    return " ".join(sorted({hit["rule"] for hit in row["rules"] or ()}))


def nearest_rule(row: Row) -> str | None:
    hits = row["rules"] or ()
    return min(hits, key=lambda hit: (hit["distance"], hit["rule"]))["rule"] if hits else None


def masked(row: Row, at_most: int | None = None) -> list[str]:
    """email j***@e***.org (page 1)"""
    return [
        f"{piece['characteristic']} {piece['masked']} ({piece['where']})" for piece in (row["evidence"] or ())[:at_most]
    ]
