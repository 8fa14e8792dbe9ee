"""Seconds, bytes and memory of planning a scan as the number of files grows: `python -m benchmarks.planning_cost`."""

import argparse
import multiprocessing
import os
import tempfile
import time
from pathlib import Path
from threading import Event, Thread

from pipelines.plan.arrow_file import spooled_walk, write_plan
from pipelines.sources.local import Walk

_IN_FOLDER = 1_000


def make_files(folder: Path, files: int, in_folder: int = _IN_FOLDER) -> None:
    """Files without content on disk, of some thousand sizes."""
    for number in range(files):
        if number % in_folder == 0:
            place = folder / f"{number // in_folder:06}"
            place.mkdir(parents=True)
        descriptor = os.open(place / f"some file of a share {number:09}.txt", os.O_CREAT | os.O_WRONLY)
        os.ftruncate(descriptor, 1 + number * 7919 % 1_000_003)
        os.close(descriptor)


def plan(share: Path, out: Path) -> tuple[float, float, int, int]:
    """Seconds, CPU seconds, bytes of the plan, and the peak memory beyond that at the start."""
    done, most = Event(), [0]
    before = _own_memory()

    def watch() -> None:
        while not done.wait(0.02):
            most[0] = max(most[0], _own_memory() - before)

    watcher = Thread(target=watch)
    watcher.start()
    wall, cpu = time.perf_counter(), time.process_time()
    with spooled_walk(str(out), Walk(os.fsencode(share)).listings()) as files:
        write_plan(str(out / "plan.arrow"), files, 100, 64_000_000)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    done.set()
    watcher.join()
    return wall, cpu, (out / "plan.arrow").stat().st_size, most[0]


def _own_memory() -> int:
    """What a file is mapped to does not count: the kernel takes it back when it wants."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("RssAnon"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, nargs="+", default=[1_000, 10_000, 100_000, 1_000_000])
    arguments = parser.parse_args()
    print("       files    wall s    cpu s   cpu µs/file   plan bytes/file   memory MB   bytes/file")
    for files in arguments.files:
        with tempfile.TemporaryDirectory() as folder, multiprocessing.get_context("spawn").Pool(1) as pool:
            make_files(Path(folder, "share"), files)
            Path(folder, "out").mkdir()
            wall, cpu, size, memory = pool.apply(plan, (Path(folder, "share"), Path(folder, "out")))
        row = (
            f"{files:>12,}{wall:10.2f}{cpu:9.2f}{cpu / files * 1e6:14.1f}{size / files:18.0f}"
            f"{memory / 1e6:12.1f}{memory / files:13.0f}"
        )
        print(row, flush=True)


if __name__ == "__main__":
    main()
