"""A file -> how many letters other extractors find in it, where they are at hand."""

import multiprocessing
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SECONDS = 20


def letters(text: str) -> int:
    return sum(map(str.isalnum, text))


def best_letters(path: Path, media_type: str) -> int | None:
    """The most that any of them found; None where there is none for such a file."""
    found = [*_expected(path)]
    if media_type == "application/pdf":
        found += [*_pdftotext(path), *_pdfminer(path)]
    return max(found, default=None)


def _expected(path: Path) -> Iterator[int]:
    """A text of the same name beside a file is what it must yield, as in the test sets of extractors."""
    for candidate in {path.with_suffix(".txt"), *path.parent.glob(f"{_escaped(path.stem)}-m=*.txt")}:
        if path.suffix != ".txt" and candidate.is_file():
            yield letters(candidate.read_text(encoding="utf-8", errors="replace"))


def _escaped(name: str) -> str:
    return "".join(f"[{sign}]" if sign in "*?[" else sign for sign in name)


def _pdftotext(path: Path) -> Iterator[int]:
    if shutil.which("pdftotext"):
        try:
            done = subprocess.run(["pdftotext", "-q", path, "-"], capture_output=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return
        yield letters(done.stdout.decode("utf-8", "replace"))


def _pdfminer(path: Path) -> Iterator[int]:
    """In a process of its own, since it can take very long."""
    context = multiprocessing.get_context("spawn")
    reading, writing = context.Pipe(duplex=False)
    process = context.Process(target=_mine, args=(str(path), writing), daemon=True)
    process.start()
    writing.close()
    try:
        if reading.poll(SECONDS):
            yield int(reading.recv())
    except EOFError:
        return
    finally:
        process.kill()
        process.join()


def _mine(path: str, writing: Any) -> None:
    import logging

    from pdfminer.high_level import extract_text

    logging.disable()
    try:
        found = letters(extract_text(path))
    except Exception:
        found = 0
    writing.send(found)
