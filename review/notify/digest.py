"""Queues and their people -> digests in the outbox, at most one a period each."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import transaction
from django.template.loader import render_to_string
from django.utils.crypto import salted_hmac

from core.errors import SettingsError
from review.accounts.roles import Role
from review.audit import SYSTEM, record
from review.models import Channel, DigestMark, Outbox, Wants
from review.notify.counts import QueueDigest, counts_for, counts_for_all, totals
from review.notify.mail_address import UnfitAddressError, fit_address, fit_sender, fit_site
from review.notify.period import is_over, period_of

WEBHOOK_EVENT = "queue.digest"


@dataclass(frozen=True, slots=True)
class Draft:
    """A digest that is not in the outbox yet."""

    key: str  # whose mark it moves
    message_id: str
    channel: Channel
    recipient: Any
    period: str
    subject: str
    text: str
    html: str
    counts: dict[str, int]


@dataclass(frozen=True, slots=True)
class Drafted:
    drafts: tuple[Draft, ...]
    without_address: tuple[str, ...]  # people for whom something waits and to whom no mail can go


def drafts(now: datetime) -> Drafted:
    """What is due at this moment; nothing is written."""
    found: list[Draft] = []
    unreachable: list[str] = []
    for user in _people() if settings.LEAKSCREEN.mail.host else ():
        draft = _mail_draft(user, now)
        if draft is None:
            continue
        if _reachable(user):
            found.append(draft)
        else:
            unreachable.append(user.get_username())
    if settings.LEAKSCREEN.webhook.url and (posted := _webhook_draft(now)) is not None:
        found.append(posted)
    return Drafted(tuple(found), tuple(unreachable))


def put_in_outbox(now: datetime) -> Drafted:
    """Each digest and the mark that it was made are one transaction: either both are there, or it is made the next time."""
    due = drafts(now)
    kept = []
    for draft in due.drafts:
        with transaction.atomic():
            DigestMark.objects.get_or_create(key=draft.key)
            mark = DigestMark.objects.select_for_update().get(key=draft.key)
            if not is_over(mark.period, draft.period):  # another process was faster
                continue
            _keep(draft, mark, now)
            kept.append(draft)
    return Drafted(tuple(kept), due.without_address)


def _keep(draft: Draft, mark: DigestMark, now: datetime) -> None:
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


def service_address() -> str:
    """Where links lead; without it a digest would be of no use."""
    url: str = settings.LEAKSCREEN.review.url.rstrip("/")
    if not url:
        raise SettingsError("review.url: must be set before anything is sent, because digests link to the service")
    return url


def _people() -> Iterator[Any]:
    wanted = (Role.REVIEWER, Role.ADJUDICATOR)
    yield from get_user_model().objects.filter(is_active=True, groups__name__in=wanted).distinct().order_by("pk")


def _reachable(user: Any) -> bool:
    try:
        fit_address(user.email)
    except UnfitAddressError:
        return False
    return True


def _mail_draft(user: Any, now: datetime) -> Draft | None:
    mail = settings.LEAKSCREEN.mail
    period = period_of(now, mail.period, mail.hour, mail.timezone)
    key = f"user:{user.pk}"
    mark = DigestMark.objects.filter(key=key).first()
    if mark is not None and not is_over(mark.period, period):
        return None
    counts = counts_for(user, mark.until if mark else None, now)
    if not counts:
        return None
    summed, site = totals(counts), fit_site(mail.site)
    page = {
        "site": site,
        "rows": [_with_link(each) for each in counts],
        "home": service_address() + "/",
        "period": mail.period,
        **summed,
    }
    return Draft(
        key=key,
        message_id=_message_id(key, period, fit_sender(mail.sender).rpartition("@")[2]),
        channel=Channel.MAIL,
        recipient=user,
        period=period,
        subject=_subject(site, summed),
        text=render_to_string("review/mail/digest.txt", page),
        html=render_to_string("review/mail/digest.html", page),
        counts=summed,
    )


def _subject(site: str, summed: dict[str, int]) -> str:
    late = f", {summed['overdue']:,} overdue" if summed["overdue"] else ""
    return f"[{site}] {summed['waiting']:,} waiting for review, {summed['new']:,} new{late}"


def _webhook_draft(now: datetime) -> Draft | None:
    given = settings.LEAKSCREEN
    period = period_of(now, given.webhook.period, given.mail.hour, given.mail.timezone)
    mark = DigestMark.objects.filter(key="webhook").first()
    if mark is not None and not is_over(mark.period, period):
        return None
    counts = counts_for_all(mark.until if mark else None, now)
    if not counts:
        return None
    summed, identity = totals(counts), _message_id("webhook", period, "webhook")
    queues = [
        {
            "queue": each.name,
            "wants": each.wants,
            "new": each.new,
            "waiting": each.waiting,
            "overdue": each.overdue,
            "link": _link(each),
        }
        for each in counts
    ]
    told = {
        "id": identity,
        "event": WEBHOOK_EVENT,
        "site": fit_site(given.mail.site),
        "period": period,
        "created": now.isoformat(timespec="seconds"),
        "link": service_address() + "/",
        "totals": summed,
        "queues": queues,
    }
    body = json.dumps(told, separators=(",", ":"), ensure_ascii=True)
    return Draft("webhook", identity, Channel.WEBHOOK, None, period, WEBHOOK_EVENT, body, "", summed)


def _message_id(key: str, period: str, domain: str) -> str:
    """The same for the same person and period, and of this installation alone."""
    name = salted_hmac("leakscreen.message-id", f"{key}\0{period}", algorithm="sha256").hexdigest()[:32]
    return f"<{period.replace(':', '.').lower()}.{name}@{domain}>"


def _with_link(each: QueueDigest) -> dict[str, Any]:
    label = f"{each.name} (to adjudicate)" if each.wants == Wants.ADJUDICATION else each.name
    return {"label": label, "new": each.new, "waiting": each.waiting, "overdue": each.overdue, "link": _link(each)}


def _link(each: QueueDigest) -> str:
    state = "disputed" if each.wants == Wants.ADJUDICATION else "waiting"
    return f"{service_address()}/referrals/?{urlencode({'queue': each.number, 'state': state})}"
