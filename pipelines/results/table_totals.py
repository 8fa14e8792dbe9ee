"""Records as columns -> the same totals that totals.py counts record by record."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from core.records import EXAMINED

_EXAMINED = pa.array(sorted(status.value for status in EXAMINED))


def table_totals(table: pa.Table) -> dict[str, Any]:
    outermost = table["container_uri"].is_null()
    examined = pc.is_in(table["status"], value_set=_EXAMINED)
    referred = table["referred"]
    fired = pc.struct_field(pc.list_flatten(table["rules"]), "rule")
    return {
        "records": table.num_rows,
        "examined": _sum(examined),
        "files": _sum(outermost),
        "bytes": _sum(table["size"].filter(outermost)),
        "duplicates": _sum(pc.and_(outermost, table["duplicate_of"].is_valid())),
        "status": _counts(table["status"]),
        "reasons": _reasons(table),
        "media_types": _media_types(table, examined),
        "screened_positive": _sum(table["screened_positive"]),
        "health_positive": _sum(pc.fill_null(table["health_positive"], False)),
        "referred": _sum(referred),
        "risk": _counts(table["risk"].filter(referred)),
        "rules": _counts(fired),
        "suppressed": _suppressed(table["suppressed"]),
        "stages": {},
    }


def _sum(column: Any) -> int:
    return int(pc.sum(column).as_py() or 0)


def _counts(column: Any) -> dict[str, int]:
    return {entry["values"]: entry["counts"] for entry in pc.value_counts(column).to_pylist()}


def _reasons(table: pa.Table) -> dict[str, dict[str, int]]:
    given = table.select(["status", "reason"]).filter(pc.not_equal(table["reason"], ""))
    found: dict[str, dict[str, int]] = {}
    for status in pc.unique(given["status"]).to_pylist():
        found[status] = _counts(given["reason"].filter(pc.equal(given["status"], status)))
    return found


def _media_types(table: pa.Table, examined: Any) -> dict[str, dict[str, int]]:
    encoded = table["media_type"].combine_chunks().dictionary_encode()
    kinds, place = encoded.dictionary.to_pylist(), encoded.indices.to_numpy()

    def by_kind(weights: Any) -> list[int]:
        return [int(value) for value in np.bincount(place, None if weights is None else weights.to_numpy(), len(kinds))]

    columns: Iterable[list[int]] = (
        by_kind(None),
        by_kind(table["size"]),
        by_kind(examined),
        by_kind(table["referred"]),
    )
    return {
        kind: {"files": files, "bytes": size, "examined": seen, "referred": told}
        for kind, files, size, seen, told in zip(kinds, *columns, strict=True)
    }


def _suppressed(column: pa.ChunkedArray) -> dict[str, int]:
    found: dict[str, int] = {}
    for entries in column.filter(pc.greater(pc.list_value_length(_as_lists(column)), 0)).to_pylist():
        for characteristic, hits in entries:
            found[characteristic] = found.get(characteristic, 0) + hits
    return found


def _as_lists(column: pa.ChunkedArray) -> pa.ChunkedArray:
    kind = column.type
    entry = pa.struct([pa.field("key", kind.key_type, nullable=False), pa.field("value", kind.item_type)])
    return column.cast(pa.list_(entry))
