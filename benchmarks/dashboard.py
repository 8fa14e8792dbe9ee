"""A million file records and 100,000 reviews -> how long aggregation takes, and the server time of every view."""

import argparse
import contextlib
import json
import multiprocessing
import os
import random
import resource
import secrets
import statistics
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

from benchmarks.review_service import KEY
from core.settings import load_settings
from review.service.configuration import configure

ROUNDS, VOTES = 9, 5
CHARACTERISTICS = 40
EARLIER_SCANS = 5
VIEWS = (
    "/dashboard/",
    "/dashboard/?source=/srv/share-1",
    "/dashboard/time/",
    "/dashboard/compare/?first=rule-01&second=rule-02",
    "/dashboard/what-if/?rule=rule-01&radius=0&join=or&other=rule-02",
    "/dashboard/queues/",
    "/dashboard/scan/",
    "/dashboard/files/?status=failed",
    "/dashboard/folders/",
    "/dashboard/?csv=rules",
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=1_000_000)
    parser.add_argument(
        "--reviews", type=int, default=100_000, help="referrals, each judged by two reviewers, but one in ten waits"
    )
    parser.add_argument("--vectors", type=int, default=20_000, help="how many different vectors the files have")
    parser.add_argument("--database", default="", help="sqlite:///path or postgresql://user@host/name, kept afterwards")
    parser.add_argument(
        "--part", choices=("fill", "views"), action="append", help="views looks at what fill made (default: both)"
    )
    parser.add_argument("--postgres", action="store_true", help="start a PostgreSQL in a temporary folder")
    chosen = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="leakscreen-bench-"))
        url = chosen.database or (_postgres(stack) if chosen.postgres else f"sqlite://{folder}/review.sqlite3")
        os.environ["LEAKSCREEN_SECRET_KEY"] = KEY
        configure(load_settings({"review.database": url}, environ={}), os.environ)
        from review.service.first_start import ensure_database

        ensure_database()
        if "fill" in (chosen.part or ("fill",)):
            filled = _fill(chosen.files, chosen.reviews, chosen.vectors)
            print(json.dumps({"database": url.partition(":")[0], **filled}), flush=True)
        if "views" in (chosen.part or ("views",)):
            for figures in _measured():
                print(json.dumps(figures), flush=True)


def _postgres(stack: contextlib.ExitStack) -> str:
    from tests.review.postgres import running_postgres

    return f"postgresql://leakscreen@/postgres?host={stack.enter_context(running_postgres(durable=True))}"


def _fill(files: int, reviews: int, vectors: int) -> dict[str, Any]:
    """Referrals and votes are written in bulk; the scan is counted as `leakscreen refer` counts it."""
    from review.models import Scan

    started = datetime.now(UTC) - timedelta(days=7 * EARLIER_SCANS)
    for number in range(EARLIER_SCANS + 1):
        facts = {
            "folder": "/results",
            "sources": ["/srv"],
            "started": started + timedelta(days=7 * number),
            "rules_sha256": "a" * 64,
        }
        Scan.objects.create(pk=f"scan-{number}", taken_in=datetime.now(UTC), **facts)
    _write_reviews(reviews, f"scan-{EARLIER_SCANS}")
    for number in range(EARLIER_SCANS):
        _count(f"scan-{number}", files // 50, reviews // 50, vectors // 10)
    wall, spent = time.perf_counter(), time.process_time()
    _count(f"scan-{EARLIER_SCANS}", files, reviews, vectors)
    return {
        "files": files,
        "reviews": reviews,
        "count_seconds": round(time.perf_counter() - wall, 1),
        "count_cpu": round(time.process_time() - spent, 1),
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def _count(scan_id: str, files: int, reviews: int, vectors: int) -> None:
    from review.dashboard.aggregate import Aggregate, ScanNumbers
    from review.dashboard.figures import RuleShape

    shapes = tuple(RuleShape(f"rule-{bit:02}", 0, bit == 0, ((1 << bit, 1 << bit),)) for bit in range(CHARACTERISTICS))
    stages = (
        ("extract", 4_000.0, 10**11),
        ("screen", 9_000.0, 10**10),
        ("health", 800.0, 10**9),
        ("write", 60.0, 10**9),
    )
    Aggregate(ScanNumbers(scan_id, shapes, stages, 3_600.0)).take(_rows(files, reviews, vectors))


def _rows(files: int, reviews: int, vectors: int) -> Iterator[dict[str, Any]]:
    generator = random.Random(8)
    bit_patterns = [
        sum(1 << bit for bit in range(CHARACTERISTICS) if generator.random() < 0.15) for _ in range(vectors)
    ]
    hits = {
        bits: [{"rule": f"rule-{bit:02}"} for bit in range(CHARACTERISTICS) if bits >> bit & 1] for bits in bit_patterns
    }
    every = max(1, files // reviews)
    for number in range(files):
        referred = number % every == 0 and number // every < reviews
        status = "failed" if number % 50 == 7 else "encrypted" if number % 90 == 11 else "complete"
        status = "complete" if referred else status
        bits = bit_patterns[min(int(generator.paretovariate(0.3)), vectors) - 1]
        yield {
            "uri": f"/srv/share-{number % 4}/team {number % 60}/year {number % 700}/letter {number}.docx",
            "container_uri": None,
            "size": 20_000,
            "media_type": f"application/type-{number % 30}",
            "status": status,
            "reason": "" if status == "complete" else f"{status} of kind {number % 5}",
            "pii_bits": bits if status == "complete" else 0,
            "rules": hits[bits] if status == "complete" else [],
            "screened_positive": referred,
            "referred": referred,
            "risk": ("high", "medium", "low")[number % 3],
            "source": f"/srv/share-{number % 4}",
            "sha256": f"{number:064x}",
        }


def _write_reviews(count: int, scan_id: str) -> None:
    from review.models import Queue, Referral

    queues = [Queue.objects.create(name=f"queue {number}") for number in range(12)]
    people = [_user(f"reviewer{number}", "reviewer") for number in range(30)]
    now = datetime.now(UTC)
    rows = [row for row in _rows(count * 10, count, 10) if row["referred"]]
    for low in range(0, len(rows), 5_000):
        made = [
            _referral(row, low + place, scan_id, queues, people, now)
            for place, row in enumerate(rows[low : low + 5_000])
        ]
        Referral.objects.bulk_create(made)
        _write_votes(made, low, people, now)


def _referral(
    row: dict[str, Any], number: int, scan_id: str, queues: list[Any], people: list[Any], now: datetime
) -> Any:
    from review.models import Referral
    from review.referrals.identity import referral_id

    waits = number % 10 == 3
    decided = (
        {"state": "waiting", "wants": "review"}
        if waits
        else {"state": "decided", "decision": "phi" if number % 3 else "not_phi"}
    )
    asked_at = now - timedelta(days=number % 60)
    pk = referral_id(row["source"], row["sha256"], row["uri"], "referred")
    scans = {"first_scan_id": scan_id, "last_scan_id": scan_id, "asked_in_id": scan_id}
    who = (
        {}
        if waits
        else {"first_reviewer": people[number % 30], "second_reviewer": people[(number + 1) % 30], "decided_at": now}
    )
    shared = {
        "source": row["source"],
        "sha256": row["sha256"],
        "rules_sha256": "a" * 64,
        "risk": row["risk"],
        "rank": number,
    }
    return Referral(
        pk=pk,
        kind="referred",
        queue=queues[number % 12],
        created=asked_at,
        asked=asked_at,
        **scans,
        **decided,
        **who,
        **shared,
    )


def _write_votes(referrals: list[Any], low: int, people: list[Any], now: datetime) -> None:
    from review.models import PairedOpinion, Vote
    from review.referrals.dashboard_copy import week_of

    votes, pairs = [], []
    for place, referral in enumerate(referrals, start=low):
        if referral.state == "waiting":
            continue
        at = now - timedelta(minutes=place)
        said = [referral.decision, referral.decision if place % 9 else "unsure"]
        pair = [people[place % 30], people[(place + 1) % 30]]
        for number, (user, verdict) in enumerate(zip(pair, said, strict=True), start=1):
            token = f"{place}-{number}"
            votes.append(
                Vote(
                    referral=referral,
                    number=number,
                    round=1,
                    reviewer=user,
                    part="review",
                    verdict=verdict,
                    at=at,
                    seconds=20,
                    token=token,
                )
            )
        first, second = sorted(zip(pair, said, strict=True), key=lambda opinion: opinion[0].pk)
        opinions = {"first": first[0], "second": second[0], "first_said": first[1], "second_said": second[1]}
        pairs.append(PairedOpinion(referral=referral, round=1, week=week_of(at), **opinions))
    Vote.objects.bulk_create(votes, batch_size=2_000)
    PairedOpinion.objects.bulk_create(pairs, batch_size=2_000)


def _user(name: str, role: str) -> Any:
    from django.contrib.auth.models import Group, User

    user, _ = User.objects.get_or_create(username=name)
    user.groups.set(Group.objects.filter(name=role))
    return user


def _measured() -> Iterator[dict[str, Any]]:
    """Each view in a fresh process, as `leakscreen serve` starts it; then repeatedly; then after another vote."""
    from django.db import connections

    from review.service.server import warm_up

    _user("maya", "manager")
    _user("vera", "reviewer")
    warm_up()
    for view in VIEWS:
        connections.close_all()
        with multiprocessing.get_context("fork").Pool(1) as pool:
            yield {"view": view, **pool.apply(_looked_at, (view,))}


def _looked_at(view: str) -> dict[str, float]:
    from django.contrib.auth.models import User
    from django.test import Client

    client = Client(SERVER_NAME="localhost")
    client.force_login(User.objects.get(username="maya"))
    first = _timed(client, view)
    later = [_timed(client, view) for _ in range(ROUNDS)]
    after_votes = [_timed(client, view) for _ in range(VOTES) if _vote()]
    figures = {"first": first, "later": _median(later), "after_a_vote": _median(after_votes)}
    return {
        f"{name}_{what}_ms": round(times[place], 1)
        for name, times in figures.items()
        for place, what in enumerate(("cpu", "wall"))
    }


def _median(times: list[tuple[float, float]]) -> tuple[float, float]:
    return statistics.median(timing[0] for timing in times), statistics.median(timing[1] for timing in times)


def _vote() -> bool:
    from django.contrib.auth.models import User

    from review.models import Verdict
    from review.referrals.leases import take_next
    from review.referrals.voting import Judgement, decide

    vera = User.objects.get(username="vera")
    referral = take_next(vera)
    assert referral is not None
    decide(referral.pk, vera, Judgement(Verdict.PHI, secrets.token_hex(16)))
    return True


def _timed(client: Any, view: str) -> tuple[float, float]:
    wall, spent = time.perf_counter(), time.process_time()
    response = client.get(view)
    assert response.status_code == 200, (view, response.status_code)
    return 1000 * (time.process_time() - spent), 1000 * (time.perf_counter() - wall)


if __name__ == "__main__":
    main()
