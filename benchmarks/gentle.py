"""A scan of a Samba share -> how long another client of it waits meanwhile, with and without limits.

python -m benchmarks.gentle
"""

import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import smbclient

from tests.servers.samba import PASSWORD, FileServer, samba

FILES, BYTES = 12, 8_000_000
PAUSE = 0.05  # between two reads of the other client
QUIET_SECONDS = 8
GENTLE = (
    *("--set", "scan.max_files_per_second=5", "--set", "scan.max_bytes_per_second=8000000"),
    *("--set", "sources.connections=1"),
)
WAYS: dict[str, tuple[str, ...]] = {
    "a scan without limits, 2 workers": ("--workers", "2"),
    "a gentle scan, 1 worker": ("--workers", "1", *GENTLE),
}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, samba(Path(folder)) as server:
        for number in range(FILES):
            (server.share / f"{number:04}.bin").write_bytes(os.urandom(BYTES))
        (server.share / "wanted.bin").write_bytes(os.urandom(65_536))
        print("| while there is | reads | median ms | p95 ms | slowest ms | scan s |\n|---|---:|---:|---:|---:|---:|")
        _show("nothing", *_measured(server, lambda: time.sleep(QUIET_SECONDS)))
        for number, (way, words) in enumerate(WAYS.items()):
            out = Path(folder, f"out{number}")
            _show(way, *_measured(server, _scan(server, out, words)))
            _show("nothing", *_measured(server, lambda: time.sleep(QUIET_SECONDS)))


def _show(way: str, waits: list[float], seconds: float) -> None:
    waits.sort()
    median, p95 = (waits[int(len(waits) * share)] * 1000 for share in (0.5, 0.95))
    scan = "–" if way == "nothing" else f"{seconds:.1f}"
    print(f"| {way} | {len(waits)} | {median:.1f} | {p95:.1f} | {waits[-1] * 1000:.0f} | {scan} |", flush=True)


def _scan(server: FileServer, out: Path, words: tuple[str, ...]) -> Callable[[], None]:
    """Starts the scan and waits until it reads; what is returned waits until it is over."""
    command = [sys.executable, "-m", "leakscreen", "scan", server.address, "--out", str(out), "--quiet", *words]
    scan = subprocess.Popen(["nice", "-n", "19", *command], env={**os.environ, "LEAKSCREEN_SOURCE_PASSWORD": PASSWORD})
    while not list(out.glob("scan=*/plan.arrow")) and scan.poll() is None:
        time.sleep(0.05)
    return lambda: print("scan failed") if scan.wait() not in (0, 3) else None


def _measured(server: FileServer, meanwhile: Callable[[], None]) -> tuple[list[float], float]:
    over, waits = threading.Event(), list[float]()
    other = threading.Thread(target=_read, args=(server, over, waits))
    began = time.monotonic()
    other.start()
    meanwhile()
    over.set()
    other.join()
    return waits, time.monotonic() - began


def _read(server: FileServer, over: threading.Event, waits: list[float]) -> None:
    how = {"username": server.user, "password": PASSWORD, "port": server.port}
    while not over.wait(PAUSE):
        began = time.monotonic()
        with smbclient.open_file(r"\\127.0.0.1\share\wanted.bin", "rb", share_access="rwd", **how) as file:
            file.read()
        waits.append(time.monotonic() - began)


if __name__ == "__main__":
    main()
