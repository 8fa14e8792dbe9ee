"""What the scheduler did -> JSON lines that survive a crash, and those lines -> the state of each schedule."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from core.atomic import write_atomically
from core.errors import OutputError

SEEN, STARTED, STEP, FINISHED, FAILED, INTERRUPTED, SKIPPED = (
    "seen",
    "started",
    "step",
    "finished",
    "failed",
    "interrupted",
    "skipped",
)
ENDS = frozenset({FINISHED, FAILED, INTERRUPTED})
_KEPT = 10_000
_TRIM_AT = 20_000
_INTERVALS = 500


@dataclass(slots=True)
class RunState:
    """One run according to the history."""

    id: str
    name: str
    due: datetime
    started: datetime
    attempt: int
    ended: datetime | None = None
    end: str = ""
    what: str = ""
    folder: str = ""
    steps: list[str] = field(default_factory=list)


@dataclass(slots=True)
class ScheduleState:
    """The state of one schedule."""

    seen: datetime
    cron: str
    zone: str
    handled: datetime  # due moments up to this one are dealt with
    last: RunState | None = None


class History:
    """Each line is on disk before the work it describes continues; a line cut off by a crash is ignored."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.schedules: dict[str, ScheduleState] = {}
        self.runs: dict[str, RunState] = {}
        for event in self.events():
            self._apply(event)

    def events(self) -> Iterator[dict[str, Any]]:
        try:
            lines = self._path.read_text(encoding="utf-8", errors="replace").splitlines() if self._path.exists() else []
        except OSError as error:
            raise OutputError(f"{self._path}: the history cannot be read: {error.strerror}") from None
        for line in lines:
            try:
                event = json.loads(line)
                datetime.fromisoformat(event["at"])
            except (ValueError, TypeError, KeyError):
                continue
            yield event

    def add(self, event: str, at: datetime, **facts: Any) -> None:
        entry = {"at": at.isoformat(), "event": event, **facts}
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
            try:
                size = os.fstat(descriptor).st_size
                cut = size > 0 and os.pread(descriptor, 1, size - 1) != b"\n"
                os.write(descriptor, (b"\n" if cut else b"") + json.dumps(entry).encode() + b"\n")
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except OSError as error:
            raise OutputError(
                f"{self._path}: the history cannot be written: {error.strerror}; nothing runs without it"
            ) from None
        self._apply(entry)

    def trim(self) -> None:
        """Keeps the newest lines, and the last known form of each schedule."""
        events = list(self.events())
        if len(events) < _TRIM_AT:
            return
        seen = {event["name"]: event for event in events[:-_KEPT] if event["event"] == SEEN}
        kept = (*seen.values(), *events[-_KEPT:])
        write_atomically(self._path, "".join(json.dumps(event) + "\n" for event in kept).encode())

    def busy(self) -> list[RunState]:
        """Runs that ended without being interrupted, newest last."""
        return [
            run for run in list(self.runs.values())[-_INTERVALS:] if run.ended is not None and run.end != INTERRUPTED
        ]

    def _apply(self, event: dict[str, Any]) -> None:
        at, name, kind = datetime.fromisoformat(event["at"]), event.get("name", ""), event["event"]
        if kind == SEEN:
            last = self.schedules[name].last if name in self.schedules else None
            self.schedules[name] = ScheduleState(at, event["cron"], event["zone"], at, last)
            return
        state = self.schedules.get(name)
        if kind in (STARTED, SKIPPED) and state is not None:
            state.handled = max(state.handled, datetime.fromisoformat(event["due"]))
        if kind == STARTED:
            run = RunState(event["run"], name, datetime.fromisoformat(event["due"]), at, event.get("attempt", 1))
            run.steps, run.folder = list(event.get("steps", ())), event.get("folder", "")
            self.runs[run.id] = run
            if state is not None:
                state.last = run
        elif event.get("run") in self.runs:
            run = self.runs[event["run"]]
            if kind == STEP:
                run.steps.append(event["step"])
                run.folder = event.get("folder") or run.folder
            elif kind in ENDS:
                run.ended, run.end, run.what = at, kind, event.get("what", "")
