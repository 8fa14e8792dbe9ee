"""A command -> its wall seconds and the peak memory of its whole process tree."""

import os
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Measured:
    seconds: float
    peak_bytes: int  # proportional set size, so that pages shared by forked processes count once


def measure(command: Sequence[str], *, memory: bool = False, allowed: tuple[int, ...] = (0, 3)) -> Measured:
    """Runs a command to its end; with `memory`, looks at its tree ten times a second, which costs some speed."""
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    peak = 0
    if memory:
        while process.poll() is None:
            peak = max(peak, sum(_memory(pid) for pid in tree(process.pid)))
            time.sleep(0.1)
    output, _ = process.communicate()
    seconds = time.perf_counter() - started
    if process.returncode not in allowed:
        raise RuntimeError(
            f"{' '.join(command)} exited with {process.returncode}: {output.decode(errors='replace')[-2000:]}"
        )
    return Measured(seconds, peak)


def tree(root: int) -> list[int]:
    pids = [root]
    for pid in pids:
        for task in _listed(f"/proc/{pid}/task"):
            pids += [int(child) for child in _read(f"/proc/{pid}/task/{task}/children").split()]
    return pids


def _memory(pid: int) -> int:
    for line in _read(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return 0


def _listed(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _read(file: str) -> str:
    try:
        return Path(file).read_text()
    except OSError:
        return ""
