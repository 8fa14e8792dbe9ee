"""Files of plain text -> CPU per file, in this process and in the sandbox, and the ratio of the two."""

import argparse
import os
import resource
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from core.records import IN_PLACE, FileRef, Origin, Status
from core.settings import LimitSettings
from extraction.content import read_descriptor
from extraction.examine import examine, examine_each
from extraction.extract import Extraction
from extraction.registry import Registry
from extraction.sandbox import Sandbox

WORDS = ("visit", "report", "Monday", "the", "of", "budget", "plan", "result", "number", "street")


class Gathered:
    """A sink that keeps text in memory, as the sandbox's parent does."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def start(self, path: str, origin: Origin = IN_PLACE) -> None: ...

    def identified(self, media_type: str, sha256: str | None, size: int) -> None: ...

    def text(self, where: str, encoded: bytes) -> None:
        self.texts.append(encoded.decode())

    def window(self) -> None: ...

    def end(self, status: Status, reason: str) -> None: ...


def write_files(folder: Path, count: int, size: int) -> list[FileRef]:
    refs = []
    for number in range(count):
        path = folder / f"{number}.txt"
        text = " ".join(WORDS[(number + place) % len(WORDS)] for place in range(size // 4))[:size]
        path.write_text(text, encoding="utf-8")
        refs.append(FileRef(str(path), os.fsencode(path), size, 0))
    return refs


def in_process(refs: list[FileRef], registry: Registry, limits: LimitSettings) -> None:
    for ref in refs:
        descriptor = os.open(ref.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        size = os.fstat(descriptor).st_size
        Extraction(registry, limits, Gathered()).examine(read_descriptor(descriptor, "", limits.read_bytes, size))
        os.fstat(descriptor)
        os.close(descriptor)


def sandboxed(refs: list[FileRef], sandbox: Sandbox) -> None:
    for document in examine_each(refs, sandbox):
        assert document.status is Status.COMPLETE, document.reason


def sandboxed_one_by_one(refs: list[FileRef], sandbox: Sandbox) -> None:
    for ref in refs:
        (document,) = examine(ref, sandbox)
        assert document.status is Status.COMPLETE, document.reason


def own_cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def process_cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def best(rounds: int, work: Callable[[], None], cpu: Callable[[], float]) -> float:
    figures = []
    for _ in range(rounds):
        before = cpu()
        work()
        figures.append(cpu() - before)
    return min(figures)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=5_000)
    parser.add_argument("--bytes", type=int, default=4_096)
    parser.add_argument("--rounds", type=int, default=7)
    arguments = parser.parse_args()
    limits = LimitSettings(recycle_files=1_000_000)
    with tempfile.TemporaryDirectory() as folder:
        refs = write_files(Path(folder), arguments.files, arguments.bytes)
        registry = Registry()
        in_process(refs[:100], registry, limits)
        inside = best(arguments.rounds, lambda: in_process(refs, registry, limits), own_cpu)
        with Sandbox(limits) as sandbox:
            sandboxed(refs[:100], sandbox)
            pid = sandbox.child_pid
            for name, work in (("a work unit at a time", sandboxed), ("one by one", sandboxed_one_by_one)):
                started = time.perf_counter()
                apart = best(arguments.rounds, partial(work, refs, sandbox), lambda: own_cpu() + process_cpu(pid))
                elapsed = (time.perf_counter() - started) / arguments.rounds
                report(name, inside * 1e6 / len(refs), apart * 1e6 / len(refs), len(refs) / elapsed)


def report(name: str, inside: float, apart: float, speed: float) -> None:
    print(f"{name}: in-process {inside:.0f} us CPU a file, sandboxed {apart:.0f} us (parent and child)", end="; ")
    print(f"overhead {apart - inside:.0f} us a file, ratio {apart / inside:.2f}, {speed:.0f} files/s")


if __name__ == "__main__":
    main()
