"""A folder of numbered files -> the version in use; adopting adds a version, going back names an older one."""

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from core.atomic import write_atomically
from core.errors import ModelError

NONE = 0  # what comes with leakscreen, and nothing learned
_HISTORY = "history.jsonl"
_SHARED = 0o666  # less the umask: whoever adopts a version need not be who scans with it


@dataclass(frozen=True, slots=True)
class Change:
    """One line of the history: from then on, this version was in use."""

    time: str
    action: str  # adopted or went back
    version: int
    sha256: str
    note: str


class Versions:
    """The history is the truth: its last line names the version in use."""

    def __init__(self, folder: Path, suffix: str) -> None:
        self._folder = folder
        self._suffix = suffix

    def history(self) -> list[Change]:
        try:
            lines = (self._folder / _HISTORY).read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise ModelError(f"{self._folder}: cannot be read: {error.strerror}") from None
        try:
            return [Change(**json.loads(line)) for line in lines if line.strip()]
        except (TypeError, ValueError):
            raise ModelError(f"{self._folder / _HISTORY}: not a history of versions; mend or move it") from None

    @property
    def in_use(self) -> int:
        history = self.history()
        return history[-1].version if history else NONE

    def current(self) -> Path | None:
        """The file in use, unchanged since it was adopted; None where nothing learned is."""
        history = self.history()
        if not history or history[-1].version == NONE:
            return None
        path = self.path(history[-1].version)
        try:
            content = path.read_bytes()
        except OSError as error:
            raise ModelError(
                f"{path}: the version in use cannot be read: {error.strerror}; go back to an earlier one"
            ) from None
        if hashlib.sha256(content).hexdigest() != history[-1].sha256:
            raise ModelError(f"{path}: changed since it was adopted; adopt it anew or go back to an earlier one")
        return path

    def path(self, version: int) -> Path:
        return self._folder / f"{version:04d}{self._suffix}"

    def adopt(self, content: bytes, note: str) -> Path:
        version = max((change.version for change in self.history()), default=NONE) + 1
        path = self.path(version)
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            write_atomically(path, content, _SHARED)
            self._append(Change(_now(), "adopted", version, hashlib.sha256(content).hexdigest(), note))
        except OSError as error:
            raise ModelError(f"{path}: cannot be written: {error.strerror}") from None
        return path

    def back(self) -> int:
        """To what was in use before the version that is; gives the number now in use."""
        history = self.history()
        if not history or history[-1].version == NONE:
            raise ModelError(f"{self._folder}: nothing learned is in use, so there is nothing to go back from")
        earlier = [change for change in history if change.action == "adopted" and change.version < history[-1].version]
        version, sha256 = (earlier[-1].version, earlier[-1].sha256) if earlier else (NONE, "")
        self._append(Change(_now(), "went back", version, sha256, ""))
        return version

    def _append(self, change: Change) -> None:
        with (self._folder / _HISTORY).open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(change)) + "\n")
            file.flush()
            os.fsync(file.fileno())


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
