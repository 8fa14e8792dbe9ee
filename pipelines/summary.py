"""Unit totals and the plan's count -> summary.json, or a loud failure where they do not agree."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from heapq import nsmallest
from itertools import islice
from typing import Any

from core.columns import Reader, names_for
from core.errors import ReconciliationError
from core.records import NOT_EXAMINED, Risk, Status
from pipelines.results.folder import ScanFolder
from pipelines.results.totals import COUNTED, STAGES, add, no_totals

_LISTED_AT_MOST = 500
_OWN_FORM = ("status", "risk", "rules", "judged")  # in the summary also where nothing was counted
_AS_COUNTED = tuple(column.name for column, _ in COUNTED if column.name not in _OWN_FORM)
_RISK_ORDER = {risk.value: rank for rank, risk in enumerate((Risk.HIGH, Risk.MEDIUM, Risk.LOW, Risk.NONE))}


def summarise(
    folder: ScanFolder,
    manifest: dict[str, Any],
    rule_ids: Sequence[str],
    seconds: float,
    totals: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Adds up the footers of all units, unless their totals are known; the rows themselves are not read."""
    if totals is None:
        totals = no_totals()
        for name in folder.unit_names():
            add(totals, folder.unit_totals(name))
    walked, recorded = manifest["walk"]["files"], totals["files"]
    examined, records = totals["examined"], totals["records"]
    return {
        "scan_id": manifest["scan_id"],
        "started": manifest["started"],
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "seconds": round(seconds, 3),
        "files": walked,
        "records": records,
        "bytes": totals["bytes"],
        "carried": {
            **manifest["walk"].get("carried", {"files": 0, "records": 0, "bytes": 0}),
            "from": manifest.get("carried_from"),
        },
        "sample": _sample(folder, manifest),
        "duplicates": totals["duplicates"],
        "status": {status.value: totals["status"].get(status.value, 0) for status in Status},
        "reasons": totals["reasons"],
        "media_types": totals["media_types"],
        "rules": {rule: {"n": examined, "positive": totals["rules"].get(rule, 0)} for rule in rule_ids},
        "risk": {risk.value: totals["risk"].get(risk.value, 0) for risk in Risk},
        "examined": examined,
        "not_judged": totals["judged"],
        **{name: totals[name] for name in _AS_COUNTED},
        "stages": {stage: totals["stages"].get(stage, {"seconds": 0.0, "bytes": 0}) for stage in STAGES},
        "reconciliation": {
            "walked": walked,
            "recorded": recorded,
            "ok": walked == recorded and records == sum(totals["status"].values()),
        },
        "not_followed": manifest["walk"]["passed_over"],
    }


def _sample(folder: ScanFolder, manifest: dict[str, Any]) -> dict[str, Any] | None:
    """What a sample says about all files that were walked; a file that was not drawn is never called clear."""
    sample = manifest["walk"].get("sample")
    if sample is None:
        return None
    from pipelines.sampling.estimate import estimates

    return {**sample, "not_drawn": sample["walked"] - sample["drawn"], "estimates": estimates(folder, manifest)}


def require_reconciled(summary: dict[str, Any]) -> None:
    figures = summary["reconciliation"]
    if not figures["ok"]:
        raise ReconciliationError(
            f"the walk counted {figures['walked']} files, but {figures['recorded']} have records: "
            "the results are incomplete; run again with --resume"
        )


def referred_rows(folder: ScanFolder) -> list[dict[str, Any]]:
    """The referred files, worst first: by risk, then by health distance; at most as many as a report lists.

    The few columns that rank them are read of all units, the rest only where a listed file is.
    """
    from pyarrow.compute import field

    ranked = nsmallest(_LISTED_AT_MOST, _ranked(folder))
    listed = defaultdict(list)
    for _, unit, uri in ranked:
        listed[unit].append(uri)
    rows = {
        row["uri"]: row
        for unit, uris in listed.items()
        for row in folder.rows(names_for(Reader.REPORT), [unit], field("uri").isin(uris))
    }
    return [rows[uri] for _, _, uri in ranked]


def _ranked(folder: ScanFolder) -> Iterator[tuple[tuple[int, float], str, str]]:
    from pyarrow.compute import field

    for unit in folder.unit_names():
        for row in folder.rows(("uri", "risk", "health_distance"), [unit], field("referred")):
            distance = row["health_distance"]
            yield (_RISK_ORDER[row["risk"]], float("inf") if distance is None else distance), unit, row["uri"]


def referred_access(folder: ScanFolder) -> Counter[str | None]:
    """How many of the referred files have which access."""
    from pyarrow.compute import field

    return Counter(row["access"] for row in folder.rows(("access",), None, field("referred")))


def unexamined_rows(folder: ScanFolder) -> list[dict[str, Any]]:
    """The files that were not, or not wholly, examined or judged; at most as many as a report lists."""
    from pyarrow.compute import field

    wanted = [status.value for status in (*NOT_EXAMINED, Status.PARTIAL)]
    rows = folder.rows(names_for(Reader.UNEXAMINED), where=field("status").isin(wanted) | (~field("judged")))
    return list(islice(rows, _LISTED_AT_MOST))
