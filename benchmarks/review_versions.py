"""Pages of this version of the review service and of an older one, in turn in one run: processor time and ratio.

Each version has a database of its own; where it is missing, that version's `benchmarks.review_service` fills it.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve()
ROUNDS = 40
PAGES = {
    "overview": "/",
    "list, first page": "/referrals/",
    "list, deep in it": f"/referrals/?risk=low&after={2 * 10**12 + 5 * 10**8}-0",
    "list of what is decided": "/referrals/?state=decided",
    "next referral": "next",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("older", help="a checkout of the older version (git worktree add)")
    parser.add_argument("--folder", default="/tmp", help="where the two databases are, or will be")
    parser.add_argument("--referrals", type=int, default=100_000)
    chosen = parser.parse_args()
    versions = {"older": Path(chosen.older).resolve(), "this": HERE.parents[1]}
    databases = {name: Path(chosen.folder, f"{name}.sqlite3").resolve() for name in versions}
    for name, checkout in versions.items():
        if not databases[name].exists():
            _fill(checkout, databases[name], chosen.referrals)
    asked = {name: Asked(versions[name], databases[name]) for name in versions}
    for page in PAGES:
        times: dict[str, list[float]] = {name: [] for name in versions}
        for turn in range(ROUNDS + 1):
            for name, service in asked.items():
                spent = service.milliseconds(page)
                if turn:  # the first of each is not counted
                    times[name].append(spent)
        middle = {name: round(statistics.median(spent), 1) for name, spent in times.items()}
        ratio = round(middle["this"] / middle["older"], 2)
        print(
            json.dumps({"page": page, **{f"{name}_cpu_ms": spent for name, spent in middle.items()}, "ratio": ratio}),
            flush=True,
        )
    for service in asked.values():
        service.end()


class Asked:
    """A version in a process of its own, which answers one page at a time."""

    def __init__(self, checkout: Path, database: Path) -> None:
        environ = {**os.environ, "PYTHONPATH": str(checkout)}
        command = [sys.executable, __file__, "--answer", f"sqlite:///{database}"]
        self._process = subprocess.Popen(
            command, cwd=checkout, env=environ, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def milliseconds(self, page: str) -> float:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(page + "\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())

    def end(self) -> None:
        self._process.communicate()


def _fill(checkout: Path, database: Path, referrals: int) -> None:
    words = ["--part", "intake", "--referrals", str(referrals), "--database", f"sqlite:///{database}"]
    environ = {**os.environ, "PYTHONPATH": str(checkout)}
    subprocess.run([sys.executable, "-m", "benchmarks.review_service", *words], cwd=checkout, env=environ, check=True)


def answer(database: str) -> None:
    """Of whatever version the path of modules leads to."""
    from core.settings import load_settings
    from review.service.configuration import configure

    os.environ["LEAKSCREEN_SECRET_KEY"] = "0123456789abcdef" * 4
    configure(load_settings({"review.database": database}, environ={}))
    client = _reader()
    for line in sys.stdin:
        address = PAGES[line.strip()]
        spent = time.process_time()
        client.post("/next/", follow=True) if address == "next" else client.get(address)
        print(1000 * (time.process_time() - spent), flush=True)


def _reader() -> Any:
    from django.contrib.auth.models import Group, User
    from django.test import Client

    user, _ = User.objects.get_or_create(username="reader of versions")
    user.groups.add(Group.objects.get_or_create(name="reviewer")[0])
    client = Client(SERVER_NAME="localhost")
    client.force_login(user)
    return client


if __name__ == "__main__":
    if sys.argv[1:2] == ["--answer"]:
        answer(sys.argv[2])
    else:
        main()
