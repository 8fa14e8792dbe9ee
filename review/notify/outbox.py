"""Digests that are due -> rows of the outbox -> sent, each at least once under one Message-ID, with growing waits."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from review.audit import SYSTEM, record
from review.models import DigestMark, Outbox
from review.notify.channel import Draft, Drafted, NotTakenError, Sender
from review.notify.channels import configured_channels
from review.notify.period import is_over

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


def due_drafts(now: datetime) -> Drafted:
    """The digests of all configured channels that are due at this moment; writes nothing."""
    drafted = [channel.drafts(now) for channel in configured_channels(settings.LEAKSCREEN)]
    return Drafted(
        tuple(draft for part in drafted for draft in part.drafts),
        tuple(name for part in drafted for name in part.without_address),
    )


def put_in_outbox(now: datetime) -> Drafted:
    """A digest and the mark of its period are one transaction: both are there, or the next run makes the digest."""
    due = due_drafts(now)
    kept = []
    for draft in due.drafts:
        with transaction.atomic():
            DigestMark.objects.get_or_create(key=draft.key)
            mark = DigestMark.objects.select_for_update().get(key=draft.key)
            if not is_over(mark.period, draft.period):  # another process was faster
                continue
            _store(draft, mark, now)
            kept.append(draft)
    return Drafted(tuple(kept), due.without_address)


def _store(draft: Draft, mark: DigestMark, now: datetime) -> None:
    row = Outbox(
        message_id=draft.message_id,
        channel=draft.channel,
        recipient=draft.recipient,
        subject=draft.subject,
        text=draft.text,
        html=draft.html,
        created=now,
    )
    Outbox.objects.bulk_create([row], ignore_conflicts=True)
    mark.period, mark.until = draft.period, now
    mark.save()
    record(SYSTEM, "digest", draft.key, message=draft.message_id, period=draft.period, **draft.counts)


def send_due(senders: Mapping[str, Sender], clock: Callable[[], datetime]) -> Sent:
    """Every row whose time has come; a row whose sending was interrupted is sent again under the same Message-ID."""
    outcome = Sent()
    for channel, sender in senders.items():
        try:
            _send_channel(channel, sender, clock, outcome)
        finally:
            sender.close()
    outcome.waiting = Outbox.objects.filter(sent=None, refused=None).count()
    return outcome


def retry_refused() -> int:
    return int(Outbox.objects.filter(sent=None).exclude(refused=None).update(refused=None, not_before=None))


def wait_after(attempts: int) -> timedelta:
    doubled: int = 2 ** min(max(attempts - 1, 0), _DOUBLINGS)
    return min(_LONGEST_WAIT, _FIRST_WAIT * doubled)


def _send_channel(channel: str, sender: Sender, clock: Callable[[], datetime], outcome: Sent) -> None:
    tried: list[str] = []
    while (row := _take(channel, clock(), timedelta(seconds=sender.hold_seconds), tried)) is not None:
        tried.append(row.pk)
        try:
            sender.send(row)
        except NotTakenError as fault:
            _note_fault(row, fault, clock())
            outcome.refused += fault.for_good
            outcome.failed += not fault.for_good
            outcome.faults.append(f"{_recipient_of(row)}: {fault}")
            if fault.stop:
                return
        else:
            _note_sent(row, clock())
            outcome.sent += 1


@transaction.atomic
def _take(channel: str, now: datetime, hold: timedelta, tried: list[str]) -> Outbox | None:
    """The oldest row that is due, held for this process; if it dies, another may take the row after that time."""
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
    record(SYSTEM, "sent", _recipient_of(row), message=row.pk, channel=row.channel, attempts=row.attempts)


def _note_fault(row: Outbox, fault: NotTakenError, now: datetime) -> None:
    changes: dict[str, Any] = {"fault": str(fault), "not_before": now + wait_after(row.attempts)}
    if fault.for_good:
        changes["refused"] = now
    Outbox.objects.filter(pk=row.pk).update(**changes)


def _recipient_of(row: Outbox) -> str:
    return f"user:{row.recipient_id}" if row.recipient_id else str(row.channel)
