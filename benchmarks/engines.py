"""Flink and Spark with 1, 2, 4 slots against local runner and plain loop: `python -m benchmarks.engines flink spark`.

All scan the same share of small files in turn; the best of several rounds counts. The sustained rate is measured from
the first to the last finished unit; the whole command includes imports, models, the start of the job server and the
upload of its jar. CPU seconds are those of the command and of all that works for it, from its start until everything
has ended; not those of a cluster's start. A slot is a task manager of Flink, or a worker of Spark, with one core.
"""

import argparse
import contextlib
import ctypes
import os
import resource
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.process_tree import measure, tree
from benchmarks.throughput import _sustained
from deploy.flink.cluster import Cluster as Flink
from deploy.spark.cluster import Cluster as Spark
from leakscreen.demo import make_small_files

_ENGINES = {"flink": Flink, "spark": Spark}
_BECOME_REAPER = 36  # PR_SET_CHILD_SUBREAPER: whoever loses its parent is counted here


@dataclass(frozen=True, slots=True)
class Run:
    sustained: float  # files a second
    wall: float
    cpu: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engines", nargs="+", choices=sorted(_ENGINES))
    parser.add_argument("--files", type=int, default=4_000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--slots", type=int, nargs="+", default=[1, 2, 4])
    arguments = parser.parse_args()
    ctypes.CDLL(None, use_errno=True).prctl(_BECOME_REAPER, 1, 0, 0, 0)
    runs: dict[tuple[int, str], list[Run]] = {}
    with tempfile.TemporaryDirectory() as folder:
        share = Path(folder, "share")
        make_small_files(share, arguments.files)
        for turn in range(arguments.rounds):
            for width in arguments.slots:
                for name in ("plain loop", "local", *arguments.engines):
                    out = Path(folder, f"{name}-{width}-{turn}".replace(" ", "-"))
                    runs.setdefault((width, name), []).append(_run(name, width, share, out))
    print(f"{arguments.files:,} small files, best of {arguments.rounds}")
    print("  slots  files/s sustained, against local   CPU s, against local   wall s")
    for (width, name), measured in runs.items():
        local, best = (_best(each) for each in (runs[width, "local"], measured))
        print(
            f"  {width} {name:12} {best.sustained:7,.0f}  {best.sustained / local.sustained:5.2f}"
            f"  {best.cpu:8.1f}  {best.cpu / local.cpu:5.2f}  {best.wall:8.1f}"
        )


def _best(runs: Sequence[Run]) -> Run:
    """Each figure by itself."""
    return Run(max(run.sustained for run in runs), min(run.wall for run in runs), min(run.cpu for run in runs))


def _run(name: str, width: int, share: Path, out: Path) -> Run:
    scan = [sys.executable, "-m", "leakscreen", "scan", str(share), "--quiet", "--out", str(out)]
    before = _ended()
    with contextlib.ExitStack() as stack:
        if name in _ENGINES:
            cluster = stack.enter_context(_ENGINES[name](Path(f".{name}-jars").absolute(), width))
            command = [*scan, *cluster.options]
        elif name == "local":
            command = [*scan, "--workers", str(width)]
        else:
            command = [sys.executable, "-m", "benchmarks.plain_loop", str(share), str(out), str(width)]
        before += sum(_used_by(pid) for pid in tree(os.getpid())[1:])
        wall = measure(command).seconds
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, 0)[0]:
            pass
    return Run(_sustained(out, "**/files/*.parquet"), wall, _ended() - before)


def _ended() -> float:
    """CPU seconds of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _used_by(pid: int) -> float:
    """CPU seconds of a process and of its children that have ended."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
