"""A folder of real files -> how each ends, how many yield their text, and how fast, beside other extractors: `make corpus DATA=path`."""

import argparse
import os
import resource
import subprocess
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.second_opinions import best_letters, letters
from core.records import Document, FileRef, Status
from core.settings import LimitSettings, OcrSettings
from extraction.examine import examine_each
from extraction.sandbox import Sandbox

WITHOUT_TEXT = ("audio/", "video/", "font/")
HALF = 0.5


@dataclass(slots=True)
class Found:
    """What came of one file, its members included."""

    path: Path
    status: str = ""
    reason: str = ""
    media_type: str = ""
    letters: int = 0
    empty: bool = False  # holds no bytes at all


@dataclass(slots=True)
class Kind:
    files: int = 0
    with_text: int = 0
    letters: int = 0
    compared: int = 0
    at_least_half: int = 0
    statuses: Counter[str] = field(default_factory=Counter)


def files_below(folder: Path) -> list[Path]:
    return sorted(path for path in Path(os.path.realpath(folder)).rglob("*") if path.is_file() and not path.is_symlink())


def examine_all(paths: list[Path], ocr: bool) -> tuple[dict[str, Found], float]:
    """Every file through the sandbox; and the processor seconds of this process, the zygote and all parsers."""
    found = {str(path): Found(path, empty=not path.stat().st_size) for path in paths}
    refs = [FileRef(str(path), os.fsencode(path), path.stat().st_size, 0) for path in paths]
    before = _cpu()
    with Sandbox(LimitSettings(), ocr=OcrSettings(enabled="auto" if ocr else "off")) as sandbox:
        for document in examine_each(refs, sandbox):
            _take(found[document.ref.uri], document)
    return found, _cpu() - before


def _take(entry: Found, document: Document) -> None:
    entry.letters += letters(document.text)
    if document.container_uri is None:
        entry.status, entry.reason, entry.media_type = document.status.value, document.reason, document.media_type


def _cpu() -> float:
    """Children count once they have ended and their parent has."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def can_hold_text(entry: Found) -> bool:
    return not entry.empty and entry.status != Status.ENCRYPTED and not entry.media_type.startswith(WITHOUT_TEXT)


def by_kind(found: Iterable[Found], *, compare: bool) -> dict[str, Kind]:
    kinds: dict[str, Kind] = defaultdict(Kind)
    for entry in found:
        kind = kinds[entry.media_type]
        kind.files += 1
        kind.statuses[entry.status] += 1
        kind.with_text += entry.letters > 0
        kind.letters += entry.letters
        best = best_letters(entry.path, entry.media_type) if compare and can_hold_text(entry) else None
        if best:
            kind.compared += 1
            kind.at_least_half += entry.letters >= HALF * best
    return dict(sorted(kinds.items(), key=lambda item: -item[1].files))


def print_kinds(kinds: dict[str, Kind]) -> None:
    print(f"{'media type':<60}{'files':>6}{'text':>6}{'letters':>12}{'>= half':>10}  statuses")
    for name, kind in kinds.items():
        half = f"{kind.at_least_half}/{kind.compared}" if kind.compared else ""
        statuses = ", ".join(f"{status} {count}" for status, count in kind.statuses.most_common())
        print(f"{name[:59]:<60}{kind.files:>6}{kind.with_text:>6}{kind.letters:>12,}{half:>10}  {statuses}")


def run_tika(jar: Path, folder: Path) -> float:
    """Tika's own batch mode over the same folder; its processor seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as out:
        command = ["java", "-jar", str(jar), "-i", str(folder), "-o", out, "-t"]
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=3600)
        written = [path for path in Path(out).rglob("*") if path.is_file()]
        filled = sum(1 for path in written if path.read_bytes().strip())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"Tika wrote {len(written):,} texts, {filled:,} of them not empty")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--ocr", action="store_true", help="read letters in pictures as well, which is slow")
    parser.add_argument("--tika", type=Path, metavar="JAR", help="tika-app, to be measured on the same files")
    parser.add_argument("--no-second-opinion", action="store_true", help="do not ask other extractors")
    parser.add_argument("--empty", action="store_true", help="name the files that could hold text and yielded none")
    arguments = parser.parse_args()
    paths = files_below(arguments.folder)
    found, seconds = examine_all(paths, arguments.ocr)
    print_kinds(by_kind(found.values(), compare=not arguments.no_second_opinion))
    holding = [entry for entry in found.values() if can_hold_text(entry)]
    filled = sum(entry.letters > 0 for entry in holding)
    print(f"statuses: {dict(Counter(entry.status or 'NONE' for entry in found.values()).most_common())}")
    print(f"{filled:,} of {len(holding):,} files that may hold text yielded some ({filled / max(1, len(holding)):.1%})")
    print(f"{len(paths):,} files in {seconds:.1f} s of processor time: {len(paths) / seconds:.0f} a second")
    if arguments.empty:
        for entry in holding:
            if not entry.letters:
                print(f"  {entry.status:<12} {entry.media_type:<40} {entry.path}  {entry.reason}")
    if arguments.tika:
        tika = run_tika(arguments.tika, arguments.folder)
        print(f"Tika: {tika:.1f} s of processor time, {len(paths) / tika:.1f} files a second; ratio {tika / seconds:.1f}")
    raise SystemExit(any(not entry.status for entry in found.values()))


if __name__ == "__main__":
    main()
