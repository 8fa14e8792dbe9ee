"""No process that handles content can be dumped, and none can be read by another process of the same user."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from resource import RLIM_INFINITY, RLIMIT_CORE, setrlimit

from tests.end_to_end.conftest import KEY
from tests.end_to_end.serving import service_environment
from tests.end_to_end.test_crash import tree_below, wait_until
from tests.object_servers import free_port, wait_for

# Root may read any process, so that both sides give up root's powers.
POWERLESS = ["setpriv", *(["--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else ["--no-new-privs"])]
COMMAND = [*POWERLESS, sys.executable, "-m", "leakscreen"]


def dumpable() -> None:
    setrlimit(RLIMIT_CORE, (RLIM_INFINITY, RLIM_INFINITY))


def is_open_to_others(pid: int) -> bool:
    done = subprocess.run([*POWERLESS, "cat", f"/proc/{pid}/environ"], capture_output=True)
    return done.returncode == 0


def core_limit(pid: int) -> list[str]:
    lines = Path(f"/proc/{pid}/limits").read_text().splitlines()
    return next(line.split()[4:6] for line in lines if line.startswith("Max core file size"))


def check(pids: list[int]) -> None:
    assert not [pid for pid in pids if core_limit(pid) != ["0", "0"]]
    assert not [pid for pid in pids if is_open_to_others(pid)]


def test_others_can_be_read_where_nothing_forbids_it() -> None:
    with subprocess.Popen([*POWERLESS, "sleep", "60"], preexec_fn=dumpable) as process:
        try:
            wait_until(lambda: is_open_to_others(process.pid))
            assert core_limit(process.pid) == ["unlimited", "unlimited"]
        finally:
            process.kill()


def test_no_process_of_a_scan_can_be_dumped(home: Path, tmp_path: Path) -> None:
    share = tmp_path / "share"
    share.mkdir()
    for number in range(400):
        (share / f"{number}.txt").write_text(f"Mary Jones {number}, SSN 219-09-9999, has diabetes.\n" * 200)
    environ = {**os.environ, "HOME": str(home), "LEAKSCREEN_HMAC_KEY": KEY}
    words = ("--out", str(tmp_path / "out"), "--workers", "2", "--set", "scan.unit_files=5", "--quiet")
    running = subprocess.Popen([*COMMAND, "scan", str(share), *words], env=environ, cwd=home, preexec_fn=dumpable)
    try:
        wait_until(lambda: list((tmp_path / "out").glob("scan=*/files/*.parquet")))
        below = tree_below(running.pid)
        assert len(below) >= 6, "two workers, two zygotes, two parsers"
        check([running.pid, *below])
        os.kill(below[0], signal.SIGABRT)
        running.wait(60)
    finally:
        running.kill()
        running.wait()
    assert not list(home.glob("core*"))


def test_the_service_cannot_be_dumped(home: Path) -> None:
    port = free_port()
    environ = service_environment(home, {})
    process = subprocess.Popen(
        [*COMMAND, "serve", "--port", str(port), "--quiet"], env=environ, cwd=home, preexec_fn=dumpable
    )
    try:
        wait_for(port, process)
        check([process.pid])
    finally:
        process.kill()
        process.wait()
