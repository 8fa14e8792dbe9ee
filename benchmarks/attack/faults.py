"""Processes stopped and killed, files swapped, results forged -> nothing lost, nothing doubled, nothing believed."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.attack.case import Tried
from tests.end_to_end.conftest import KEY, rows_of, run_leakscreen, stable
from tests.end_to_end.test_crash import children_of, tree_below
from tests.end_to_end.test_forged_results import FORGERIES

_FILES = 60


def faults() -> Iterator[Tried]:
    with tempfile.TemporaryDirectory() as name:
        place = Path(os.path.realpath(name))
        share = _share(place)
        undisturbed = place / "undisturbed"
        run_leakscreen(place / "home", _scan(share, undisturbed))
        expected = stable(rows_of(undisturbed))
        yield Tried("the undisturbed scan has every file once", len(expected) == _FILES)
        for what, disturb in _DISTURBANCES.items():
            out = place / what.replace(" ", "-")
            yield Tried(what, _survives(share, out, place / "home", disturb) and stable(rows_of(out)) == expected)
        for what, forge in FORGERIES.items():
            copy = Path(shutil.copytree(undisturbed, place / "forged"))
            (scan,) = copy.glob("scan=*")
            forge(scan)
            ran = run_leakscreen(place / "home", ("refer", scan))
            yield Tried(f"forged results: {what}", ran.code == 2 and "nothing was referred" in ran.err)
            shutil.rmtree(copy)
        yield Tried("files swapped during a scan", _swapped(place))


def _share(place: Path) -> Path:
    share = place / "share"
    share.mkdir()
    (place / "home").mkdir()
    for number in range(_FILES):
        (share / f"{number:03}.txt").write_text(
            f"Patient: Mary Jones{number}, MRN 44172{number:02}, has type 2 diabetes. " + "Words and words.\n" * 500
        )
    return share


def _scan(share: Path, out: Path) -> tuple[str | Path, ...]:
    return ("scan", share, "--out", out, "--workers", "2", "--quiet", "--set", "scan.unit_files=3")


def _started(share: Path, out: Path, home: Path) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "HOME": str(home), "LEAKSCREEN_HMAC_KEY": KEY}
    command = [sys.executable, "-m", "leakscreen", *map(str, _scan(share, out))]
    running = subprocess.Popen(command, env=environment, cwd=home, stderr=subprocess.DEVNULL)
    while running.poll() is None and len(list(out.glob("scan=*/files/*.parquet"))) < 2:
        time.sleep(0.01)
    return running


def _survives(share: Path, out: Path, home: Path, disturb: Callable[[int], None]) -> bool:
    """Whether the scan, resumed where it stopped, ends."""
    running = _started(share, out, home)
    if running.poll() is None:
        disturb(running.pid)
    try:
        code = running.wait(120)
    except subprocess.TimeoutExpired:
        running.kill()
        running.wait()
        return False
    while code not in (0, 3):
        ran = run_leakscreen(home, ("scan", "--resume", "--out", out, "--workers", "2", "--quiet"))
        if ran.code == code:
            return False
        code = ran.code
    return True


def _send(number: signal.Signals, pids: Callable[[int], list[int]]) -> Callable[[int], None]:
    def send(launcher: int) -> None:
        for pid in pids(launcher):
            os.kill(pid, number)

    return send


def _below_workers(launcher: int) -> list[int]:
    return [pid for worker in children_of(launcher) for pid in children_of(worker)]


def _parsers(launcher: int) -> list[int]:
    return [pid for zygote in _below_workers(launcher) for pid in children_of(zygote)]


_DISTURBANCES: dict[str, Callable[[int], None]] = {
    "launcher killed": _send(signal.SIGKILL, lambda launcher: [launcher]),
    "launcher asked to stop": _send(signal.SIGTERM, lambda launcher: [launcher]),
    "a worker killed": _send(signal.SIGKILL, lambda launcher: children_of(launcher)[:1]),
    "all workers killed": _send(signal.SIGKILL, children_of),
    "all workers stopped": _send(signal.SIGSTOP, children_of),
    "all zygotes killed": _send(signal.SIGKILL, _below_workers),
    "all zygotes stopped": _send(signal.SIGSTOP, _below_workers),
    "all parsers killed": _send(signal.SIGKILL, _parsers),
    "everything asked to stop": _send(signal.SIGTERM, lambda launcher: [*tree_below(launcher), launcher]),
    "everything killed": _send(signal.SIGKILL, lambda launcher: [launcher, *tree_below(launcher)]),
}


def _swapped(place: Path) -> bool:
    """Files become links, folders and pipes while they are scanned: none is followed, and each has one record."""
    share, out = place / "swapped", place / "swapped-out"
    shutil.copytree(place / "share", share)
    (place / "secret.txt").write_text("Patient: Zebedee Canaryson, SSN 219-09-9999, has asthma.")
    over = threading.Event()

    def swap() -> None:
        for number in range(_FILES):
            path = share / f"{number:03}.txt"
            path.unlink()
            if number % 3 == 0:
                path.symlink_to(place / "secret.txt")
            elif number % 3 == 1:
                path.mkdir()
            else:
                os.mkfifo(path)
            if over.wait(0.02):
                return

    running = _started(share, out, place / "home")
    thread = threading.Thread(target=swap)
    thread.start()
    code = running.wait(180)
    over.set()
    thread.join()
    rows = rows_of(out)
    summary = json.loads(next(out.glob("scan=*/summary.json")).read_text())
    own = len({row["uri"] for row in rows}) == len(rows) == _FILES
    return code in (0, 3) and own and summary["reconciliation"]["ok"] and "anaryson" not in str(rows)
