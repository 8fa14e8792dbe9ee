"""A file or a folder -> de-identified copies in another place, one outcome for each file."""

import os
import stat
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from core.atomic import write_atomically
from core.errors import OutputError, SourceError
from deidentification.deidentify import FAILED, UNREADABLE, WRITTEN, Deidentifier, Outcome
from extraction.opening.file_kinds import fault_of_mode
from extraction.opening.local import open_file


@dataclass(frozen=True, slots=True)
class Copied:
    source: Path
    target: Path | None
    outcome: Outcome


def copy_file(source: Path, out: Path, deidentifier: Deidentifier) -> Copied:
    """Whatever is at `out` stays as it is unless there is a copy that was checked."""
    return _copied(source, lambda: out, deidentifier)


def copy_tree(source: Path, out: Path, deidentifier: Deidentifier) -> Iterator[Copied]:
    """Reads the people of all files first, so that everybody has one name throughout."""
    files = sorted(_files(source))
    for path in files:
        data, _ = _read(path, deidentifier.most_bytes)
        if data:
            deidentifier.learn(data, path.name)
    taken: set[Path] = set()
    for path in files:
        yield _copied(path, partial(_target, path, source, out, deidentifier, taken), deidentifier)


def _copied(source: Path, target: Callable[[], Path], deidentifier: Deidentifier) -> Copied:
    data, fault = _read(source, deidentifier.most_bytes)
    if fault:
        return Copied(source, None, Outcome(UNREADABLE, fault))
    outcome, output = deidentifier.copy(data, source.name)
    if outcome.status != WRITTEN:
        return Copied(source, None, outcome)
    path = target()
    try:
        for folder in reversed(path.parents):
            if not folder.exists():
                folder.mkdir(mode=0o700)
        write_atomically(path, output)
    except OSError as error:
        why = (error.strerror or type(error).__name__).lower()
        return Copied(source, None, Outcome(FAILED, f"cannot be written: {why}", outcome.media_type))
    return Copied(source, path, outcome)


def _target(path: Path, source: Path, out: Path, deidentifier: Deidentifier, taken: set[Path]) -> Path:
    """Names of files and folders name people too; two that become the same are numbered."""
    parts = [deidentifier.name(part) for part in path.relative_to(source).parts]
    wanted = target = out.joinpath(*parts)
    number = 1
    while target in taken:
        number += 1
        target = wanted.with_name(f"{wanted.stem}-{number}{wanted.suffix}")
    taken.add(target)
    return target


def check_places(source: Path, out: Path) -> None:
    """Refuses places where a copy would meet its original, or something else."""
    if not source.is_dir():
        if out.is_dir():
            raise OutputError(f"{out}: is a folder; name the file to write")
        if out.exists() and out.samefile(source):
            raise OutputError(f"{out}: is the original; name another file")
        return
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise OutputError(f"{out}: is not an empty folder; copies are written only where nothing else is")
    real, real_out = source.resolve(), out.resolve()
    if real_out.is_relative_to(real):
        raise OutputError(f"{out}: lies within {source}; name a folder outside of it")


def _files(source: Path) -> Iterator[Path]:
    """Regular files, without following links; the rest is named by the outcome of opening it."""
    folders = [source]
    while folders:
        try:
            entries = list(os.scandir(folders.pop()))
        except OSError as error:
            raise SourceError(f"{error.filename}: cannot be listed: {(error.strerror or '').lower()}") from None
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                folders.append(Path(entry.path))
            else:
                yield Path(entry.path)


def _read(path: Path, most: int) -> tuple[bytes, str]:
    """All bytes, or why there are none; of a larger file one byte more than is taken."""
    try:
        descriptor = open_file(os.fsencode(path))
    except (OSError, ValueError) as error:
        return b"", (getattr(error, "strerror", None) or "impossible name").lower()
    with os.fdopen(descriptor, "rb") as file:
        mode = os.fstat(file.fileno()).st_mode
        if not stat.S_ISREG(mode):
            return b"", fault_of_mode(mode) or "not a regular file"
        try:
            return file.read(most + 1), ""
        except OSError as error:
            return b"", (error.strerror or "input/output error").lower()


def totals(copied: Sequence[Copied]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for one in copied:
        counts[one.outcome.status] = counts.get(one.outcome.status, 0) + 1
    return counts
