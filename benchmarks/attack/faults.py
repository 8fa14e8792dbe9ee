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
from tests.end_to_end.database_restart import review_through_a_restart
from tests.end_to_end.other_times import clock_ahead, upgraded
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
        yield Tried("folders swapped for links during a scan", _folders_swapped(place))
        yield from _set_back(place)
        yield Tried("upgraded between scan and resume", _upgraded(place, undisturbed, expected))
        (place / "service").mkdir()
        for what, held in review_through_a_restart(place / "service"):
            yield Tried(f"PostgreSQL ends in the middle of a decision: {what}", held)


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

    return _scanned_while(place, share, out, swap, over, _FILES)


def _folders_swapped(place: Path) -> bool:
    """Folders become links to folders with files of the same names: what is behind them is not read."""
    share, out, secret = place / "folders", place / "folders-out", place / "secret"
    secret.mkdir()
    for number in range(3):
        (secret / f"{number}.txt").write_text("Patient: Zebedee Canaryson, SSN 219-09-9999, has asthma.")
        for folder in range(20):
            (share / f"{folder:02}" / "in").mkdir(parents=True, exist_ok=True)
            (share / f"{folder:02}" / "in" / f"{number}.txt").write_text("Words and words.\n" * (500 + number + folder))
    over = threading.Event()

    def swap() -> None:
        for number in range(20):
            folder = share / f"{number:02}" / "in"
            folder.rename(folder.with_name("away"))
            folder.symlink_to(secret)
            if over.wait(0.03):
                return

    return _scanned_while(place, share, out, swap, over, 60)


def _scanned_while(
    place: Path, share: Path, out: Path, swap: Callable[[], None], over: threading.Event, files: int
) -> bool:
    """Whether each file has one record, and none of them what is hidden elsewhere."""
    running = _started(share, out, place / "home")
    thread = threading.Thread(target=swap)
    thread.start()
    code = running.wait(180)
    over.set()
    thread.join()
    rows = rows_of(out)
    summary = json.loads(next(out.glob("scan=*/summary.json")).read_text())
    own = len({row["uri"] for row in rows}) == len(rows) == files
    return code in (0, 3) and own and summary["reconciliation"]["ok"] and "anaryson" not in str(rows)


def _set_back(place: Path) -> Iterator[Tried]:
    """The second of two scans is the newest, though the clock says that it began two days before the first."""
    share, out, home = place / "share", place / "set-back", place / "home"
    ahead = clock_ahead(place / "clock", 172_800)
    run_leakscreen(home, _scan(share, out), environ=ahead)
    run_leakscreen(home, _scan(share, out))
    first, second = sorted(out.glob("scan=*"))
    began = [json.loads((scan / "manifest.json").read_text())["started"] for scan in (first, second)]
    yield Tried("a clock set back: the later scan is the newest", began[0] > began[1])
    reported = json.loads(run_leakscreen(home, ("report", out, "--json")).out)["scan_id"]
    yield Tried("a clock set back: the report is of the later scan", second.name.endswith(reported))
    (second / "summary.json").unlink()
    unit = sorted((second / "files").glob("unit-*.parquet"))[0]
    unit.unlink()
    run_leakscreen(home, ("scan", "--resume", "--out", out, "--workers", "2", "--quiet"))
    yield Tried("a clock set back: the later scan is resumed", unit.exists() and (second / "summary.json").exists())


def _upgraded(place: Path, undisturbed: Path, expected: object) -> bool:
    out = Path(shutil.copytree(undisturbed, place / "upgraded"))
    (scan,) = out.glob("scan=*")
    (scan / "summary.json").unlink()
    sorted((scan / "files").glob("unit-*.parquet"))[0].unlink()
    resume = ("scan", "--resume", "--out", out, "--workers", "2", "--quiet")
    ran = run_leakscreen(place / "home", resume, environ=upgraded(place / "newer"))
    return ran.code in (0, 3) and "began this scan" in ran.err and stable(rows_of(out)) == expected
