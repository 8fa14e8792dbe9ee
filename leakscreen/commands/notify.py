"""`leakscreen notify`: what waits in the review service -> digests in the outbox, and the outbox -> sent messages."""

import json
import os
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.errors import SettingsError
from core.settings import Settings, load_and_configure_log
from review.notify.channels import CHANNELS, configured_channels
from review.service.configuration import configure

DONE, NOT_ALL_SENT = 0, 3


def run(flags: dict[str, Any], config: Path | None, dry_run: bool, retry: bool, as_json: bool) -> int:
    settings = load_and_configure_log(flags, config)
    if not configured_channels(settings):
        switches = " or ".join(channel.enabled_by for channel in CHANNELS)
        raise SettingsError(f"no channel is configured: set {switches}")
    configure(settings)
    from review.service.first_start import ensure_database

    ensure_database()
    if dry_run:
        return _show(as_json)
    return _send(settings, retry, as_json)


def _send(settings: Settings, retry: bool, as_json: bool) -> int:
    from review.notify.digest import service_address
    from review.notify.outbox import put_in_outbox, retry_refused, send_due

    senders = {channel.name: channel.sender(settings, os.environ) for channel in configured_channels(settings)}
    service_address()
    made = put_in_outbox(datetime.now(UTC))
    if retry:
        retry_refused()
    outcome = send_due(senders, lambda: datetime.now(UTC))
    if as_json:
        print(
            json.dumps(
                {"made": len(made.drafts), "without_address": list(made.without_address), **asdict(outcome)}, indent=2
            )
        )
    else:
        print(
            f"{_digests(len(made.drafts))} made, {outcome.sent:,} sent, {outcome.waiting:,} still to be sent,"
            f" {outcome.refused:,} refused"
        )
    for name in made.without_address:
        print(f"warning: {name} has no usable e-mail address; a manager can add one", file=sys.stderr)
    for fault in outcome.faults:
        print(f"warning: {fault}", file=sys.stderr)
    return NOT_ALL_SENT if outcome.failed or outcome.refused else DONE


def _show(as_json: bool) -> int:
    from review.models import Outbox
    from review.notify.outbox import due_drafts

    due = due_drafts(datetime.now(UTC))
    waiting = list(Outbox.objects.filter(sent=None, refused=None).order_by("created"))
    if as_json:
        shown = [
            {
                "message_id": draft.message_id,
                "channel": draft.channel,
                "recipient": draft.recipient.get_username() if draft.recipient else None,
                "subject": draft.subject,
                "text": draft.text,
                **draft.counts,
            }
            for draft in due.drafts
        ]
        print(
            json.dumps(
                {"due": shown, "in_outbox": [row.pk for row in waiting], "without_address": list(due.without_address)},
                indent=2,
            )
        )
        return DONE
    for draft in due.drafts:
        to = f"{draft.recipient.get_username()} <{draft.recipient.email}>" if draft.recipient else draft.channel
        print(f"To: {to}\nMessage-ID: {draft.message_id}\nSubject: {draft.subject}\n\n{draft.text}")
    due_now = f"{_digests(len(due.drafts))} {'is' if len(due.drafts) == 1 else 'are'} due"
    print(f"{due_now}, {len(waiting):,} {'waits' if len(waiting) == 1 else 'wait'} in the outbox; nothing was sent")
    return DONE


def _digests(number: int) -> str:
    return f"{number:,} digest{'' if number == 1 else 's'}"
