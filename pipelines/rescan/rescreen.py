"""Stored PII vectors -> the rules that fire on them today, and the records that cannot be judged without the text."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from core.columns import Rescan, columns_of_rescan
from core.records import EXAMINED
from pipelines.results.schema import SCHEMA
from screening.prototypes import RuleTable
from screening.ruleset.ruleset import RuleSet

_HEALTH = columns_of_rescan(Rescan.HEALTH)
_EXAMINED = pa.array(sorted(status.value for status in EXAMINED))


@dataclass(frozen=True, slots=True)
class Rescreen:
    """`rules` is None where they are the same as before; `same_health` says whether the health model is."""

    rules: RuleSet | None = None
    same_health: bool = True

    def apply(self, records: pa.Table) -> tuple[pa.Table, NDArray[np.bool_]]:
        """The records under today's rules, and which of them need their text for a new health verdict."""
        needs_text = np.zeros(records.num_rows, dtype=bool)
        if self.rules is not None:
            records, needs_text = _fired(records, self.rules)
        positive = records["screened_positive"].to_numpy()
        judged = records["health_positive"].is_valid().to_numpy()
        return records, needs_text | (positive & ~judged if self.same_health else positive)


def _fired(records: pa.Table, rules: RuleSet) -> tuple[pa.Table, NDArray[np.bool_]]:
    """Few vectors are shared by many files, so that the rules are asked once for each vector."""
    asked = list(zip(records["pii_bits"].to_pylist(), map(tuple, records["passage_bits"].to_pylist()), strict=True))
    vectors = {vector: number for number, vector in enumerate(dict.fromkeys(asked))}
    place = np.array([vectors[vector] for vector in asked], dtype=np.int64)
    prototypes = RuleTable(rules.rules)
    hits = [prototypes.hits(*vector) for vector in vectors]
    screens = {rule.id for rule in rules.rules if rule.screens}
    examined = pc.is_in(records["status"], value_set=_EXAMINED).to_numpy()
    silent = (records["pii_bits"].to_numpy() == 0) & (records["chars"].to_numpy() == 0)
    screened = examined & ~silent
    fired = pa.array(
        [
            [{"rule": h.rule, "prototype": h.prototype, "distance": h.distance} for h in fired_rules]
            for fired_rules in hits
        ]
        + [[]]
    )
    positive = np.array([any(hit.rule in screens for hit in fired_rules) for fired_rules in hits] + [False])
    place = np.where(screened, place, len(hits))
    columns = {name: records[name] for name in records.column_names}
    columns["rules"] = fired.cast(SCHEMA.field("rules").type).take(pa.array(place))
    columns["screened_positive"] = pa.array(positive[place])
    dropped = pa.array(~positive[place])
    for column in _HEALTH:
        nothing = pa.scalar(column.empty, SCHEMA.field(column.name).type)
        columns[column.name] = pc.if_else(dropped, nothing, records[column.name])
    columns["referred"] = pc.and_(columns["screened_positive"], pc.fill_null(columns["health_positive"], False))
    updated = [columns[name] for name in records.column_names]
    return pa.table(updated, schema=records.schema), (
        examined & silent if prototypes.hits(0) else np.zeros(len(place), dtype=bool)
    )
