"""The counts of a summary -> sums that anyone can check by hand."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.records import EXAMINED, NOT_EXAMINED, Risk, Status
from leakscreen.report.format import count, number
from leakscreen.report.view import tally


@dataclass(frozen=True, slots=True)
class Sum:
    parts: str
    total: str
    meaning: str
    right: bool


def sums(summary: Mapping[str, Any]) -> list[Sum]:
    """Every file has exactly one status, and every referred file exactly one risk; the sums show it."""
    check = summary.get("reconciliation")
    check = check if isinstance(check, Mapping) else {}
    statuses, risks = tally(summary.get("status")), tally(summary.get("risk"))
    checks = [
        _sum([("files with a record", number(check.get("recorded")))], check.get("walked"), "files walked"),
        _sum(
            [(status.value, statuses.get(status.value)) for status in Status],
            summary.get("records"),
            "files and members",
        ),
        _sum(
            [(status.value, statuses.get(status.value)) for status in Status if status in EXAMINED],
            summary.get("examined"),
            "examined",
        ),
        _sum([(risk.value, risks.get(risk.value)) for risk in Risk], summary.get("referred"), "referred, by risk"),
    ]
    missing = [(status.value, statuses.get(status.value)) for status in Status if status in NOT_EXAMINED]
    records, examined = number(summary.get("records")), number(summary.get("examined"))
    if records is not None and examined is not None and any(value for _, value in missing):
        rest = records - examined - statuses.get(Status.CONTAINER.value, 0)
        checks.insert(3, _sum(missing, rest, "neither examined nor containers"))
    return [one for one in checks if one is not None]


def _sum(parts: list[tuple[str, float | None]], total: Any, meaning: str) -> Sum | None:
    whole = number(total)
    if whole is None:
        return None
    terms = [f"{count(value)} {name}" for name, value in parts if value]
    return Sum(" + ".join(terms) or "0", count(whole), meaning, sum(value or 0 for _, value in parts) == whole)
