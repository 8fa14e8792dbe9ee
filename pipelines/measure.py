"""A scan's records and verified labels -> counts per rule, in one pass over the records."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from core.errors import LabelError
from core.records import EXAMINED
from evaluation.rates import RuleCounts
from evaluation.tally import Examined, tally
from pipelines.results import ScanFolder

COUNTED_COLUMNS = ("uri", "status", "rules")
EXAMINED_STATUSES = frozenset(status.value for status in EXAMINED)
_NAMED_AT_MOST = 5


@dataclass(frozen=True, slots=True)
class Counted:
    """Counts per rule, and what became of the labels."""

    n: int
    rules: list[RuleCounts]
    not_examined: int  # labelled files that have a record but were not examined
    unknown: list[str]  # labelled files that have no record

    def require_known_labels(self) -> None:
        if self.unknown:
            named = ", ".join(sorted(self.unknown)[:_NAMED_AT_MOST])
            raise LabelError(
                f"{len(self.unknown)} labels are for files that this scan has no record of: {named}; are they of another scan?"
            )


def count_in_process(folder: ScanFolder, labels: Mapping[str, bool], rule_ids: Sequence[str]) -> Counted:
    unknown, not_examined, n = set(labels), 0, 0

    def examined() -> Iterator[Examined]:
        nonlocal not_examined, n
        for row in folder.rows(COUNTED_COLUMNS):
            unknown.discard(row["uri"])
            if row["status"] in EXAMINED_STATUSES:
                n += 1
                yield Examined(row["uri"], tuple(hit["rule"] for hit in row["rules"]))
            else:
                not_examined += row["uri"] in labels

    rules = tally(examined(), labels, rule_ids)
    return Counted(n, rules, not_examined, sorted(unknown))
