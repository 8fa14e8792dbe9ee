"""Rows of a scan -> referrals, the same ones however often it is repeated."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from fractions import Fraction
from itertools import islice
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from core.columns import Reader, columns_for, names_for
from evaluation.draw import chance
from review.audit import SYSTEM, record
from review.models import Awaiting, Finding, FiredRules, Kind, Queue, Referral, ReferralPath, Scan, State
from review.referrals.identity import path_id, place_of, rank_of, referral_id
from review.referrals.reopening import earlier_findings, is_asked_again
from review.referrals.routing import Route, queue_of, routes
from review.referrals.rows import Row, without_nulls

BATCH = 250  # a batch keeps reviewers waiting on SQLite, so it is short
_ONE_INTAKE = 7_283_646  # any number, as long as every process takes the same
COLUMNS = names_for(Reader.INTAKE)
_FINDING_COLUMNS = {
    column.name: Finding._meta.get_field(column.kept_as.removeprefix("Finding."))
    for column in columns_for(Reader.INTAKE)
    if column.kept_as.startswith("Finding.")
}


@dataclass(frozen=True, slots=True)
class ScanFacts:
    """What intake keeps of a scan's manifest: where the scan is, when it began, and its rules and model."""

    id: str
    folder: str
    sources: tuple[str, ...]
    started: datetime
    rules_sha256: str
    model_sha256: str = ""
    sealed: bool = False  # whether its seals were checked


@dataclass(slots=True)
class Taken:
    """What became of the rows."""

    files: int = 0
    new: int = 0
    asked_again: int = 0
    known: int = 0
    superseded: int = 0


class Intake:
    """One scan's rows, batch by batch; each batch is one transaction, and stays taken in whatever happens next."""

    def __init__(self, facts: ScanFacts, kind: Kind = Kind.REFERRED) -> None:
        review = settings.LEAKSCREEN.review
        self._facts = facts
        self._kind = kind
        self._routes: tuple[Route, ...] = routes(review.queues)
        self._seed, self._share = review.seed, review.double_review
        self._held = kind is Kind.REFERRED and review.budget > 0  # until the draw has decided
        self._queues: dict[str, Queue] = {}
        self._fired: dict[str, int] = {}
        self._started: dict[str, datetime] = {}
        self.taken = Taken()

    def take(self, rows: Iterable[Row]) -> Taken:
        scan = self._begin()
        waiting = iter(rows)
        while batch := [without_nulls(row) for row in islice(waiting, BATCH)]:
            with transaction.atomic():
                _alone()
                self._take_batch(batch)
        with transaction.atomic():
            Scan.objects.filter(pk=scan.pk).update(taken_in=timezone.now())
            record(
                SYSTEM,
                "intake",
                f"scan:{scan.pk}",
                kind=self._kind.value,
                rules=scan.rules_sha256,
                sealed=self._facts.sealed,
                **asdict(self.taken),
            )
        tell_planner()
        return self.taken

    def _begin(self) -> Scan:
        facts = self._facts
        columns = {
            "folder": facts.folder,
            "sources": list(facts.sources),
            "started": facts.started,
            "rules_sha256": facts.rules_sha256,
            "model_sha256": facts.model_sha256,
        }
        scan: Scan = Scan.objects.update_or_create(pk=facts.id, defaults=columns)[0]
        self._started = dict(Scan.objects.values_list("pk", "started"))
        return scan

    def _take_batch(self, rows: Sequence[Row]) -> None:
        batch = _Batch()
        ids = [referral_id(row["source"], row["sha256"], row["uri"], self._kind) for row in rows]
        stored = {referral.pk: referral for referral in Referral.objects.select_for_update().filter(pk__in=set(ids))}
        batch.shown = earlier_findings(stored.values(), self._facts.rules_sha256)
        for referral, row in zip(ids, rows, strict=True):
            self._sort(batch, referral, row, stored)
        earlier = self._supersede(batch)
        for path in batch.paths.values():
            new = batch.new.get(path.referral_id)
            if new is not None and new.previous_id is None:
                new.previous_id = earlier.get(path.place)
        self._write(batch)
        self.taken.files += len(rows)

    def _sort(self, batch: "_Batch", pk: str, row: Row, stored: Mapping[str, Referral]) -> None:
        before = batch.new.get(pk) or stored.get(pk)
        if before is None:
            batch.new[pk] = self._referral(pk, row)
            batch.findings[pk] = self._indexed(_finding(pk, row))
            self.taken.new += 1
        elif pk in stored and pk not in batch.seen:
            batch.seen.add(pk)
            self.taken.known += 1
            if self._is_drawn_anew(before, row):
                before.stratum, before.probability = row["stratum"], str(row["probability"])
                batch.changed[pk] = before
            if self._newer_than(before.last_scan_id):
                batch.changed[pk] = before
                batch.findings[pk] = self._indexed(_finding(pk, row))
                self._see_again(before, row, batch)
        path = path_id(pk, row["uri"])
        batch.paths[path] = ReferralPath(
            pk=path,
            referral_id=pk,
            place=place_of(row["source"], row["uri"]),
            uri=row["uri"],
            path=row["path"],
            owner=row["owner"][:200],
            scan_id=self._facts.id,
        )

    def _referral(self, pk: str, row: Row) -> Referral:
        now = timezone.now()
        probability = row.get("probability") or ""
        return Referral(
            pk=pk,
            kind=self._kind,
            queue=self._queue(queue_of(self._routes, row["source"], row["uri"], row["owner"])),
            first_scan_id=self._facts.id,
            last_scan_id=self._facts.id,
            asked_in_id=self._facts.id,
            source=row["source"],
            sha256=row["sha256"] or "",
            rules_sha256=self._facts.rules_sha256,
            risk=row["risk"],
            health_distance=row["health_distance"],
            rank=rank_of(row["risk"], row["health_distance"], row.get("access")),
            double=chance(self._seed, "double", pk, "1") < self._share,
            stratum=row.get("stratum") or "",
            probability=str(probability),
            created=now,
            asked=now,
            **self._open(),
        )

    def _open(self) -> dict[str, Any]:
        return (
            {"state": State.UNSAMPLED, "wants": Awaiting.NOBODY}
            if self._held
            else {"state": State.WAITING, "wants": Awaiting.REVIEW}
        )

    def _is_drawn_anew(self, referral: Referral, row: Row) -> bool:
        """By an audit of a newer scan, or by a larger one of the same scan, which contains the smaller one."""
        if not row.get("probability"):
            return False
        if referral.last_scan_id == self._facts.id:
            return Fraction(row["probability"]) > Fraction(referral.probability or 0)
        return self._newer_than(referral.last_scan_id)

    def _see_again(self, referral: Referral, row: Row, batch: "_Batch") -> None:
        """What was decided stays decided; a content that had gone, or that shows more than before, has a new round."""
        again = referral.state == State.SUPERSEDED or (
            referral.rules_sha256 != self._facts.rules_sha256
            and referral.state in (State.DECIDED, State.UNSAMPLED)
            and is_asked_again(referral, row["risk"], batch.shown.get(referral.pk), batch.findings[referral.pk])
        )
        referral.last_scan_id = self._facts.id
        referral.rules_sha256 = self._facts.rules_sha256
        referral.risk, referral.health_distance = row["risk"], row["health_distance"]
        if not referral.blind:
            referral.rank = rank_of(row["risk"], row["health_distance"], row.get("access"))
        if again:
            self._begin_round(referral, row)

    def _begin_round(self, referral: Referral, row: Row) -> None:
        self.taken.asked_again += 1
        referral.round += 1
        referral.asked, referral.asked_in_id = timezone.now(), self._facts.id
        referral.double = chance(self._seed, "double", referral.pk, str(referral.round)) < self._share
        referral.decision, referral.decided_at, referral.by_group = "", None, False
        referral.first_reviewer_id = referral.second_reviewer_id = referral.leased_to_id = referral.leased_until = None
        referral.stratum, referral.probability = row.get("stratum") or "", str(row.get("probability") or "")
        for name, value in self._open().items():
            setattr(referral, name, value)

    def _supersede(self, batch: "_Batch") -> dict[str, str]:
        """Other content at the same places is history now; what nobody can look at any more is not asked about."""
        own = {path.place: path for path in batch.paths.values()}
        stored = ReferralPath.objects.filter(place__in=own.keys()).select_related("referral")
        earlier: dict[str, str] = {}
        for path in stored:
            mine = own[path.place]
            if path.referral.kind != self._kind:
                continue
            if not self._not_older_than(path.scan_id):
                mine.current = mine.current and path.pk == mine.pk and path.current
                if path.pk == mine.pk:
                    batch.paths.pop(path.pk)
            elif path.pk != mine.pk and path.current:
                earlier[path.place] = path.referral_id
        if earlier:
            stale = set(earlier.values())
            ReferralPath.objects.filter(place__in=earlier.keys(), referral_id__in=stale).update(current=False)
            gone = Referral.objects.filter(pk__in=stale).exclude(wants=Awaiting.NOBODY).exclude(paths__current=True)
            self.taken.superseded += gone.update(state=State.SUPERSEDED, wants=Awaiting.NOBODY)
        return earlier

    def _write(self, batch: "_Batch") -> None:
        Referral.objects.bulk_create(batch.new.values())
        if batch.changed:
            Referral.objects.bulk_update(batch.changed.values(), _REFRESHED, batch_size=200)
        Finding.objects.bulk_create(
            batch.findings.values(),
            update_conflicts=True,
            unique_fields=["referral"],
            update_fields=_names(Finding, "referral"),
        )
        ReferralPath.objects.bulk_create(
            batch.paths.values(),
            update_conflicts=True,
            unique_fields=["id"],
            update_fields=["current", "scan", "owner", "path"],
        )

    def _indexed(self, finding: Finding) -> Finding:
        names = json.dumps(sorted({rule["rule"] for rule in finding.rules}))
        if names not in self._fired:
            self._fired[names] = FiredRules.objects.get_or_create(rules=names)[0].pk
        finding.fired_id = self._fired[names]
        return finding

    def _queue(self, name: str) -> Queue:
        if name not in self._queues:
            self._queues[name] = Queue.objects.get_or_create(name=name)[0]
        return self._queues[name]

    def _newer_than(self, scan: str) -> bool:
        return scan != self._facts.id and self._not_older_than(scan)

    def _not_older_than(self, scan: str) -> bool:
        return self._facts.started >= self._started.get(scan, self._facts.started)


@dataclass(slots=True)
class _Batch:
    """One batch, ready to be written, and what its referrals showed before."""

    shown: Mapping[str, Finding] = field(default_factory=dict)
    new: dict[str, Referral] = field(default_factory=dict)
    changed: dict[str, Referral] = field(default_factory=dict)
    findings: dict[str, Finding] = field(default_factory=dict)
    paths: dict[str, ReferralPath] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)


_REFRESHED = (
    "last_scan",
    "asked_in",
    "rules_sha256",
    "risk",
    "health_distance",
    "rank",
    "round",
    "asked",
    "double",
    "state",
    "wants",
    "decision",
    "by_group",
    "decided_at",
    "first_reviewer",
    "second_reviewer",
    "leased_to",
    "leased_until",
    "stratum",
    "probability",
)


def _alone() -> None:
    """One batch at a time, whoever takes in; SQLite has one writer anyway."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_ONE_INTAKE])


def _finding(pk: str, row: Row) -> Finding:
    fields = {field.name: _fitted(row.get(name), field) for name, field in _FINDING_COLUMNS.items()}
    return Finding(referral_id=pk, **fields)


def tell_planner() -> None:
    """Both databases choose indexes by estimates of how many rows have a value; SQLite makes none by itself."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA analysis_limit=1000")
        for table in (Referral, Finding, ReferralPath):
            cursor.execute(f"ANALYZE {table._meta.db_table}")


def _fitted(value: Any, field: Any) -> Any:
    """Cut to the field's length; the field's own empty value where there is none."""
    if value is None:
        return field.get_default()
    return value[: field.max_length] if field.max_length and isinstance(value, str) else value


def _names(model: Any, *without: str) -> list[str]:
    return [field.name for field in model._meta.fields if field.name not in without]
