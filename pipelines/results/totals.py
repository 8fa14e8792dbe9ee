"""Records of a unit -> counts that add up, and the sum of many units' counts.

The same totals are counted in two ways: record by record where files are examined, and column by column where records
are carried over, which are columns already. A property test holds the two equal. core/columns.py says which columns are
counted, and how.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pyarrow.compute as pc

from core.columns import COLUMNS, Column, Count
from core.records import EXAMINED, FileRecord, Status
from pipelines.results.arrow import pa

STAGES = ("extract", "screen", "health", "write")
_OF_MEDIA_TYPE = ("files", "bytes", "examined", "referred", "containers")
_EXAMINED = pa.array(sorted(status.value for status in EXAMINED))
_NUMBERS = (Count.TRUE, Count.FALSE)
COUNTED = tuple((column, column.count) for column in COLUMNS if column.count is not None)


def no_totals() -> dict[str, Any]:
    """Every figure of a unit without records."""
    figures = dict.fromkeys(("records", "examined", "files", "bytes", "duplicates"), 0)
    groups: dict[str, Any] = {"reasons": {}, "media_types": {}, "stages": {}}
    counted: dict[str, Any] = {column.name: 0 if count in _NUMBERS else {} for column, count in COUNTED}
    return {**figures, **groups, **counted}


def unit_totals(records: Iterable[FileRecord], stages: Mapping[str, Mapping[str, float]]) -> dict[str, Any]:
    """Every figure of summary.json for one unit, as nested counts."""
    totals = no_totals()
    for record in records:
        examined = record.status in EXAMINED
        top_level = record.container_uri is None
        totals["records"] += 1
        totals["examined"] += examined
        if top_level:
            totals["files"] += 1
            totals["bytes"] += record.size
            totals["duplicates"] += record.duplicate_of is not None
        if record.reason:
            _count(totals["reasons"].setdefault(record.status.value, {}), record.reason)
        kind = totals["media_types"].setdefault(record.media_type, dict.fromkeys(_OF_MEDIA_TYPE, 0))
        kind["files"] += 1
        kind["bytes"] += record.size
        kind["examined"] += examined
        kind["referred"] += record.referred
        kind["containers"] += record.status is Status.CONTAINER
        for column, count in COUNTED:
            _count_value(totals, column, count, record)
    totals["stages"] = {stage: dict(figures) for stage, figures in stages.items()}
    return totals


def _count_value(totals: dict[str, Any], column: Column, count: Count, record: FileRecord) -> None:
    value = column.value(record)
    if count is Count.TRUE:
        totals[column.name] += bool(value)
    elif count is Count.FALSE:
        totals[column.name] += value is False
    elif count is Count.SUM_BY_KEY:
        for key, number in value:
            _count(totals[column.name], key, number)
    elif count is Count.FIRST_FIELD:
        for item in value:
            _count(totals[column.name], getattr(item, column.first_field))
    elif value is not None and (count is Count.VALUES or record.referred):
        _count(totals[column.name], value)


def _count(counts: dict[str, int], key: str, by: int = 1) -> None:
    counts[key] = counts.get(key, 0) + by


def table_totals(table: pa.Table) -> dict[str, Any]:
    """What `unit_totals` gives for the same records; no stage worked on them."""
    top_level = table["container_uri"].is_null()
    examined = pc.is_in(table["status"], value_set=_EXAMINED)
    figures = {
        "records": table.num_rows,
        "examined": _sum(examined),
        "files": _sum(top_level),
        "bytes": _sum(table["size"].filter(top_level)),
        "duplicates": _sum(pc.and_(top_level, table["duplicate_of"].is_valid())),
        "reasons": _reasons(table),
        "media_types": _media_types(table, examined),
    }
    counted = {column.name: _count_column(table, column, count) for column, count in COUNTED}
    return {**no_totals(), **figures, **counted}


def _count_column(table: pa.Table, column: Column, count: Count) -> int | dict[str, int]:
    values = table[column.name]
    if count is Count.TRUE:
        return _sum(values)
    if count is Count.FALSE:
        return _sum(pc.invert(values))
    if count is Count.SUM_BY_KEY:
        return _sums_by_key(values)
    if count is Count.FIRST_FIELD:
        return _values(pc.struct_field(pc.list_flatten(values), column.first_field))
    return _values(values if count is Count.VALUES else values.filter(table["referred"]))


def _sum(column: Any) -> int:
    return int(pc.sum(column).as_py() or 0)


def _values(column: Any) -> dict[str, int]:
    entries = column.value_counts().to_pylist()
    return {entry["values"]: entry["counts"] for entry in entries if entry["values"] is not None}


def _reasons(table: pa.Table) -> dict[str, dict[str, int]]:
    rows = table.select(["status", "reason"]).filter(pc.not_equal(table["reason"], ""))
    statuses = pc.unique(rows["status"]).to_pylist()
    return {status: _values(rows["reason"].filter(pc.equal(rows["status"], status))) for status in statuses}


def _media_types(table: pa.Table, examined: Any) -> dict[str, dict[str, int]]:
    encoded = table["media_type"].combine_chunks().dictionary_encode()
    kinds, place = encoded.dictionary.to_pylist(), encoded.indices.to_numpy()
    opened = pc.equal(table["status"], Status.CONTAINER.value)
    weights = (None, table["size"], examined, table["referred"], opened)
    sums = [np.bincount(place, None if weight is None else weight.to_numpy(), len(kinds)) for weight in weights]
    return {
        kind: {name: int(figures[number]) for name, figures in zip(_OF_MEDIA_TYPE, sums, strict=True)}
        for number, kind in enumerate(kinds)
    }


def _sums_by_key(column: Any) -> dict[str, int]:
    """Most maps are empty, so only the others become Python values."""
    kind = column.type
    entry = pa.struct([pa.field("key", kind.key_type, nullable=False), pa.field("value", kind.item_type)])
    filled = pc.greater(pc.list_value_length(column.cast(pa.list_(entry))), 0)
    sums: dict[str, int] = {}
    for entries in column.filter(filled).to_pylist():
        for key, number in entries:
            _count(sums, key, number)
    return sums


def add(left: dict[str, Any], right: Mapping[str, Any]) -> dict[str, Any]:
    """Adds nested counts into `left`."""
    for key, value in right.items():
        if isinstance(value, Mapping):
            left[key] = add(left.get(key, {}), value)
        else:
            left[key] = left.get(key, 0) + value
    return left
