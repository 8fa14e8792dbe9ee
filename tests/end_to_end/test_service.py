"""The service reports its health to launchers and Prometheus, finishes requests when stopped, outlives its database."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.end_to_end.conftest import Run
from tests.end_to_end.database_restart import KEPT, review_through_a_restart, wait_for_lock
from tests.end_to_end.serving import service_environment, serving
from tests.review.postgres import running_postgres, stop_and_start

TOKEN = "a token of the tests"
SESSION = "sessionid=abcdefghijklmnopqrstuvwxyz012345"


def test_probes_answer_whatever_the_host_and_without_a_redirect(home: Path) -> None:
    with serving(home, "--set", "review.url=https://review.example.org", LEAKSCREEN_METRICS_TOKEN=TOKEN) as service:
        assert service.ask("/healthz", Host="10.1.2.3") == (200, "ok\n")
        assert service.ask("/readyz", Host="10.1.2.3") == (200, "ready\n")
        assert service.ask("/metrics")[0] == 401
        assert service.ask("/metrics", Authorization="Bearer wrong")[0] == 401
        assert service.ask("/login/", Host="review.example.org")[0] == 301
        status, text = service.ask("/metrics", Authorization=f"Bearer {TOKEN}")
        found = {sample.name: sample for family in text_string_to_metric_families(text) for sample in family.samples}
        assert status == 200 and found["leakscreen_database_up"].value == 1
        assert found["leakscreen_http_requests_total"].labels == {"method": "GET", "status": "301"}
    with serving(home, "--set", "review.url=https://review.example.org", "--set", "review.proxy=*") as service:
        assert service.ask("/metrics")[0] == 404, "there are no metrics without a token"
        assert service.ask("/login/", Host="review.example.org", X_Forwarded_Proto="https")[0] == 200
        assert service.ask("/login/", Host="review.example.org")[0] == 301


def test_a_service_that_is_stopped_answers_what_is_under_way(home: Path) -> None:
    """A request that was sent before the signal is answered after it; whoever comes later is refused."""
    with running_postgres() as folder:
        database = f"postgresql://leakscreen@/postgres?host={folder}"
        with (
            serving(home, "--set", f"review.database={database}") as service,
            psycopg.connect(host=folder, user="leakscreen", dbname="postgres") as holder,
        ):
            holder.execute("LOCK TABLE django_session IN ACCESS EXCLUSIVE MODE")
            under_way = socket.create_connection(("127.0.0.1", service.port))
            under_way.sendall(
                f"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: {SESSION}\r\nConnection: close\r\n\r\n".encode()
            )
            time.sleep(1.0)
            service.process.send_signal(signal.SIGTERM)
            time.sleep(1.5)
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection(("127.0.0.1", service.port))
            assert service.process.poll() is None
            holder.rollback()
            assert under_way.makefile("rb").readline().startswith(b"HTTP/1.1 302")
            assert service.process.wait(20) == 0


def test_a_database_that_goes_away_is_told_and_taken_up_again(home: Path, tmp_path: Path) -> None:
    scan = next(Path(shutil.copytree(KEPT, tmp_path / "kept")).glob("scan=*"))
    with running_postgres() as folder:
        setting = f"review.database=postgresql://leakscreen@/postgres?host={folder}"
        refer = [sys.executable, "-m", "leakscreen", "refer", str(scan), "--json", "--set", setting]
        environment = service_environment(home, {})
        with serving(home, "--set", setting) as service:
            assert service.ask("/readyz")[0] == 200
            holder = psycopg.connect(host=folder, user="leakscreen", dbname="postgres")
            holder.execute("LOCK TABLE review_finding IN ACCESS EXCLUSIVE MODE")
            midway = subprocess.Popen(
                refer, env=environment, cwd=home, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            )
            wait_for_lock(folder)
            steps = stop_and_start(folder)
            next(steps)
            out, err = midway.communicate(timeout=60)
            assert (midway.returncode, out) == (2, "")
            assert err.splitlines()[1:] == [  # the first line warns that these results have no seals
                "leakscreen: the review database cannot be used: it does not answer; "
                "nothing was left half done: run the same command again when it is back"
            ]
            assert service.ask("/healthz") == (200, "ok\n")
            assert service.ask("/readyz") == (503, "the database does not answer\n")
            status, page = service.ask("/referrals/", Cookie=SESSION)
            assert status == 503 and "The database does not answer" in page
            next(steps)
            assert service.ask("/readyz")[0] == 200
            assert service.ask("/login/")[0] == 200
            done = subprocess.run(refer, env=environment, cwd=home, capture_output=True, text=True, timeout=120)
            assert done.returncode == 0, done.stderr
            assert json.loads(done.stdout)["new"] == json.loads((scan / "summary.json").read_text())["referred"]


def test_a_decision_survives_a_restart_of_the_database(home: Path) -> None:
    assert [what for what, held in review_through_a_restart(home) if not held] == []


def test_the_log_of_the_service_is_json_where_that_is_wanted(home: Path, leakscreen: Run) -> None:
    command = [sys.executable, "-m", "leakscreen", "serve", "--port", "0", "--set", "log.format=json"]
    process = subprocess.Popen(command, env=service_environment(home, {}), cwd=home, stderr=subprocess.PIPE, text=True)
    assert process.stderr
    lines = [json.loads(process.stderr.readline()) for _ in range(2)]
    assert [line["event"] for line in lines] == ["service.manager", "service.started"]
    os.kill(process.pid, signal.SIGTERM)
    _, rest = process.communicate(timeout=30)
    assert [json.loads(line)["event"] for line in rest.splitlines()] == ["service.stopped"]
    assert process.returncode == 0
