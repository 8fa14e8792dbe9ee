"""The outbox -> sent, each row at least once under one Message-ID; what is not taken is tried again, later and later."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Q

from review.audit import SYSTEM, record
from review.models import Outbox
from review.notify.channel import NotTakenError, Sender

_FIRST_WAIT = timedelta(minutes=1)
_LONGEST_WAIT = timedelta(hours=6)
_DOUBLINGS = 10


@dataclass(slots=True)
class Sent:
    sent: int = 0
    failed: int = 0
    refused: int = 0
    waiting: int = 0  # in the outbox afterwards
    faults: list[str] = field(default_factory=list)


def send_due(senders: Mapping[str, Sender], clock: Callable[[], datetime]) -> Sent:
    """Every row whose time has come. Interrupted between taking and noting, a row is sent again under the same Message-ID."""
    told = Sent()
    for channel, sender in senders.items():
        try:
            _send_channel(channel, sender, clock, told)
        finally:
            sender.close()
    told.waiting = Outbox.objects.filter(sent=None, refused=None).count()
    return told


def try_refused_again() -> int:
    return int(Outbox.objects.filter(sent=None).exclude(refused=None).update(refused=None, not_before=None))


def wait_after(attempts: int) -> timedelta:
    doubled: int = 2 ** min(max(attempts - 1, 0), _DOUBLINGS)
    return min(_LONGEST_WAIT, _FIRST_WAIT * doubled)


def _send_channel(channel: str, sender: Sender, clock: Callable[[], datetime], told: Sent) -> None:
    tried: list[str] = []
    while (row := _take(channel, clock(), timedelta(seconds=sender.hold_seconds), tried)) is not None:
        tried.append(row.pk)
        try:
            sender.send(row)
        except NotTakenError as fault:
            _note_fault(row, fault, clock())
            told.refused += fault.for_good
            told.failed += not fault.for_good
            told.faults.append(f"{_for_whom(row)}: {fault}")
            if fault.stop:
                return
        else:
            _note_sent(row, clock())
            told.sent += 1


@transaction.atomic
def _take(channel: str, now: datetime, hold: timedelta, tried: list[str]) -> Outbox | None:
    """The oldest that is due, held for this process; a process that dies leaves it to the next one after that time."""
    due = Outbox.objects.filter(channel=channel, sent=None, refused=None).filter(
        Q(not_before=None) | Q(not_before__lte=now)
    )
    rows = due.exclude(pk__in=tried) if tried else due
    row: Outbox | None = rows.select_for_update(skip_locked=True).order_by("created", "pk").first()
    if row is not None:
        row.attempts += 1
        row.not_before = now + hold
        row.save(update_fields=["attempts", "not_before"])
    return row


@transaction.atomic
def _note_sent(row: Outbox, now: datetime) -> None:
    Outbox.objects.filter(pk=row.pk).update(sent=now, fault="", not_before=None)
    record(SYSTEM, "sent", _for_whom(row), message=row.pk, channel=row.channel, attempts=row.attempts)


def _note_fault(row: Outbox, fault: NotTakenError, now: datetime) -> None:
    changes: dict[str, Any] = {"fault": str(fault), "not_before": now + wait_after(row.attempts)}
    if fault.for_good:
        changes["refused"] = now
    Outbox.objects.filter(pk=row.pk).update(**changes)


def _for_whom(row: Outbox) -> str:
    return f"user:{row.recipient_id}" if row.recipient_id else str(row.channel)
