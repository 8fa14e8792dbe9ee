"""A scan's records and verified labels -> counts per rule, in one pass over the records."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.columns import Reader, names_for
from core.errors import LabelError
from core.records import EXAMINED
from evaluation.labels import Label
from evaluation.rates import RuleCounts
from evaluation.tally import Examined, Key, Pair, Sums, contributions
from pipelines.results.folder import ScanFolder
from pipelines.sampling.strata import PARTED, Strata

COUNTED_COLUMNS = names_for(Reader.MEASURE)
EXAMINED_STATUSES = frozenset(status.value for status in EXAMINED)
_NAMED_AT_MOST = 5


@dataclass(frozen=True, slots=True)
class UnusableLabels:
    """Labels that cannot be counted, by the reason why."""

    unknown: tuple[str, ...] = ()
    of_another_scan: tuple[str, ...] = ()
    contradicting: tuple[str, ...] = ()
    audited_positives: tuple[str, ...] = ()
    audited_unexamined: tuple[str, ...] = ()

    def refuse(self) -> None:
        """Nothing that cannot count is averaged away: the first files of each fault are named."""
        faults = (
            (self.contradicting, "files are labelled twice, and differently"),
            (self.of_another_scan, "labels name another scan as theirs"),
            (self.unknown, "labels are for files that this scan has no record of; are they of another scan?"),
            (
                self.audited_positives,
                "audited files were screened positive; an audit draws from the screened negatives",
            ),
            (self.audited_unexamined, "audited files were not examined; an audit draws from the screened negatives"),
        )
        messages = [f"{len(uris)} {what} ({', '.join(sorted(uris)[:_NAMED_AT_MOST])})" for uris, what in faults if uris]
        if messages:
            raise LabelError("; ".join(messages))


@dataclass(frozen=True, slots=True)
class Counted:
    """What the records and labels add up to, and what became of the labels."""

    sums: Sums
    labels: int
    not_examined: int  # labelled files that have a record but were not examined
    misplaced: UnusableLabels
    rule_ids: tuple[str, ...] = ()

    @property
    def n(self) -> int:
        return self.sums.n

    @property
    def rules(self) -> list[RuleCounts]:
        return self.sums.rules(self.rule_ids)


def count_in_process(
    folder: ScanFolder,
    labels: Mapping[str, Label],
    rule_ids: Sequence[str] = (),
    *,
    audit: Mapping[str, Label] | None = None,
    pair: Pair | None = None,
    strata: Strata | None = None,
) -> Counted:
    audit = audit or {}
    counts: Counter[Key] = Counter()
    left = {*labels, *audit}
    for row in folder.rows(COUNTED_COLUMNS):
        uri = row["uri"]
        left.discard(uri)
        counts.update(
            file_contributions(uri, [outcome(row)], _of(labels, uri), _of(audit, uri), folder.scan_id, pair, strata)
        )
    for uri in left:
        counts.update(file_contributions(uri, [], _of(labels, uri), _of(audit, uri), folder.scan_id, pair, strata))
    return as_counts(counts, rule_ids)


Outcome = tuple[bool, tuple[str, ...], bool]


def outcome(row: Mapping[str, Any]) -> Outcome:
    """Whether a record's file was examined, which rules fired, and whether it was screened positive."""
    return (
        row["status"] in EXAMINED_STATUSES,
        tuple(hit["rule"] for hit in row["rules"]),
        bool(row["screened_positive"]),
    )


def file_contributions(
    uri: str,
    records: Sequence[Outcome],
    labels: Sequence[Label],
    audit: Sequence[Label],
    scan_id: str,
    pair: Pair | None,
    strata: Strata | None = None,
) -> Iterable[Key]:
    """The keys under which one file, its record joined to its labels, counts as one."""
    for group in (labels, audit):
        if len(set(group)) > 1:
            yield ("contradicting", uri)
            return
    label, audited = (group[0] if group else None for group in (labels, audit))
    if label is not None:
        yield ("label",)
    for one in (label, audited):
        if one is not None and one.scan_id not in ("", scan_id):
            yield ("of_another_scan", uri)
            return
    if not records:
        yield ("unknown", uri)
    part = strata.of_file(uri) if strata is not None else ""
    if label is not None and part:
        label = replace(label, stratum=f"{part}{PARTED}{label.stratum}")
    for examined, rules, screened in records:
        if not examined:
            if label is not None:
                yield ("not_examined",)
            if audited is not None:
                yield ("audited_unexamined", uri)
            continue
        if audited is not None and screened:
            yield ("audited_positives", uri)
        yield from contributions(Examined(uri, rules, screened, part), label, audited, pair)


def as_counts(counts: Mapping[Key, int], rule_ids: Sequence[str]) -> Counted:
    named = {
        name: tuple(sorted(key[1] for key in counts if key[0] == name and len(key) == 2))
        for name in UnusableLabels.__slots__
    }
    return Counted(
        Sums(counts),
        counts.get(("label",), 0),
        counts.get(("not_examined",), 0),
        UnusableLabels(**named),
        tuple(rule_ids),
    )


def _of(labels: Mapping[str, Label], uri: str) -> list[Label]:
    label = labels.get(uri)
    return [] if label is None else [label]
