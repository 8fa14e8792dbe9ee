"""Events -> lines of a file, each on the disk before what it announces, and each chained to all before it.

The journal is also the audit log: one file that says who did what, so that the two cannot disagree.
"""

import fcntl
import hashlib
import hmac
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.atomic import PRIVATE, write_atomically
from core.errors import RemediationError

START = "0" * 64
_NAME, _HEAD, _LOCK = "journal.jsonl", "journal.head", "lock"
_PURPOSE = b"leakscreen journal of actions"


@dataclass(frozen=True, slots=True)
class Entry:
    number: int
    at: str
    who: str
    event: str
    id: str
    facts: dict[str, Any]
    previous: str
    hash: str


@dataclass(frozen=True, slots=True)
class Fault:
    number: int
    what: str


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """One process at a time; a process that dies lets go."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE)
    except OSError as error:
        raise RemediationError(f"{folder}: cannot be used: {(error.strerror or '').lower()}; see act.folder") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise RemediationError(f"{folder}: another `leakscreen act` is at work; wait for its end") from None
    try:
        yield
    finally:
        os.close(descriptor)


def has_journal(folder: Path) -> bool:
    return (folder / _NAME).exists()


@dataclass(slots=True)
class Journal:
    folder: Path
    key: bytes
    entries: list[Entry] = field(default_factory=list)

    @classmethod
    def open(cls, folder: Path, vault_key: bytes) -> "Journal":
        """Refuses a journal in which anything was changed: what it says decides what happens to files."""
        journal = cls.keyed(folder, vault_key)
        faults = journal.load()
        if faults:
            raise RemediationError(
                f"{journal.path}: entry {faults[0].number} {faults[0].what}; nothing was done."
                " `leakscreen act verify` lists every fault; restore the journal from a copy"
            )
        return journal

    @classmethod
    def keyed(cls, folder: Path, vault_key: bytes) -> "Journal":
        """Not yet read."""
        return cls(folder, hmac.digest(vault_key, _PURPOSE, "sha256"))

    @property
    def path(self) -> Path:
        return self.folder / _NAME

    def load(self) -> list[Fault]:
        """Reads all entries; every fault: edited, missing, reordered, or cut off at the end."""
        self.entries, faults, last = [], [], START
        for number, line in enumerate(self._lines(), 1):
            entry = _parsed(line)
            if entry is None:
                faults.append(Fault(number, "cannot be read"))
                continue
            if entry.number != number or entry.previous != last:
                faults.append(Fault(number, "does not follow the entry before it: one was removed, moved or replaced"))
            if not hmac.compare_digest(entry.hash, self._hash(entry)):
                faults.append(Fault(number, "was edited, or written with another key"))
            last = entry.hash
            self.entries.append(entry)
        return faults + self._faults_of_head()

    def append(self, who: str, event: str, id: str, facts: dict[str, Any] | None = None) -> Entry:
        """Returns when the entry is on the disk."""
        last = self.entries[-1] if self.entries else None
        blank = Entry(
            number=last.number + 1 if last else 1,
            at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            who=who,
            event=event,
            id=id,
            facts=facts or {},
            previous=last.hash if last else START,
            hash="",
        )
        entry = Entry(**{**_fields(blank), "hash": self._hash(blank)})
        try:
            self._write(entry)
        except OSError as error:
            raise RemediationError(
                f"{self.path}: cannot be written: {(error.strerror or '').lower()}; make room, then run"
                " `leakscreen act --resume`"
            ) from None
        return entry

    def _write(self, entry: Entry) -> None:
        new = not self.path.exists()
        descriptor = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, PRIVATE)
        with os.fdopen(descriptor, "ab") as file:
            _drop_torn_end(descriptor)
            file.write(_canonical(_fields(entry)).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        if new:
            sync_folder(self.folder)
        self.entries.append(entry)
        write_atomically(self.folder / _HEAD, f"{entry.number} {entry.hash}\n".encode())

    def _lines(self) -> Iterator[bytes]:
        """An append that was cut off by a crash has no line break, and announced nothing yet: it does not count."""
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            return
        except OSError as error:
            raise RemediationError(f"{self.path}: cannot be read: {(error.strerror or '').lower()}") from None
        yield from content[: content.rfind(b"\n") + 1].splitlines()

    def _faults_of_head(self) -> list[Fault]:
        """The head may be one entry behind, as it is written after the entry; never ahead."""
        try:
            number, recorded = (self.folder / _HEAD).read_text(encoding="ascii").split()
        except FileNotFoundError:
            return [Fault(len(self.entries), "is the last, and the head of the journal is missing")] * (
                len(self.entries) > 1
            )
        except (OSError, ValueError):
            return [Fault(len(self.entries), "is the last, and the head of the journal cannot be read")]
        if int(number) > len(self.entries):
            return [Fault(len(self.entries), f"is the last, but there were {number}: the end was cut off")]
        if self.entries and self.entries[int(number) - 1].hash != recorded:
            return [Fault(int(number), "is not the entry that was recorded as the head")]
        return []

    def _hash(self, entry: Entry) -> str:
        parts = [entry.number, entry.at, entry.who, entry.event, entry.id, entry.facts, entry.previous]
        return hmac.new(self.key, _canonical(parts).encode(), hashlib.sha256).hexdigest()


def sync_folder(folder: Path | int) -> None:
    """So that names in it survive a power failure."""
    if isinstance(folder, int):  # may be a descriptor that cannot be synced itself
        descriptor = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=folder)
    else:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _drop_torn_end(descriptor: int) -> None:
    size = os.fstat(descriptor).st_size
    if size and os.pread(descriptor, 1, size - 1) != b"\n":
        os.truncate(descriptor, os.pread(descriptor, size, 0).rfind(b"\n") + 1)


def _fields(entry: Entry) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in Entry.__slots__}


def _parsed(line: bytes) -> Entry | None:
    try:
        return Entry(**json.loads(line))
    except (TypeError, ValueError):
        return None


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
