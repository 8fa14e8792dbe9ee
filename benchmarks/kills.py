"""Scans killed (SIGKILL) at random moments, then resumed -> the same records: `python -m benchmarks.kills --kills 100`.

Each round scans a share of which half was scanned before, so that kills hit planning, carrying over, reading and
summarising. It kills the launcher or a worker at a random time, or just after a file of the results has appeared. At
the end the scan is resumed: its records must equal those of an undisturbed scan, and no finished unit may be written
again.
"""

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds

from leakscreen.demo import make_share

SIGNS = (
    "scan=*",
    "scan=*/.*.walk",
    "scan=*/files/*",
    "scan=*/plan.arrow",
    "scan=*/.plan.arrow.tmp",
    "scan=*/summary.json",
    "scan=*/report.html",
)
_LONG_AGO = 1_600_000_000


@dataclass(slots=True)
class Stress:
    """One share, the records of a scan of it that nobody disturbed, and scans of it that are disturbed."""

    place: Path
    share: Path
    seconds: float = 0.0  # that a scan takes, about
    wanted: list[dict[str, Any]] = field(default_factory=list)
    told: Counter[str] = field(default_factory=Counter)

    def prepare(self, files: int = 40) -> None:
        """Makes the share and scans it twice, the second time with half of it changed."""
        make_share(self.share, files=files, seed=3, phi_share=0.05)
        for path in self.share.rglob("*"):
            os.utime(path, (_LONG_AGO, _LONG_AGO))
        self._finish(self._start(self.place / "base"))
        for number, path in enumerate(sorted(path for path in self.share.rglob("*") if path.is_file())):
            if number % 2:
                os.utime(path, (_LONG_AGO + 1, _LONG_AGO + 1))
        shutil.copytree(self.place / "base", self.place / "undisturbed")
        began = time.monotonic()
        self._finish(self._start(self.place / "undisturbed"))
        self.seconds = time.monotonic() - began
        self.wanted = newest_rows(self.place / "undisturbed")

    def round(self, most_kills: int, dice: random.Random) -> int:
        """Kills a scan and each resumption, up to `most_kills` times, then lets it end; returns the number of kills."""
        out = self.place / "out"
        shutil.rmtree(out, ignore_errors=True)
        if (self.place / "base").exists():
            shutil.copytree(self.place / "base", out)
        kills = 0
        while kills < most_kills and self._disturbed(out, dice):
            kills += 1
        units = _units(out) if _begun(out) else {}
        self._finish(self._start(out))
        if any(path.stat().st_mtime_ns != written for path, written in units.items()):
            raise SystemExit("a finished unit was written again")
        rows = newest_rows(out)
        if rows != self.wanted:
            raise SystemExit(f"the records differ from those of an undisturbed scan: {_difference(rows, self.wanted)}")
        return kills

    def _disturbed(self, out: Path, dice: random.Random) -> bool:
        """False where the scan had ended before its moment came."""
        units = _units(out) if _begun(out) else {}
        process = self._start(out)
        self._moment(process, out, dice)()
        if process.poll() is not None:
            return False
        stage = _stage(out)
        workers = _children(process.pid)
        victim = dice.choice([process.pid, *workers]) if workers else process.pid
        os.kill(victim, signal.SIGKILL)
        process.wait(timeout=120)
        self.told[f"{'launcher' if victim == process.pid else 'worker'} killed {stage}"] += 1
        if any(path.stat().st_mtime_ns != written for path, written in units.items()):
            raise SystemExit("a finished unit was written again")
        return True

    def _moment(self, process: subprocess.Popen[bytes], out: Path, dice: random.Random) -> Callable[[], None]:
        if dice.random() < 0.5:
            until = time.monotonic() + dice.random() * self.seconds
            return lambda: _wait(lambda: time.monotonic() > until, process)
        sign, before = dice.choice(SIGNS), {path for sign in SIGNS for path in out.glob(sign)}
        delay = dice.random() * 0.05

        def after_the_sign() -> None:
            _wait(lambda: any(path not in before for path in out.glob(sign)), process)
            time.sleep(delay)

        return after_the_sign

    def _start(self, out: Path) -> subprocess.Popen[bytes]:
        """Goes on where there is something to go on with; what was killed before its folder had a name begins anew."""
        what = ["--resume"] if _begun(out) else [str(self.share)]
        words = [*what, "--out", str(out), "--workers", "2", "--quiet", "--set", "scan.unit_files=2"]
        return subprocess.Popen([sys.executable, "-m", "leakscreen", "scan", *words], stderr=subprocess.PIPE)

    def _finish(self, process: subprocess.Popen[bytes]) -> None:
        _, said = process.communicate(timeout=600)
        if process.returncode not in (0, 3):
            raise SystemExit(f"exit code {process.returncode}: {said.decode()}")


def _wait(condition: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None and not condition():
        time.sleep(0.001)


def _newest(out: Path) -> Path | None:
    return max(out.glob("scan=*"), default=None)


def _begun(out: Path) -> bool:
    """Whether the newest scan is one that was not yet finished."""
    newest = _newest(out)
    return newest is not None and (not (newest / "summary.json").exists() or not (newest / "report.html").exists())


def _units(out: Path) -> dict[Path, int]:
    """Files of the newest scan's finished units; while it is still being planned, none is final."""
    newest = _newest(out)
    if newest is None or '"walk": null' in (newest / "manifest.json").read_text():
        return {}
    return {path: path.stat().st_mtime_ns for path in (newest / "files").glob("*.parquet")}


def _stage(out: Path) -> str:
    if not _begun(out):
        return "before it began, or after its end"
    newest = _newest(out)
    assert newest is not None
    if '"walk": null' in (newest / "manifest.json").read_text():
        return "while it planned and carried over"
    return "while it summarised" if (newest / "summary.json").exists() else "while it read"


def newest_rows(out: Path) -> list[dict[str, Any]]:
    newest = _newest(out)
    assert newest is not None
    rows = (
        ds.dataset([str(path) for path in newest.glob("files/*.parquet")])
        .to_table()
        .drop_columns("scan_id")
        .to_pylist()
    )
    return sorted(rows, key=lambda row: str(row["uri"]))


def _difference(rows: list[dict[str, Any]], wanted: list[dict[str, Any]]) -> str:
    """Columns alone: values stay out of every output."""
    if len(rows) != len(wanted):
        return f"{len(rows)} in place of {len(wanted)}"
    pairs = list(zip(rows, wanted, strict=True))
    columns = {name for one, other in pairs for name in one if one[name] != other[name]}
    return f"{sum(one != other for one, other in pairs)} records, in {', '.join(sorted(columns))}"


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--in-a-row", type=int, default=5, help="kills of one scan, at most")
    parser.add_argument("--seed", type=int, default=20)
    arguments = parser.parse_args()
    dice = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        stress = Stress(Path(folder), Path(folder, "share"))
        stress.prepare()
        kills = rounds = 0
        while kills < arguments.kills:
            kills += stress.round(min(arguments.in_a_row, arguments.kills - kills), dice)
            rounds += 1
            print(f"  {kills} kills in {rounds} scans", flush=True)
    for what, count in sorted(stress.told.items()):
        print(f"  {count:4}  {what}")
    print("  the records of every scan equal those of an undisturbed one; no finished unit was written again")


if __name__ == "__main__":
    main()
