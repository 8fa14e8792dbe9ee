"""Senders of the outbox, killed at random moments -> each mail arrives at least once, under one Message-ID."""

import argparse
import contextlib
import json
import multiprocessing
import os
import random
import tempfile
import time
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from typing import Any

from core.settings import load_settings
from review.service.configuration import configure

KEY = "0123456789abcdef" * 4
START = datetime(2026, 3, 2, 12, tzinfo=UTC)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--postgres", action="store_true", help="start a PostgreSQL in a temporary folder (default: SQLite)"
    )
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument(
        "--seconds",
        type=float,
        default=0.5,
        help="a process is killed at most so long after its start, or after its first mail",
    )
    parser.add_argument(
        "--broken", type=float, default=0.05, help="share of mails after whose DATA the server breaks the connection"
    )
    chosen = parser.parse_args()
    with contextlib.ExitStack() as stack:
        url = (
            _postgres(stack)
            if chosen.postgres
            else f"sqlite://{stack.enter_context(tempfile.TemporaryDirectory())}/review.sqlite3"
        )
        os.environ["LEAKSCREEN_SECRET_KEY"] = KEY
        flags = {
            "review.database": url,
            "review.url": "https://review.example.org",
            "mail.host": "127.0.0.1",
            "mail.sender": "a@example.org",
        }
        configure(load_settings(flags, environ={}), os.environ)
        print(
            json.dumps(
                {
                    "database": url.partition(":")[0],
                    **killed(chosen.kills, chosen.people, chosen.seconds, chosen.broken),
                }
            )
        )


def killed(times: int, people: int, seconds: float, broken: float) -> dict[str, Any]:
    """Each process makes the digests of a new day and sends what is due; the clock goes on a day with each.

    Every fourth is killed at any moment from its start, the others at any moment from the first mail on.
    """
    from review.audit import verify
    from review.models import Outbox
    from review.service.first_start import ensure_database
    from tests.review.conftest import make_user
    from tests.review.mail_servers import Post, running_server
    from tests.review.telling import take_in

    ensure_database()
    for number in range(people):
        make_user(f"person{number}", "reviewer")
    take_in(10, asked=START)
    chance, faults, post = random.Random(20), random.Random(21), Post()
    post.broken = lambda number: faults.random() < broken
    deaths = 0
    with running_server(post) as port:
        for number in range(times):
            reading, writing = os.pipe()
            process = _start(port, number, writing)
            os.close(writing)
            if number % 4:
                os.read(reading, 1)  # returns when it begins to send, or has ended
            time.sleep(chance.uniform(0.0, seconds))
            deaths += process.is_alive()
            process.kill()
            process.join()
            os.close(reading)
        post.broken = lambda number: False
        last = _start(port, times)
        last.join()
    bodies: dict[str, set[bytes]] = defaultdict(set)
    for identity, content in zip(post.ids, post.taken, strict=True):
        bodies[identity].add(content)
    expected = set(Outbox.objects.values_list("message_id", flat=True))
    return {
        "kills_while_alive": deaths,
        "last_exit": last.exitcode,
        "mails": len(expected),
        "deliveries": len(post.taken),
        "lost": len(expected - set(bodies)),
        "not_marked_sent": Outbox.objects.filter(sent=None).count(),
        "without_a_row": len(set(bodies) - expected),
        "under_one_id_but_different": sum(len(versions) > 1 for versions in bodies.values()),
        "repeated": len(post.taken) - len(bodies),
        "audit_faults": len(verify()[1]),
    }


def _start(port: int, day: int, report: int | None = None) -> Any:
    from django.db import connections

    connections.close_all()
    process = multiprocessing.get_context("fork").Process(
        target=_send, args=(port, START + timedelta(days=day), report)
    )
    process.start()
    return process


def _send(port: int, now: datetime, report: int | None) -> None:
    from review.notify.mail import MailServer
    from review.notify.outbox import put_in_outbox, send_due
    from tests.review.telling import mail_settings

    put_in_outbox(now)
    if report is not None:
        os.write(report, b"s")
    send_due({"mail": MailServer(mail_settings(port=port), {})}, lambda: now)


def _postgres(stack: contextlib.ExitStack) -> str:
    from tests.review.postgres import running_postgres

    return f"postgresql://leakscreen@/postgres?host={stack.enter_context(running_postgres(durable=True))}"


if __name__ == "__main__":
    main()
