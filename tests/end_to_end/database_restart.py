"""PostgreSQL ends in the middle of a decision, as by a power cut, and comes back -> what of the decision is there."""

import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import requests

from tests.end_to_end.serving import Service, service_environment, serving
from tests.review.postgres import running_postgres, stop_and_start

MAKE_REVIEWER = (
    "INSERT INTO auth_user_groups (user_id, group_id)"
    " SELECT u.id, g.id FROM auth_user u, auth_group g WHERE g.name = 'reviewer'"
)
KEPT = Path(__file__).parents[1] / "samples" / "results" / "format-1"


def review_through_a_restart(home: Path) -> Iterator[tuple[str, bool]]:
    """What must hold, and whether it does."""
    scan = next(Path(shutil.copytree(KEPT, home / "kept")).glob("scan=*"))
    with running_postgres(durable=True) as folder:
        setting = f"review.database=postgresql://leakscreen@/postgres?host={folder}"
        with serving(home, "--set", setting) as service:
            assert _run(home, "refer", str(scan), "--set", setting) == 0
            _ask(folder, MAKE_REVIEWER)
            session = _logged_in(service)
            page = session.post(f"{_at(service)}/next/", {"csrfmiddlewaretoken": session.cookies["csrftoken"]})
            form = dict(re.findall(r'name="(csrfmiddlewaretoken|token)" value="(\w+)"', page.text))
            judge, data = f"{page.url}judge/", {**form, "verdict": "phi"}
            answers: list[int] = []
            holder = psycopg.connect(host=folder, user="leakscreen", dbname="postgres")
            holder.execute("LOCK TABLE review_vote IN ACCESS EXCLUSIVE MODE")
            posting = threading.Thread(target=lambda: answers.append(session.post(judge, data).status_code))
            posting.start()
            wait_for_lock(folder)
            steps = stop_and_start(folder)
            next(steps)
            posting.join(120)
            yield "a decision under way is answered, and not with success", answers == [503]
            yield "the service says that it is not ready", service.ask("/readyz")[0] == 503
            next(steps)
            yield "nothing of the decision is there", _ask(folder, "SELECT count(*) FROM review_vote") == 0
            yield "the same form again is taken", session.post(judge, data).status_code == 200
            yield "and a second time too", session.post(judge, data).status_code == 200
            yield "but counts once", _ask(folder, "SELECT count(*) FROM review_vote") == 1
            entries = _ask(folder, "SELECT count(*) FROM review_auditentry WHERE action = 'decision'")
            yield "with one entry of the log", entries == 1
            yield "whose chain is whole", _run(home, "audit", "verify", "--set", setting) == 0


def _at(service: Service) -> str:
    return f"http://localhost:{service.port}"


def _run(home: Path, *words: str) -> int:
    command = [sys.executable, "-m", "leakscreen", *words]
    return subprocess.run(
        command, env=service_environment(home, {}), cwd=home, capture_output=True, timeout=120
    ).returncode


def _ask(folder: str, statement: str) -> Any:
    with psycopg.connect(host=folder, user="leakscreen", dbname="postgres", autocommit=True) as connection:
        answer = connection.execute(statement)
        row = answer.fetchone() if answer.description else None
        return row[0] if row else None


def _logged_in(service: Service) -> requests.Session:
    session = requests.Session()
    session.get(f"{_at(service)}/login/")
    who = {"username": "mia", "password": "correct horse battery"}
    session.post(f"{_at(service)}/login/", {**who, "csrfmiddlewaretoken": session.cookies["csrftoken"]})
    return session


def wait_for_lock(folder: str) -> None:
    """Until somebody waits for a table that another has locked."""
    deadline = time.monotonic() + 60
    while not _ask(folder, "SELECT count(*) FROM pg_locks WHERE NOT granted"):
        assert time.monotonic() < deadline
        time.sleep(0.1)
