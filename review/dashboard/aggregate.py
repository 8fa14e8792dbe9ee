"""All rows of a scan -> what the dashboard shows of it; repeated, it comes out the same."""

from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

import numpy as np
from django.db import transaction
from django.utils import timezone

from core.access import circle_of, without_users
from core.columns import Reader, names_for
from core.languages import says_not_judged
from core.records import EXAMINED, Status
from evaluation.design import NEGATIVE, REFERRED, SCREENED_ONLY
from evaluation.members import Members
from review.dashboard.figures import RuleShape, packed
from review.dashboard.folders import ROOT, folders_above, place_in
from review.models import Folder, Kind, Member, Referral, ScanFigures, Seen, Unexamined
from review.referrals.identity import referral_id
from review.referrals.rows import without_nulls

COLUMNS = names_for(Reader.DASHBOARD)
_LISTED = frozenset({Status.PARTIAL, Status.ENCRYPTED, Status.UNSUPPORTED, Status.FAILED, Status.UNREADABLE})
_AT_ONCE = 1_000
_SEEN_AT_ONCE = 250  # reviewers wait for as long as a portion takes on SQLite
_LONGEST_REASON = 300
_MOST_LISTS = 5_000


@dataclass(frozen=True, slots=True)
class ScanNumbers:
    """What a scan's manifest and summary tell beside its rows."""

    scan_id: str
    rules: tuple[RuleShape, ...]
    stages: tuple[tuple[str, float, int], ...] = ()
    seconds: float = 0.0


class Aggregate:
    """Rows one by one; only counts are kept of them, and the names of folders and of files that were not examined."""

    def __init__(self, numbers: ScanNumbers, screened: bool = False) -> None:
        self._numbers = numbers
        self._column = "screened_positive" if screened else "referred"
        self._rules = {rule.id: place for place, rule in enumerate(numbers.rules)}
        self._sources: dict[str, int] = {}
        self._cells: dict[tuple[int, int, tuple[int, ...], bool], int] = {}
        self._counts: list[list[int]] = []
        self._reasons: dict[tuple[str, str, str], int] = {}
        self._reason_files: list[int] = []
        self._kinds: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0, 0, 0, 0])
        self._risks: dict[tuple[str, str], int] = defaultdict(int)
        self._access: dict[tuple[str, str], int] = defaultdict(int)
        self._folders: dict[tuple[str, ...], list[int]] = defaultdict(lambda: [0, 0, 0])
        self._seen: dict[tuple[str, int], int] = defaultdict(int)
        self._stage_of: dict[tuple[str, int], str] = {}
        self._contents = array("Q")  # of each examined file, and its cell: what copies are counted by
        self._cell_of = array("L")
        self._referred_of = array("B")
        self._container_of = array("q")  # -1 outside of containers
        self._containers: dict[str, int] = {}
        self._inside: dict[tuple[str, int], Counter[int]] = defaultdict(Counter)  # files by container
        drawn = Seen.objects.filter(scan=numbers.scan_id).values_list("referral", "stratum", "probability")
        self._drawn_before = {referral: (stratum, probability) for referral, stratum, probability in drawn}
        audited = Referral.objects.filter(kind=Kind.NEGATIVE)
        self._audited = frozenset(  # later scans take paths over, but what this one saw stays seen
            (
                *audited.filter(paths__scan=numbers.scan_id).values_list("pk", flat=True),
                *audited.filter(seen__scan=numbers.scan_id).values_list("pk", flat=True),
            )
        )

    def take(self, rows: Iterable[Mapping[str, Any]]) -> int:
        """The number of rows; what was counted before about this scan is replaced."""
        Unexamined.objects.filter(scan=self._numbers.scan_id).delete()
        waiting, taken = iter(rows), 0
        while portion := list(islice(waiting, _AT_ONCE)):
            listed = [missed for row in portion if (missed := self._count(without_nulls(row))) is not None]
            Unexamined.objects.bulk_create(listed)
            taken += len(portion)
        self._write_folders()
        members = self._members()
        self._write_seen(frozenset(members.container.tolist()))
        ScanFigures.objects.update_or_create(
            pk=self._numbers.scan_id, defaults={"made": timezone.now(), "packed": packed(self._content(members))}
        )
        return taken

    def _count(self, row: Mapping[str, Any]) -> Unexamined | None:
        source, status = row["source"], row["status"]
        examined, referred = status in EXAMINED, bool(row["referred"])
        kind = self._kinds[source, row["media_type"] or ""]
        folder = self._folders[place_in(source, row["uri"], row["container_uri"])]
        for counts in (kind, folder):
            counts[0] += 1
            counts[1] += examined
            counts[2] += referred
        kind[3] += row["size"] or 0
        kind[4] += status == Status.CONTAINER
        if referred:
            self._risks[source, row["risk"]] += 1
            self._access[source, self._kept_access(source, row.get("access"))] += 1
        if examined:
            self._count_examined(row, referred)
        reason = self._reason(source, status, str(row["reason"])[:_LONGEST_REASON])
        if status not in _LISTED and not says_not_judged(str(row["reason"])):
            return None
        named = {"uri": row["uri"], "media_type": (row["media_type"] or "")[:200], "size": row["size"] or 0}
        return Unexamined(scan_id=self._numbers.scan_id, reason=reason, **named)

    def _count_examined(self, row: Mapping[str, Any], referred: bool) -> None:
        source = self._sources.setdefault(row["source"], len(self._sources))
        fired = tuple(sorted(self._rules.setdefault(hit["rule"], len(self._rules)) for hit in row["rules"]))
        key = (source, int(row["pii_bits"] or 0), fired, bool(row["screened_positive"]))
        cell = self._cells.setdefault(key, len(self._cells))
        if cell == len(self._counts):
            self._counts.append([0, 0])
        self._counts[cell][0] += 1
        self._counts[cell][1] += referred
        self._contents.append(int((row["sha256"] or "0")[:16], 16))
        self._cell_of.append(cell)
        self._referred_of.append(referred)
        outer = (row["container_uri"] or "").partition("!")[0]
        container = self._containers.setdefault(outer, len(self._containers)) if outer else -1
        self._container_of.append(container)
        kind = Kind.REFERRED if row[self._column] else Kind.NEGATIVE
        if kind is Kind.NEGATIVE and not self._audited:
            return
        referral = referral_id(row["source"], row["sha256"], row["uri"], kind)
        if kind is Kind.REFERRED or referral in self._audited:
            self._seen[referral, cell] += 1
            if outer:
                self._inside[referral, cell][container] += 1
            stage = REFERRED if referred else SCREENED_ONLY if row["screened_positive"] else NEGATIVE
            self._stage_of.setdefault((referral, cell), stage)

    def _kept_access(self, source: str, access: str | None) -> str:
        """Once there are many different lists, only the circle of a further one is kept."""
        kept = without_users(access)
        return kept if (source, kept) in self._access or len(self._access) < _MOST_LISTS else circle_of(access)

    def _reason(self, source: str, status: str, reason: str) -> int:
        place = self._reasons.setdefault((source, status, reason), len(self._reasons))
        if place == len(self._reason_files):
            self._reason_files.append(0)
        self._reason_files[place] += 1
        return place

    def _write_folders(self) -> None:
        totals = folders_above(self._folders)
        numbers = {path: number for number, path in enumerate(sorted(totals))}
        rows = (
            Folder(
                scan_id=self._numbers.scan_id,
                number=numbers[path],
                parent=None if path == ROOT else numbers[path[:-1]],
                path=path[-1] if path else "",
                files=files,
                examined=examined,
                referred=referred,
            )
            for path, (files, examined, referred) in sorted(totals.items())
        )
        Folder.objects.filter(scan=self._numbers.scan_id).delete()
        while portion := list(islice(rows, _AT_ONCE)):
            Folder.objects.bulk_create(portion)

    def _write_seen(self, containers: frozenset[int]) -> None:
        entries = sorted(self._seen.items())
        for table in (Seen, Member):
            table.objects.filter(scan=self._numbers.scan_id).delete()
        for low in range(0, len(entries), _SEEN_AT_ONCE):
            self._write_portion(entries[low : low + _SEEN_AT_ONCE], containers)

    @transaction.atomic
    def _write_portion(self, entries: Sequence[tuple[tuple[str, int], int]], containers: frozenset[int]) -> None:
        """Under the locks of its referrals, so that no decision falls between reading and writing."""
        ids = {referral for (referral, _), _ in entries}
        stored = {referral.pk: referral for referral in Referral.objects.select_for_update().filter(pk__in=ids)}
        Seen.objects.bulk_create(
            Seen(
                scan_id=self._numbers.scan_id,
                referral_id=referral,
                cell=cell,
                files=files,
                stage=self._stage_of[referral, cell],
                verdict=stored[referral].measured_decision,
                **self._draw_of(stored[referral]),
            )
            for (referral, cell), files in entries
            if referral in stored
        )
        Member.objects.bulk_create(
            Member(scan_id=self._numbers.scan_id, referral_id=referral, cell=cell, container=container, files=files)
            for (referral, cell), _ in entries
            for container, files in self._inside.get((referral, cell), {}).items()
            if referral in stored and container in containers
        )

    def _draw_of(self, referral: Referral) -> dict[str, str]:
        """That of this scan: a later one may have drawn the same content with another chance."""
        draw = (referral.stratum, referral.probability)
        if referral.last_scan_id != self._numbers.scan_id:
            draw = self._drawn_before.get(referral.pk, draw)
        return {"stratum": draw[0], "probability": draw[1]}

    def _content(self, members: Members) -> dict[str, Any]:
        shapes = [list(asdict(rule).values()) for rule in self._numbers.rules]
        return {
            "sources": list(self._sources),
            "rules": list(self._rules),
            "shapes": shapes,
            "cells": [
                [*key, *counts, copies]
                for key, counts, copies in zip(self._cells, self._counts, self._copies(), strict=True)
            ],
            "reasons": [[*key, files] for key, files in zip(self._reasons, self._reason_files, strict=True)],
            "kinds": [[*key, *counts] for key, counts in sorted(self._kinds.items())],
            "risks": [[*key, files] for key, files in sorted(self._risks.items())],
            "access": [[*key, files] for key, files in sorted(self._access.items())],
            "stages": [list(stage) for stage in self._numbers.stages],
            "seconds": self._numbers.seconds,
            "members": members,
        }

    def _copies(self) -> list[int]:
        """For each cell the sum of m² - m over its contents, m being a content's number of files."""
        contents, cells = (
            np.frombuffer(numbers, dtype=numbers.typecode) for numbers in (self._contents, self._cell_of)
        )
        known = contents > 0
        pairs = np.stack([contents[known].astype(np.uint64), cells[known].astype(np.uint64)], axis=1)
        found, times = np.unique(pairs, axis=0, return_counts=True)
        more = np.bincount(found[:, 1].astype(np.int64), weights=times * times - times, minlength=len(self._counts))
        return [int(number) for number in more]

    def _members(self) -> Members:
        """Of containers that have several examined files; files without a known content are contents of their own."""
        container, cell, referred, content = (
            np.frombuffer(numbers, dtype=numbers.typecode).astype(np.uint64)
            for numbers in (self._container_of, self._cell_of, self._referred_of, self._contents)
        )
        places = np.flatnonzero(np.frombuffer(self._container_of, dtype=np.int64) >= 0)
        places = places[np.bincount(container[places].astype(np.int64))[container[places].astype(np.int64)] > 1]
        content = np.where(content > 0, content, np.arange(len(content), dtype=np.uint64))
        keys = np.stack([container[places], cell[places], referred[places], content[places]], axis=1)
        contents, times = np.unique(keys, axis=0, return_counts=True)
        found, group = np.unique(contents[:, :3], axis=0, return_inverse=True)
        files, squares = (
            np.bincount(group.ravel(), weights=amounts, minlength=len(found)).astype(np.int64)
            for amounts in (times, times * times)
        )
        numbers = found.astype(np.int64).T
        return Members(numbers[0], numbers[1], numbers[2].astype(bool), files, squares)
