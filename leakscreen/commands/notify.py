"""`leakscreen notify`: what waits in the review service -> digests in the outbox, and the outbox -> sent."""

import json
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.errors import SettingsError
from core.settings import Settings
from leakscreen.commands.settings import settled
from review.service.configuration import configure

DONE, NOT_ALL_SENT = 0, 3


def run(flags: dict[str, Any], config: Path | None, dry_run: bool, again: bool, as_json: bool) -> int:
    settings = settled(flags, config)
    if not settings.mail.host and not settings.webhook.url:
        raise SettingsError("there is nothing to send by: set mail.host or webhook.url")
    configure(settings)
    from review.service.first_start import ready_database

    ready_database()
    if dry_run:
        return _show(as_json)
    return _send(settings, again, as_json)


def _send(settings: Settings, again: bool, as_json: bool) -> int:
    from review.notify.digest import put_in_outbox, service_address
    from review.notify.outbox import send_due, try_refused_again

    senders = _senders(settings)
    service_address()
    made = put_in_outbox(datetime.now(UTC))
    if again:
        try_refused_again()
    told = send_due(senders, lambda: datetime.now(UTC))
    if as_json:
        print(
            json.dumps(
                {"made": len(made.drafts), "without_address": list(made.without_address), **asdict(told)}, indent=2
            )
        )
    else:
        print(
            f"{len(made.drafts):,} digests made, {told.sent:,} sent, {told.waiting:,} still to be sent, {told.refused:,} refused"
        )
    for name in made.without_address:
        print(f"warning: {name} has no usable e-mail address; a manager can add one", file=sys.stderr)
    for fault in told.faults:
        print(f"warning: {fault}", file=sys.stderr)
    return NOT_ALL_SENT if told.failed or told.refused else DONE


def _senders(settings: Settings) -> dict[str, Any]:
    from review.models import Channel
    from review.notify.mail_server import MailServer
    from review.notify.webhook import Webhook

    senders: dict[str, Any] = {}
    if settings.mail.host:
        senders[Channel.MAIL.value] = MailServer(settings.mail)
    if settings.webhook.url:
        senders[Channel.WEBHOOK.value] = Webhook(settings.webhook)
    return senders


def _show(as_json: bool) -> int:
    from review.models import Outbox
    from review.notify.digest import drafts

    due = drafts(datetime.now(UTC))
    waiting = list(Outbox.objects.filter(sent=None, refused=None).order_by("created"))
    if as_json:
        shown = [
            {
                "message_id": each.message_id,
                "channel": each.channel.value,
                "recipient": each.recipient.get_username() if each.recipient else None,
                "subject": each.subject,
                "text": each.text,
                **each.counts,
            }
            for each in due.drafts
        ]
        print(
            json.dumps(
                {"due": shown, "in_outbox": [row.pk for row in waiting], "without_address": list(due.without_address)},
                indent=2,
            )
        )
        return DONE
    for each in due.drafts:
        to = f"{each.recipient.get_username()} <{each.recipient.email}>" if each.recipient else "webhook"
        print(f"To: {to}\nMessage-ID: {each.message_id}\nSubject: {each.subject}\n\n{each.text}")
    print(f"{len(due.drafts):,} digests are due, {len(waiting):,} wait in the outbox; nothing was sent")
    return DONE
