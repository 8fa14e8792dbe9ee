"""The review service under load: intake, pages, many reviewers at once, and processes killed at random moments."""

import argparse
import contextlib
import json
import multiprocessing
import os
import random
import re
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from core.settings import load_settings
from review.service.configuration import configure

KEY = "0123456789abcdef" * 4
ROUNDS = 30
KILLED_REFERRALS = 5_000
SEARCHES = {
    "path_without_hit": "q=nowhere",
    "path_few_hits": "q=letter+777",
    "path_all_hit": "q=letter",
    "owner_few_hits": "owner=owner49",
    "type_all_hit": "type=application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "rule_without_hit": "rule=known-person",
    "rule_all_hit": "rule=name-and-contact",
    "newest": "sort=newest",
    "decided_last": "state=decided&sort=decided",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--database",
        default="",
        help="sqlite:///path or postgresql://user@host/name, kept afterwards (default: SQLite in a temporary folder)",
    )
    parser.add_argument("--postgres", action="store_true", help="start a PostgreSQL in a temporary folder")
    parser.add_argument("--referrals", type=int, default=100_000)
    parser.add_argument("--decisions", type=int, default=10_000)
    parser.add_argument("--reviewers", type=int, default=50)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument(
        "--seconds", type=float, default=2.0, help="a process lives at most so long before it is killed"
    )
    parser.add_argument(
        "--part",
        choices=("kills", "reviewers", "intake", "pages"),
        action="append",
        help="pages looks at what intake took in",
    )
    chosen = parser.parse_args()
    with contextlib.ExitStack() as stack:
        url = chosen.database or (_postgres(stack) if chosen.postgres else _sqlite(stack))
        _configure(url)
        from review.service.first_start import ensure_database

        ensure_database()
        parts: dict[str, Callable[[], dict[str, Any]]] = {
            "kills": lambda: killed(chosen.kills, chosen.seconds),
            "reviewers": lambda: reviewers(chosen.decisions, chosen.reviewers),
            "intake": lambda: intake(chosen.referrals),
            "pages": pages,
        }
        for name in chosen.part or parts:
            print(json.dumps({"part": name, "database": url.partition(":")[0], **parts[name]()}), flush=True)


def _sqlite(stack: contextlib.ExitStack) -> str:
    return f"sqlite://{stack.enter_context(tempfile.TemporaryDirectory(prefix='leakscreen-bench-'))}/review.sqlite3"


def _postgres(stack: contextlib.ExitStack) -> str:
    from tests.review.postgres import running_postgres

    return f"postgresql://leakscreen@/postgres?host={stack.enter_context(running_postgres(durable=True))}"


def _configure(url: str) -> None:
    os.environ["LEAKSCREEN_SECRET_KEY"] = KEY
    configure(load_settings({"review.database": url}, environ={}), os.environ)


def intake(count: int) -> dict[str, Any]:
    from review.referrals.intake import Intake

    wall, spent = time.perf_counter(), time.process_time()
    Intake(_facts("pages")).take(_rows(count, "pages"))
    return {
        "referrals": count,
        "seconds": round(time.perf_counter() - wall, 1),
        "cpu_seconds": round(time.process_time() - spent, 1),
    }


def pages() -> dict[str, Any]:
    """Processor and wall time of the list and of the next referral, in this process."""
    from django.test import Client

    from review.models import Referral

    report: dict[str, Any] = {"referrals": Referral.objects.count()}
    client = Client(SERVER_NAME="localhost")
    client.force_login(_user("reader"))
    shapes: dict[str, Callable[[], Any]] = {
        "overview": lambda: client.get("/"),
        "list": lambda: client.get("/referrals/"),
        "list_decided": lambda: client.get("/referrals/?state=decided"),
        "list_low_deep": lambda: client.get(f"/referrals/?risk=low&after={2 * 10**12 + 5 * 10**8}-0"),
        **{name: partial(client.get, f"/referrals/?{query}") for name, query in SEARCHES.items()},
        "next": lambda: client.post("/next/", follow=True),
    }
    for name, ask in shapes.items():
        ask()
        report[name] = _milliseconds(ask)
    page = client.post("/next/", follow=True)
    report["judge_and_next"] = _milliseconds(lambda: _judge(client, page))
    return report


def _judge(client: Any, _: Any) -> None:
    page = client.post("/next/", follow=True)
    pk, token = page.redirect_chain[-1][0].split("/")[2], re.search(rb'name="token" value="(\w+)"', page.content)
    assert token
    client.post(f"/referral/{pk}/judge/", {"verdict": "phi", "token": token[1].decode()}, follow=True)


def _milliseconds(ask: Callable[[], Any]) -> dict[str, float]:
    walls, spents = [], []
    for _ in range(ROUNDS):
        wall, spent = time.perf_counter(), time.process_time()
        ask()
        walls.append(time.perf_counter() - wall)
        spents.append(time.process_time() - spent)
    ordered = sorted(walls)
    return {
        "median_ms": round(1000 * statistics.median(walls), 1),
        "p95_ms": round(1000 * ordered[int(0.95 * ROUNDS)], 1),
        "cpu_ms": round(1000 * statistics.median(spents), 1),
    }


def reviewers(count: int, people: int) -> dict[str, Any]:
    """Processes that take and decide until nothing is left; every referral must end with two votes of two people."""
    from django.db.models import Count

    from review.audit import verify
    from review.models import Referral, State, Vote
    from review.referrals.intake import Intake

    Intake(_facts("crowd")).take(_rows(count, "crowd"))
    for number in range(people):
        _user(f"crowd{number}")
    started = time.perf_counter()
    running = [_start(partial(_decide_all, f"crowd{number}")) for number in range(people)]
    for process in running:
        process.join()
    codes = [process.exitcode for process in running]
    seconds = time.perf_counter() - started
    mine = Referral.objects.filter(source="/crowd")
    twice = mine.annotate(votes_cast=Count("votes"), people=Count("votes__reviewer", distinct=True))
    return {
        "failed_processes": sum(code != 0 for code in codes),
        "seconds": round(seconds, 1),
        "decisions_a_second": round(2 * count / seconds, 1),
        "votes": Vote.objects.filter(referral__source="/crowd").count(),
        "expected_votes": 2 * count,
        "not_decided": mine.exclude(state=State.DECIDED).count(),
        "lost_or_doubled": twice.exclude(votes_cast=2, people=2).count(),
        "audit_faults": len(verify()[1]),
    }


def killed(times: int, seconds: float) -> dict[str, Any]:
    """Intake and decisions, killed at random moments and started again; nothing may be lost or there twice."""
    from review.audit import verify
    from review.models import AuditEntry, Finding, Referral, ReferralPath, Vote

    generator = random.Random(20)
    for number in range(4):
        _user(f"kill{number}")
    _take_in(KILLED_REFERRALS // 10)  # something to decide from the start
    with tempfile.TemporaryFile() as report:
        for number in range(times):
            work = (
                partial(_decide_all, f"kill{number % 4}", report.fileno())
                if number % 2
                else partial(_take_in, KILLED_REFERRALS)
            )
            process = _start(work)
            time.sleep(generator.uniform(0.0, seconds))
            process.kill()
            process.join()
        report.seek(0)
        acknowledged = {line.decode() for line in report.read().split()}
    last = _start(partial(_take_in, KILLED_REFERRALS))
    last.join()
    mine = Referral.objects.filter(source="/kill")
    votes = set(Vote.objects.filter(referral__source="/kill").values_list("token", flat=True))
    decisions = AuditEntry.objects.filter(action="decision").count()
    return {
        "kills": times,
        "last_intake": last.exitcode,
        "referrals": mine.count(),
        "expected": KILLED_REFERRALS,
        "paths": ReferralPath.objects.filter(referral__source="/kill").count(),
        "findings": Finding.objects.filter(referral__source="/kill").count(),
        "votes": len(votes),
        "acknowledged_votes_lost": len(acknowledged - votes),
        "votes_without_audit": Vote.objects.count() - decisions,
        "audit_faults": len(verify()[1]),
    }


def _start(work: Callable[[], None]) -> Any:
    """A process of its own, with its own connections; forked, so that it works from its first moment on."""
    from django.db import connections

    connections.close_all()
    process = multiprocessing.get_context("fork").Process(target=work)
    process.start()
    return process


def _take_in(count: int) -> None:
    from review.referrals.intake import Intake

    Intake(_facts("kill")).take(_rows(count, "kill"))


def _decide_all(name: str, report: Any = None) -> None:
    """Takes and decides until nothing is left; each vote that was taken is told."""
    from django.contrib.auth.models import User

    from review.models import Verdict
    from review.referrals.leases import take_next
    from review.referrals.voting import Judgement, decide

    user = User.objects.get(username=name)
    while (referral := take_next(user)) is not None:
        vote = decide(referral.pk, user, Judgement(Verdict.PHI, f"{user.pk}-{referral.pk}"[:32]))
        if report is not None:
            os.write(report, vote.token.encode() + b"\n")


def _user(name: str) -> Any:
    from django.contrib.auth.models import Group, User

    user, _ = User.objects.get_or_create(username=name)
    user.groups.set(Group.objects.filter(name="reviewer"))
    return user


def _facts(name: str) -> Any:
    from datetime import UTC, datetime

    from review.referrals.intake import ScanFacts

    return ScanFacts(f"bench-{name}", f"/results/{name}", (f"/{name}",), datetime(2026, 1, 1, tzinfo=UTC), "a" * 64)


def _rows(count: int, name: str) -> Iterator[dict[str, Any]]:
    evidence = [
        {
            "characteristic": characteristic,
            "start": 10,
            "end": 22,
            "masked": "***-***-1234",
            "hmac": "c" * 32,
            "where": "page 1",
        }
        for characteristic in ("last_name", "phone_number", "email", "street_address") * 3
    ]
    for number in range(count):
        yield {
            "uri": f"/{name}/folder {number % 1000}/letter {number}.docx",
            "size": 20_000 + number,
            "mtime": None,
            "owner": f"owner{number % 50}",
            "sha256": f"{number:064x}",
            "media_type": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            "status": "complete",
            "reason": "",
            "chars": 5_000,
            "pii_counts": {"last_name": 3, "phone_number": 1, "email": 1, "street_address": 1},
            "rules": [{"rule": "name-and-contact", "prototype": "referral letter", "distance": number % 3}],
            "health_distance": (number * 7919 % 100_003) / 100_003,
            "health_terms": ["diabetes mellitus", "metformin", "hypertension"],
            "risk": ("high", "medium", "low")[number % 3],
            "evidence": evidence,
            "source": f"/{name}",
            "path": None,
        }


if __name__ == "__main__":
    main()
