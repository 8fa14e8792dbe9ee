"""Files of every format, broken in many ways -> each ends in one status and none harms the parent: `make fuzz`.

With `--ocr` letters in pictures are read too, with `--draw` pages and pictures are drawn as the review service shows
them; both start from pictures, pages of PDF and DICOM files as well. By the command itself: benchmarks/fuzz_scan.py.
"""

import argparse
import contextlib
import multiprocessing
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.honesty import write_cases
from benchmarks.honesty_cases.case import Case
from benchmarks.honesty_cases.data_files import data_files
from benchmarks.honesty_cases.in_codes import in_codes
from benchmarks.honesty_cases.in_dicom import in_dicom
from benchmarks.honesty_cases.in_documents import in_documents
from benchmarks.honesty_cases.in_pages import in_pages
from benchmarks.honesty_cases.in_pictures import faint, picture_formats, turned
from benchmarks.mutate import mutate
from core.records import Document, FileRef, Status
from core.settings import LimitSettings, OcrSettings
from extraction.examine import examine
from extraction.readers.pictures.drawing import pixels_of
from extraction.sandbox import Sandbox
from leakscreen.demo import make_share

SAMPLES = Path(__file__).parents[1] / "tests" / "samples"
LARGEST_SEED = 300_000
LIMITS = LimitSettings(file_seconds=20, expanded_bytes=100_000_000, member_bytes=32_000_000)
SLOWEST = 8
REPORT_EVERY = 500
LAST_DRAWN = 3  # pages


@dataclass(frozen=True, slots=True)
class Way:
    """What is done with each file beside reading its text."""

    ocr: bool = False
    draws: bool = False


@dataclass(slots=True)
class Findings:
    by_status: Counter[tuple[str, str]] = field(default_factory=Counter)  # format, status
    crashes: Counter[tuple[str, str]] = field(default_factory=Counter)  # format, how
    time_outs: Counter[str] = field(default_factory=Counter)
    slowest: list[tuple[float, str]] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)  # promises that were not kept
    mutants: int = 0
    drawn: int = 0

    def add(self, other: "Findings") -> None:
        self.by_status += other.by_status
        self.crashes += other.crashes
        self.time_outs += other.time_outs
        self.slowest = sorted([*self.slowest, *other.slowest], reverse=True)[:SLOWEST]
        self.broken += other.broken
        self.mutants += other.mutants
        self.drawn += other.drawn


def picture_cases() -> Iterator[Case]:
    """Pictures in all formats, pages and documents that hold them, DICOM files and codes."""
    sets = (picture_formats, turned, faint, in_dicom, in_pages, in_codes, in_documents)
    return chain.from_iterable(cases() for cases in sets)


def seeds_of(folders: list[Path]) -> dict[str, list[Path]]:
    """Files by the ending of their name, which stands for their format."""
    by_suffix: dict[str, list[Path]] = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink() and 0 < path.stat().st_size <= LARGEST_SEED:
                by_suffix.setdefault(path.suffix.lower() or "none", []).append(path)
    return dict(sorted(by_suffix.items()))


def mutants(seeds: dict[str, list[Path]], numbers: range, seed: int) -> Iterator[tuple[int, str, Path, bytes]]:
    """Each format gets its share; a number and a seed always give the same mutant."""
    formats = list(seeds)
    for number in numbers:
        dice = Random(f"{seed}/{number}")
        kind = formats[number % len(formats)]
        path = dice.choice(seeds[kind])
        yield number, kind, path, mutate(path.read_bytes(), dice)


def check(documents: list[Document], uri: str) -> str:
    """What is wrong with the records of one file, or nothing."""
    outer = [document for document in documents if document.container_uri is None]
    if len(outer) != 1 or documents[-1] is not outer[0] or outer[0].uri != uri:
        return f"{len(outer)} records of the outer file"
    if len({document.uri for document in documents}) != len(documents):
        return "two records of one member"
    if not all(isinstance(document.status, Status) for document in documents):
        return "a record without a status"
    return ""


def work(seeds: dict[str, list[Path]], numbers: range, seed: int, way: Way, results: Any) -> None:
    try:
        _work(seeds, numbers, seed, way, results)
    except Exception as error:
        results.put(Findings(broken=[f"the parent raised {type(error).__name__}"]))
    finally:
        results.put(None)


def _work(seeds: dict[str, list[Path]], numbers: range, seed: int, way: Way, results: Any) -> None:
    findings = Findings()
    ocr_settings = OcrSettings(enabled="auto" if way.ocr else "off")
    with (
        tempfile.TemporaryDirectory() as folder,
        Sandbox(LIMITS, ocr=ocr_settings, passwords_file=_passwords_file(folder)) as sandbox,
    ):
        path = Path(os.path.realpath(folder), "mutant")
        ref = FileRef(str(path), os.fsencode(path), 0, 0)
        for number, kind, origin, data in mutants(seeds, numbers, seed):
            path.write_bytes(data)
            asked = sandbox.drawing(1 + number % LAST_DRAWN) if way.draws else contextlib.nullcontext()
            with asked:
                _try(ref, sandbox, f"mutant {number} of {origin.name}", kind, findings)
            if findings.mutants >= REPORT_EVERY:
                results.put(findings)
                findings = Findings()
        path.write_bytes(b"an honest file")
        (document,) = examine(ref, sandbox)
        if (document.status, document.text) != (Status.COMPLETE, "an honest file"):
            findings.broken.append("the sandbox does not work any more")
    results.put(findings)


def _passwords_file(folder: str) -> str:
    """With the password of the samples, so that what is behind their locks is broken too."""
    path = Path(folder, "passwords")
    path.touch(0o600)
    path.write_text("sesame\n")
    return str(path)


def _try(ref: FileRef, sandbox: Sandbox, label: str, kind: str, findings: Findings) -> None:
    started = time.perf_counter()
    try:
        documents = list(examine(ref, sandbox))
        findings.drawn += pixels_of(documents[-1].text) is not None
    except Exception as error:
        findings.broken.append(f"{label}: the parent raised {type(error).__name__}")
        return
    findings.slowest = sorted([*findings.slowest, (time.perf_counter() - started, label)], reverse=True)[:SLOWEST]
    findings.mutants += 1
    wrong = check(documents, ref.uri)
    if wrong:
        findings.broken.append(f"{label}: {wrong}")
        return
    findings.by_status[kind, documents[-1].status.value] += 1
    for document in documents:
        if document.reason.startswith("crashed"):
            findings.crashes[kind, document.reason] += 1
        elif document.reason.startswith("timed out"):
            findings.time_outs[kind] += 1


def run(seeds: dict[str, list[Path]], count: int, seed: int, workers: int, way: Way) -> Findings:
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    slices = [range(worker, count, workers) for worker in range(workers)]
    processes = [context.Process(target=work, args=(seeds, numbers, seed, way, results)) for numbers in slices]
    for process in processes:
        process.start()
    total, ended, started = Findings(), 0, time.perf_counter()
    while ended < workers:
        findings = results.get()
        if findings is None:
            ended += 1
            continue
        total.add(findings)
        speed = total.mutants / (time.perf_counter() - started)
        print(
            f"{total.mutants:,} of {count:,} mutants, {speed:.0f} a second, {len(total.broken)} broken promises",
            file=sys.stderr,
        )
    for process in processes:
        process.join()
    return total


def report(findings: Findings) -> None:
    statuses = [
        status.value for status in Status if any(by_suffix == status.value for _, by_suffix in findings.by_status)
    ]
    print(f"{'format':<12}" + "".join(f"{status:>12}" for status in statuses))
    for kind in sorted({kind for kind, _ in findings.by_status}):
        print(f"{kind:<12}" + "".join(f"{findings.by_status[kind, status]:>12,}" for status in statuses))
    print(
        f"{'all':<12}"
        + "".join(
            f"{sum(n for (_, by_suffix), n in findings.by_status.items() if by_suffix == s):>12,}" for s in statuses
        )
    )
    print("slowest:", *(f"  {seconds:6.2f} s  {label}" for seconds, label in findings.slowest), sep="\n")
    print("crashes of the parser, contained:", sum(findings.crashes.values()))
    for (kind, how), number in findings.crashes.most_common():
        print(f"  {number:>5,}  {kind}  {how}")
    if findings.drawn:
        print("drawn:", findings.drawn)
    print("time-outs:", sum(findings.time_outs.values()), dict(findings.time_outs))
    print("broken promises:", len(findings.broken), *findings.broken[:50], sep="\n  ")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mutants", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--data", type=Path, action="append", default=[], help="further files to start from; repeatable"
    )
    parser.add_argument("--kind", action="append", help="only files with this ending, such as .chm; repeatable")
    parser.add_argument("--ocr", action="store_true", help="read letters in pictures as well, which is slow")
    parser.add_argument("--draw", action="store_true", help="draw a page or picture instead of reading its text")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as made:
        make_share(Path(made, "share"), files=200, seed=arguments.seed)
        write_cases(data_files(), Path(made, "data files"))
        if arguments.ocr or arguments.draw:
            write_cases(picture_cases(), Path(made, "pictures"))
        folders = [Path(made, name) for name in ("share", "data files", "pictures")]
        seeds = seeds_of([SAMPLES, *folders, *arguments.data])
        if arguments.kind:
            if unknown := set(arguments.kind) - seeds.keys():
                parser.error(f"no files to start from: {', '.join(sorted(unknown))}; there are {', '.join(seeds)}")
            seeds = {kind: seeds[kind] for kind in arguments.kind}
        print(
            f"{sum(len(paths) for paths in seeds.values()):,} files of {len(seeds)} kinds to start from",
            file=sys.stderr,
        )
        findings = run(seeds, arguments.mutants, arguments.seed, arguments.workers, Way(arguments.ocr, arguments.draw))
    report(findings)
    raise SystemExit(bool(findings.broken) or findings.mutants != arguments.mutants)


if __name__ == "__main__":
    main()
