"""`leakscreen gate`: settings -> the running mail gateway; and decisions of reviewers -> held mails released."""

import asyncio
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from core.settings import load_and_configure_log, load_settings
from leakscreen.gate.policy import load_policies
from review.service.configuration import configure

SOURCE = "gate"  # of the gate's records


def run(flags: dict[str, Any], config: Path | None) -> None:
    from leakscreen.gate.service import Gate

    settings = load_and_configure_log(flags, config)
    asyncio.run(Gate(settings, load_policies(settings.gate.policies)).run())


def show_policies(flags: dict[str, Any], config: Path | None, as_json: bool) -> None:
    policies = load_policies(load_settings(flags, config=config).gate.policies)
    if as_json:
        print(json.dumps([asdict(policy) for policy in policies], indent=2))
        return
    for policy in policies:
        print(f"{policy.id}: {policy.action.value} when {policy.when}, to {policy.recipients}: {policy.description}")


def release(flags: dict[str, Any], config: Path | None, dry_run: bool, as_json: bool) -> None:
    """Writes each action to the audit log before it is done, so that nothing happens without an entry."""
    settings = load_and_configure_log(flags, config)
    configure(settings)
    from leakscreen.gate.held import ON_PHI, Deed, ask_postfix, queue_id_of
    from review.audit import SYSTEM, record
    from review.referrals.held import held_mails
    from review.service.anchor import keep_head
    from review.service.first_start import ensure_database

    ensure_database()
    counts = {"released": 0, "returned": 0, "deleted": 0, "kept": 0, "undecided": 0}
    done = {Deed.RELEASE: "released", Deed.RETURN: "returned", Deed.DELETE: "deleted"}
    for mail in held_mails(SOURCE):
        queue_id = queue_id_of(mail.uri, mail.path)
        if queue_id is None:
            continue
        deed = Deed.RELEASE if mail.is_cleared else ON_PHI.get(settings.gate.on_phi) if mail.is_phi else None
        if deed is None:
            counts["kept" if mail.is_phi else "undecided"] += 1
            continue
        if not dry_run:
            record(SYSTEM, "held mail", mail.uri, deed=done[deed])
            ask_postfix(deed, queue_id, settings.gate)
        counts[done[deed]] += 1
    if not dry_run:
        keep_head(settings.review)
    print(json.dumps(counts, indent=2) if as_json else ", ".join(f"{count:,} {what}" for what, count in counts.items()))
