"""A scan of a Samba share -> how long another client of it waits meanwhile, with and without limits.

python -m benchmarks.gentle
"""

import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import smbclient

from tests.servers.samba import PASSWORD, FileServer, samba

FILES, BYTES = 600, 200_000
PAUSE = 0.05  # between two reads of the other client
GENTLE = (
    *("--set", "scan.max_files_per_second=20", "--set", "scan.max_bytes_per_second=4000000"),
    *("--set", "sources.connections=1"),
)
WAYS: dict[str, tuple[str, ...] | None] = {
    "no scan": None,
    "a scan without limits, 2 workers": ("--workers", "2"),
    "a gentle scan, 1 worker": ("--workers", "1", *GENTLE),
}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, samba(Path(folder)) as server:
        for number in range(FILES):
            line = f"The canteen of house {number} opens at noon, and closes when nobody is left.\n".encode()
            (server.share / f"{number:04}.txt").write_bytes((line * (BYTES // len(line) + 1))[:BYTES])
        (server.share / "wanted.bin").write_bytes(os.urandom(65_536))
        print("| while there is | reads | median ms | p95 ms | slowest ms | scan s |\n|---|---:|---:|---:|---:|---:|")
        for way, words in WAYS.items():
            waits, seconds = _measured(server, Path(folder), words)
            waits.sort()
            told = [waits[int(len(waits) * share)] * 1000 for share in (0.5, 0.95)]
            shown = f"{seconds:.1f}" if words is not None else "–"
            print(f"| {way} | {len(waits)} | {told[0]:.1f} | {told[1]:.1f} | {waits[-1] * 1000:.0f} | {shown} |")


def _measured(server: FileServer, folder: Path, words: tuple[str, ...] | None) -> tuple[list[float], float]:
    over, waits = threading.Event(), list[float]()
    other = threading.Thread(target=_read, args=(server, over, waits))
    began = time.monotonic()
    if words is None:
        other.start()
        time.sleep(15)
    else:
        out = folder / f"out{len(words)}"
        command = [sys.executable, "-m", "leakscreen", "scan", server.address, "--out", str(out), "--quiet", *words]
        environ = {**os.environ, "LEAKSCREEN_SOURCE_PASSWORD": PASSWORD}
        scan = subprocess.Popen(command, env=environ)
        while not list(out.glob("scan=*/plan.arrow")) and scan.poll() is None:
            time.sleep(0.05)
        other.start()  # while files are read
        scan.wait()
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
