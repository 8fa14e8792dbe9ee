"""Seconds until the breach page answers, with many people: `python -m benchmarks.breach_page --rows 1000000`.

A small share is scanned and referred; then its records and people are replaced by as many rows as asked for.
"""

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.people import make_rows
from core.settings import load_settings
from leakscreen.demo.people import make_people

_KEY = "6b" * 32
_LETTER = "Patient: {name}, DOB: {born}, {card}. The patient has type 2 diabetes and takes metformin.\n"
_FILES = 2
_LOOKS = 5


def referred(place: Path, rows: int, settings: Any) -> None:
    """Two files, one of them verified, with half of the people each."""
    share, out = place / "share", place / "out"
    share.mkdir()
    for number, person in enumerate(make_people(Random(1), _FILES)):
        text = _LETTER.format(name=person.name, born=person.born, card=person.health_card)
        (share / f"{number}.txt").write_text(text)
    command = [sys.executable, "-m", "leakscreen", "scan", str(share), "--out", str(out), "--json", "--workers", "1"]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    folder = Path(json.loads(done.stdout)["folder"])
    from leakscreen.commands.refer import refer

    refer(str(folder), settings)
    make_rows(place / "scan=made", rows, 5)
    for name in ("files", "people"):
        shutil.rmtree(folder / name)
        (place / "scan=made" / name).rename(folder / name)
    from review.models import Referral, ReferralPath, Verdict

    for number, path in enumerate(ReferralPath.objects.order_by("uri")):
        ReferralPath.objects.filter(pk=path.pk).update(uri=f"/srv/{number}/{number}.csv")
    first = Referral.objects.order_by("pk").first()
    assert first is not None
    Referral.objects.filter(pk=first.pk).update(decision=Verdict.PHI, state="decided")


def measure(rows: int) -> dict[str, Any]:
    os.environ.update(LEAKSCREEN_HMAC_KEY=_KEY, LEAKSCREEN_SECRET_KEY=_KEY)
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        settings = load_settings({"review.database": f"sqlite:///{place}/review.sqlite3"}, environ=dict(os.environ))
        from review.service.configuration import configure

        configure(settings)
        from django.contrib.auth.models import Group, User
        from django.test import Client
        from django.urls import reverse

        from leakscreen.commands.browser_breach import BrowserBreach
        from review.breach import reporting
        from review.service.first_start import ensure_database

        ensure_database()
        referred(place, rows, settings)
        boss = User.objects.create(username="boss")
        boss.groups.set(Group.objects.filter(name="manager"))
        client = Client(SERVER_NAME="localhost")
        client.force_login(boss)
        reporting.install(BrowserBreach())

        def look() -> tuple[float, Any]:
            began = time.monotonic()
            page = client.get(reverse("breach"))
            return time.monotonic() - began, page

        look()  # loads templates
        began, waiting = time.monotonic(), []
        while "Refresh" in (seen := look())[1].headers:
            waiting.append(seen[0])
            time.sleep(0.2)
        counted = time.monotonic() - began
        after = [look()[0] for _ in range(_LOOKS)]
        facts = seen[1].context_data["facts"]
        return {
            "rows": rows,
            "people": {name: facts[name]["people"]["people"]["count"] for name in ("verified", "unverified")},
            "counted_in": round(counted, 1),
            "seconds_while_counting": [round(statistics.median(waiting), 3), round(max(waiting), 3)]
            if waiting
            else None,
            "seconds_after": [round(statistics.median(after), 3), round(max(after), 3)],
            "cpu_seconds": round(time.process_time(), 1),
            "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    print(json.dumps(measure(parser.parse_args().rows)))


if __name__ == "__main__":
    main()
