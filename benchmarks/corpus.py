"""A folder of real files -> status, share of text extracted, and speed, per file type: `make corpus DATA=path`."""

import argparse
import json
import os
import resource
import time
from collections import Counter
from pathlib import Path

from benchmarks.coverage import Found, print_coverage, print_misses, print_others
from benchmarks.second_opinions import Opinions, TikaRun, ask_libreoffice, ask_programs, ask_tika, joined, letters
from core.records import Document, FileRef
from core.settings import LimitSettings, OcrSettings
from extraction.examine import examine_each
from extraction.sandbox import Sandbox


def files_below(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def examine_all(paths: list[Path], ocr: bool) -> tuple[dict[str, Found], float]:
    """Every file through the sandbox, and the CPU seconds of this process and all parsers, without the counting."""
    files = {str(path): Found(path) for path in paths}
    refs = [FileRef(str(path), os.fsencode(path), path.stat().st_size, 0) for path in paths]
    counting = 0.0
    before = _cpu()
    with Sandbox(LimitSettings(), ocr=OcrSettings(enabled="auto" if ocr else "off")) as sandbox:
        for document in examine_each(refs, sandbox):
            started = time.process_time()
            _take(files[document.ref.uri], document)
            counting += time.process_time() - started
    return files, _cpu() - before - counting


def _take(entry: Found, document: Document) -> None:
    entry.letters += letters(document.text)
    if document.container_uri is not None:  # others print the names of members among their text
        entry.letters += letters(document.uri.removeprefix(f"{document.container_uri}!"))
    else:
        entry.status, entry.reason, entry.media_type = document.status.value, document.reason, document.media_type


def _cpu() -> float:
    """Children count once they have ended and their parent has."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def opinions_of(paths: list[Path], folder: Path, arguments: argparse.Namespace) -> tuple[Opinions, TikaRun | None]:
    """What others found does not change while one mends one's own reader, so it can be kept: counts only, no text."""
    kept: Path | None = arguments.opinions
    if kept and kept.is_file():
        stored = json.loads(kept.read_text())
        tika = TikaRun({}, stored["tika_seconds"]) if stored["tika_seconds"] else None
        return {folder / name: counts for name, counts in stored["letters"].items()}, tika
    tika = ask_tika(arguments.tika, paths) if arguments.tika else None
    further = {"Tika": tika.letters} if tika else {}
    if arguments.libreoffice:
        further["LibreOffice"] = ask_libreoffice(paths)
    opinions = joined(ask_programs(paths), further)
    if kept:
        named = {str(path.relative_to(folder)): counts for path, counts in opinions.items()}
        kept.write_text(json.dumps({"tika_seconds": tika.seconds if tika else 0, "letters": named}))
    return opinions, tika


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--ocr", action="store_true", help="read letters in pictures as well, which is slow")
    parser.add_argument("--tika", type=Path, metavar="JAR", help="tika-app, to be measured on the same files")
    parser.add_argument(
        "--libreoffice", action="store_true", help="ask LibreOffice about written documents, which is slow"
    )
    parser.add_argument(
        "--opinions", type=Path, metavar="JSON", help="keep what others found in this file, and do not ask them again"
    )
    parser.add_argument("--no-second-opinion", action="store_true", help="do not ask other extractors")
    parser.add_argument(
        "--misses", action="store_true", help="name the files that yielded less than half of what another found"
    )
    arguments = parser.parse_args()
    folder = Path(os.path.realpath(arguments.folder))
    paths = files_below(folder)
    files, seconds = examine_all(paths, arguments.ocr)
    opinions, tika = ({}, None) if arguments.no_second_opinion else opinions_of(paths, folder, arguments)
    for entry in files.values():
        entry.others = opinions.get(entry.path, {})
    print_coverage(files.values())
    print_others([*files.values()])
    if arguments.misses:
        print_misses(files.values())
    print(f"statuses: {dict(Counter(entry.status or 'NONE' for entry in files.values()).most_common())}")
    print(f"{len(paths):,} files in {seconds:.1f} s of processor time: {len(paths) / seconds:.0f} a second")
    if tika:
        print(
            f"Tika: {tika.seconds:.1f} s, {len(paths) / tika.seconds:.1f} files a second; ratio "
            f"{tika.seconds / seconds:.1f}"
        )
    raise SystemExit(any(not entry.status for entry in files.values()))


if __name__ == "__main__":
    main()
