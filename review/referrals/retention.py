"""What is older than policy allows -> removed, with an entry in the audit log.

Removes findings, paths and comments of referrals that are decided, not drawn or superseded, unless their case is still
open; and the names of folders and unexamined files of old scans. Votes, decisions and the audit log stay.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from review.audit import SYSTEM, record
from review.cases.cases import IN_WORK
from review.models import (
    CaseAction,
    CaseEvent,
    Finding,
    Folder,
    Lockout,
    Note,
    Outbox,
    Referral,
    ReferralPath,
    State,
    Unexamined,
)

_AT_ONCE = 500


@dataclass(slots=True)
class Purged:
    referrals: int = 0
    paths: int = 0
    notes: int = 0
    unexamined: int = 0
    folders: int = 0
    mails: int = 0
    sessions: int = 0
    lockouts: int = 0


def purge(before: datetime, *, dry_run: bool = False) -> Purged:
    """In batches, each one transaction; the next run continues an interrupted one."""
    purged = Purged()
    for ids in _batches(_due(before)):
        with transaction.atomic():
            purged.referrals += len(ids)
            purged.paths += _remove(ReferralPath.objects.filter(referral__in=ids), dry_run)
            purged.notes += _remove(Note.objects.filter(vote__referral__in=ids), dry_run)
            _remove(Finding.objects.filter(referral__in=ids), dry_run)
            purged.notes += _blank(CaseEvent.objects.filter(case__in=ids).exclude(note=""), dry_run)
            if not dry_run:
                CaseAction.objects.filter(case__in=ids).update(uri="", steps=[], fault="", note="")
    with transaction.atomic():
        purged.unexamined = _remove(Unexamined.objects.filter(scan__started__lt=before), dry_run)
        purged.folders = _remove(Folder.objects.filter(scan__started__lt=before), dry_run)
        purged.mails = _remove(Outbox.objects.filter(Q(sent__lt=before) | Q(refused__lt=before)), dry_run)
        purged.sessions = _remove(Session.objects.filter(expire_date__lt=timezone.now()), dry_run)
        purged.lockouts = _remove(Lockout.objects.filter(last__lt=before), dry_run)
        if not dry_run:
            record(SYSTEM, "purge", "", before=before.isoformat(timespec="seconds"), **asdict(purged))
    return purged


def _due(before: datetime) -> Any:
    over = Q(state=State.DECIDED, decided_at__lt=before) | Q(
        state__in=(State.SUPERSEDED, State.UNSAMPLED), asked__lt=before
    )
    return (
        Referral.objects.filter(over)
        .exclude(case__state__in=IN_WORK)
        .exclude(case__closed__gte=before)
        .filter(Q(paths__isnull=False) | Q(finding__isnull=False))
        .distinct()
        .order_by("pk")
    )


def _batches(rows: Any) -> Iterator[list[str]]:
    ids = list(rows.values_list("pk", flat=True))
    for low in range(0, len(ids), _AT_ONCE):
        yield ids[low : low + _AT_ONCE]


def _blank(notes: Any, dry_run: bool) -> int:
    return int(notes.count() if dry_run else notes.update(note=""))


def _remove(rows: Any, dry_run: bool) -> int:
    return int(rows.count() if dry_run else rows.delete()[0])
