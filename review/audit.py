"""An action -> an entry of the audit log, chained to all before it; and the whole log -> every fault in it."""

import hashlib
import hmac
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.db import transaction

from review.models import AuditEntry, AuditHead

START = "0" * 64
SYSTEM = "leakscreen"  # the actor where a command acts


@dataclass(frozen=True, slots=True)
class Fault:
    number: int
    what: str


@dataclass(frozen=True, slots=True)
class Head:
    number: int
    hash: str


def record(actor: str, action: str, subject: str = "", **details: Any) -> Head:
    """Part of the caller's transaction: a change and its entry are both saved, or neither is."""
    with transaction.atomic():
        head = AuditHead.objects.select_for_update().get(pk=1)
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        entry = AuditEntry(
            number=head.number + 1,
            at=at,
            actor=_plain(actor)[:150],
            action=action,
            subject=_plain(subject)[:200],
            details=_canonical(details) if details else "",
            previous=head.hash,
        )
        entry.hash = _digest(entry, settings.AUDIT_KEY)
        entry.save()
        head.number, head.hash = entry.number, entry.hash
        head.save()
    return Head(entry.number, entry.hash)


def current_head() -> Head:
    head = AuditHead.objects.get(pk=1)
    return Head(head.number, head.hash)


def verify(anchors: Iterable[Head] = ()) -> tuple[int, list[Fault]]:
    """The number of entries, and every fault: edited, missing or reordered entries, or a truncated end."""
    anchored = {anchor.number: anchor.hash for anchor in anchors}
    faults: list[Fault] = []
    with transaction.atomic():
        head = AuditHead.objects.select_for_update().filter(pk=1).first()
        last = Head(0, START)
        for entry in _all():
            faults += _faults(entry, last, anchored.pop(entry.number, None))
            last = Head(entry.number, entry.hash)
    if head is None:
        faults.append(Fault(last.number, "the head of the log is missing"))
    elif (head.number, head.hash) != (last.number, last.hash):
        faults.append(
            Fault(
                last.number,
                f"the log ends here, but its head is entry {head.number}: entries at the end were removed or replaced",
            )
        )
    faults += [
        Fault(number, "was recorded as a head of the log, and is missing") for number in sorted(anchored) if number
    ]
    return last.number, faults


def _faults(entry: AuditEntry, last: Head, anchor: str | None) -> Iterator[Fault]:
    if entry.number != last.number + 1:
        between = (
            f"entry {last.number + 1}"
            if entry.number == last.number + 2
            else f"entries {last.number + 1} to {entry.number - 1}"
        )
        yield Fault(entry.number, f"{between} before it were removed")
    elif entry.previous != last.hash:
        yield Fault(entry.number, "does not follow the entry before it: one of the two was moved or replaced")
    if not hmac.compare_digest(entry.hash, _digest(entry, settings.AUDIT_KEY)):
        yield Fault(entry.number, "was edited, or written with another key")
    if anchor is not None and anchor != entry.hash:
        yield Fault(entry.number, "is not the entry that was recorded as a head of the log")


def _all() -> Iterator[AuditEntry]:
    """In batches by number, because not every database keeps a cursor over the whole table open."""
    number = None
    while True:
        rows = AuditEntry.objects.order_by("number")
        batch = list((rows if number is None else rows.filter(number__gt=number))[:2_000])
        if not batch:
            return
        yield from batch
        number = batch[-1].number


def _digest(entry: AuditEntry, key: bytes) -> str:
    parts = [entry.number, entry.at, entry.actor, entry.action, entry.subject, entry.details, entry.previous]
    return hmac.new(key, _canonical(parts).encode(), hashlib.sha256).hexdigest()


def _canonical(value: Any) -> str:
    return _plain(json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True))


def _plain(text: str) -> str:
    """Without characters that a database text cannot hold."""
    return text.replace("\0", "%00").encode("utf-8", "backslashreplace").decode()
