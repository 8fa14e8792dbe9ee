"""Bombs of many formats -> how each ends in the sandbox, with CPU time and peak memory of its parser."""

import argparse
import os
import tempfile
import threading
from pathlib import Path

from benchmarks.bomb_files import BOMBS
from core.records import FileRef
from core.settings import LimitSettings
from extraction.examine import examine
from extraction.sandbox import Sandbox

MOST_SECONDS, MOST_BYTES = 2.0, 512_000_000
LOOK_SECONDS = 0.01


class Watch:
    """Looks at a process while it lives; what it used between the last look and its end is missed."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.seconds = 0.0
        self.peak_bytes = 0
        self._over = threading.Event()
        self._before = self._cpu()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _cpu(self) -> float:
        fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _look(self) -> None:
        try:
            self.seconds = self._cpu() - self._before
            status = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii")
        except OSError:
            return
        for line in status.splitlines():
            if line.startswith("VmHWM:"):
                self.peak_bytes = int(line.split()[1]) * 1024

    def _run(self) -> None:
        while not self._over.wait(LOOK_SECONDS):
            self._look()

    def stop(self) -> None:
        self._over.set()
        self._thread.join()
        self._look()


def explode(name: str, data: bytes, folder: Path, sandbox: Sandbox) -> bool:
    path = folder / name
    path.write_bytes(data)
    watch = Watch(sandbox.child_pid)
    documents = list(examine(FileRef(str(path), os.fsencode(path), len(data), 0), sandbox))
    watch.stop()
    path.unlink()
    kept = watch.seconds <= MOST_SECONDS and watch.peak_bytes <= MOST_BYTES
    outer = documents[-1]
    print(
        f"{'ok  ' if kept else 'OVER'} {name:<16} {len(data):>11,} bytes  {watch.seconds:6.2f} s CPU  "
        f"{watch.peak_bytes / 1e6:5.0f} MB"
        f"  {len(documents):>6,} records  {outer.status.value}: {outer.reason}",
        flush=True,
    )
    return kept


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="only these bombs")
    arguments = parser.parse_args()
    print(
        f"bars: {MOST_SECONDS:g} s CPU and {MOST_BYTES / 1e6:.0f} MB of the parser process, which has some 100 MB at "
        "rest"
    )
    over = 0
    with tempfile.TemporaryDirectory() as folder, Sandbox(LimitSettings(recycle_files=1)) as sandbox:
        for name in arguments.names or BOMBS:
            over += not explode(name, BOMBS[name](), Path(os.path.realpath(folder)), sandbox)
    print(f"{over} over the bars" if over else "all within the bars")
    raise SystemExit(over > 0)


if __name__ == "__main__":
    main()
