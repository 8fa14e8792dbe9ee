"""A scan's records and verified labels -> counts per rule, with memory for what belongs together alone."""

from array import array
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from core.columns import Reader, names_for
from core.errors import LabelError
from evaluation.contributions import Judged, container_contributions
from evaluation.keys import Key, Number, Pair
from evaluation.labels import Label
from evaluation.rates import RuleCounts
from evaluation.tally import Sums
from pipelines.measure.units import Found, Outcome, Unit, as_files, content_of, count_content, joined, outcome
from pipelines.results.folder import ScanFolder
from pipelines.sampling.strata import Strata

COUNTED_COLUMNS = names_for(Reader.MEASURE)
_NAMED_AT_MOST = 5


@dataclass(frozen=True, slots=True)
class UnusableLabels:
    """Labels that cannot be counted, by the reason why."""

    unknown: tuple[str, ...] = ()
    of_another_scan: tuple[str, ...] = ()
    contradicting: tuple[str, ...] = ()
    contradicting_copies: tuple[str, ...] = ()
    drawn_otherwise: tuple[str, ...] = ()
    audited_positives: tuple[str, ...] = ()
    audited_unexamined: tuple[str, ...] = ()

    def refuse(self) -> None:
        """Nothing that cannot count is averaged away: the first files of each fault are named."""
        faults = (
            (self.contradicting, "files are labelled twice, and differently"),
            (self.contradicting_copies, "files have the same content and are labelled differently"),
            (
                self.drawn_otherwise,
                "labels were drawn by another unit than --unit counts:"
                " sheets of `sample --unit file` go with --unit file, all others with record or content",
            ),
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
    on_containers: int  # labels of archives and mails, whose members have records of their own
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
    share: Fraction = Fraction(1),
    unit: Unit = Unit.RECORD,
) -> Counted:
    audited = audit or {}
    counts: defaultdict[Key, Number] = defaultdict(int)
    together = _repeated(folder)
    gathered: defaultdict[str, list[Found]] = defaultdict(list)
    left = {*labels, *audited}

    def take(uri: str, records: list[Outcome]) -> None:
        for item in joined(uri, records, _of(labels, uri), _of(audited, uri), folder.scan_id, strata, share):
            if not isinstance(item, Found):
                counts[item] += 1
            elif unit is Unit.FILE or item.file.container or _number(item.file.content) in together:
                gathered[item.top if unit is Unit.FILE else content_of(item)].append(item)
            else:
                _add(counts, count_content([item], unit, pair))

    for row in folder.rows(COUNTED_COLUMNS):
        left.discard(row["uri"])
        take(row["uri"], [outcome(row)])
    for uri in left:
        take(uri, [])
    _count_together(gathered, counts, unit, pair)
    return as_counts(counts, rule_ids)


def _repeated(folder: ScanFolder) -> set[int]:
    """The contents that more than one record has."""
    seen = array("Q")
    for row in folder.rows(("sha256",)):
        if row["sha256"]:
            seen.append(_number(row["sha256"]))
    numbers, times = np.unique(np.frombuffer(seen, dtype=np.uint64), return_counts=True)
    return set(numbers[times > 1].tolist())


def _number(sha256: str) -> int:
    return int(sha256[:16], 16) if sha256 else -1


def _count_together(
    gathered: Mapping[str, list[Found]], counts: defaultdict[Key, Number], unit: Unit, pair: Pair | None
) -> None:
    by_content: Mapping[str, list[Found]] = gathered
    if unit is Unit.FILE:
        regrouped: defaultdict[str, list[Found]] = defaultdict(list)
        for members in gathered.values():
            for file in as_files(members):
                regrouped[content_of(file)].append(file)
        by_content = regrouped
    members_of: defaultdict[str, list[Judged]] = defaultdict(list)
    for group in by_content.values():
        for item in count_content(group, unit, pair):
            if isinstance(item, Judged):
                members_of[item.file.container].append(item)
            else:
                counts[item[0]] += item[1]
    for fellows in members_of.values():
        for key, number in container_contributions(fellows, pair):
            counts[key] += number


def _add(counts: defaultdict[Key, Number], items: Any) -> None:
    for item in items:
        if not isinstance(item, Judged):
            counts[item[0]] += item[1]


def as_counts(counts: Mapping[Key, Number], rule_ids: Sequence[str]) -> Counted:
    named = {
        name: tuple(sorted(key[1] for key in counts if key[0] == name and len(key) == 2))
        for name in UnusableLabels.__slots__
    }
    return Counted(
        Sums(counts),
        int(counts.get(("label",), 0)),
        int(counts.get(("not_examined",), 0)),
        int(counts.get(("on_container",), 0)),
        UnusableLabels(**named),
        tuple(rule_ids),
    )


def _of(labels: Mapping[str, Label], uri: str) -> list[Label]:
    label = labels.get(uri)
    return [] if label is None else [label]
