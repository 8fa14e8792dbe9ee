"""The first start: a terminal asks for a manager until one can be made, and services started at once make one."""

import os
import pty
import select
import signal
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.db import connection

from review.service.first_start import ensure_manager
from tests.review.conftest import KEY, PASSWORD

SECONDS = 90.0
ANSWERS = (
    ("User name", "boss", ""),
    ("Password", "short", ""),
    ("User name", "boss", "too short"),
    ("Password", PASSWORD, ""),
    ("Repeat", "something else", ""),
    ("User name", "boss", "passwords differ"),
    ("Password", PASSWORD, ""),
    ("Repeat", PASSWORD, ""),
)


def read_until(words: str, terminal: int) -> str:
    told, end = "", time.monotonic() + SECONDS
    while words not in told:
        assert time.monotonic() < end, told
        if select.select([terminal], [], [], 0.2)[0]:
            told += os.read(terminal, 4_096).decode()
    return told


def test_the_terminal_asks_again_until_a_manager_can_be_made(tmp_path: Path) -> None:
    pid, terminal = pty.fork()
    if pid == 0:
        environ = {"HOME": str(tmp_path), "LEAKSCREEN_SECRET_KEY": KEY, "PATH": os.environ["PATH"]}
        os.execve(sys.executable, [sys.executable, "-m", "leakscreen", "serve", "--port", "0"], environ)
    try:
        for asked, answer, before in ANSWERS:
            shown = read_until(asked, terminal)
            assert before in shown
            assert PASSWORD not in shown
            os.write(terminal, f"{answer}\n".encode())
        assert "boss is the first manager" in read_until("stop it with Ctrl-C", terminal)
    finally:
        os.kill(pid, signal.SIGTERM)
        os.waitpid(pid, 0)
        os.close(terminal)
    assert (tmp_path / ".local/share/leakscreen/review.sqlite3").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_services_that_start_at_the_same_time_make_one_manager(database_url: str) -> None:
    """As the replicas of a cluster do."""
    together = threading.Barrier(4)

    def start(_: int) -> str | None:
        together.wait(timeout=30)
        try:
            return ensure_manager({"LEAKSCREEN_MANAGER": "boss", "LEAKSCREEN_MANAGER_PASSWORD": PASSWORD})
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(start, range(4)))
    assert sorted(made, key=str) == [None, None, None, "boss"]
