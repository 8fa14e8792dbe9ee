"""A source that a manager chooses in the browser -> the commands scan and refer, one after the other, and progress."""

import ctypes
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.paths import data_folder
from core.settings import Settings
from leakscreen.schedules.decisions import next_start
from leakscreen.schedules.history import History
from leakscreen.schedules.table import schedules_of
from review.scanning.desk import BusyError, Job, ScheduleLine

_DONE = {"scan": (0, 3), "refer": (0,)}
_LONGEST = 300
_PRCTL = ctypes.CDLL(None).prctl  # now: between fork and exec nothing may be loaded, because the service has threads
_PR_SET_PDEATHSIG = 1


class BrowserScans:
    """One scan at a time; it ends with the service."""

    def __init__(
        self, settings: Settings, config: Path | None, flags: Mapping[str, Any], sources: Sequence[str] = ()
    ) -> None:
        self._settings = settings
        self._own = tuple(sources)
        given = [f"{name}={value}" for name, value in flags.items() if value is not None]
        self._common = [
            *(("--config", str(config.absolute())) if config else ()),
            *(word for flag in given for word in ("--set", flag)),
        ]
        self._lock = threading.Lock()
        self._job: Job | None = None

    def sources(self) -> tuple[str, ...]:
        scheduled = (source for schedule in self._settings.schedule for source in schedule.sources)
        return tuple(dict.fromkeys((*self._own, *self._settings.review.sources, *scheduled)))

    def job(self) -> Job | None:
        return self._job

    def start(self, source: str, by: str) -> Job:
        with self._lock:
            if self._job is not None and self._job.runs:
                raise BusyError
            self._job = job = Job(source, by, datetime.now(UTC))
        threading.Thread(target=self._run, args=(source,), name="browser scan", daemon=True).start()
        return job

    def schedules(self) -> list[ScheduleLine]:
        if not self._settings.schedule:
            return []
        now, history = datetime.now(UTC), History(data_folder() / "schedules" / "history.jsonl")
        lines = []
        for schedule in schedules_of(self._settings):
            recorded = history.schedules.get(schedule.name)
            last = recorded.last if recorded else None
            lines.append(
                ScheduleLine(
                    schedule.name,
                    schedule.times.cron,
                    schedule.times.zone.key,
                    schedule.settings.sources,
                    (*schedule.settings.settings, *(f"rules {file}" for file in schedule.settings.rules)),
                    next_start(schedule, now),
                    last.started if last else None,
                    last.end if last else "",
                    (last.what if last else "").removeprefix("leakscreen: "),
                )
            )
        return lines

    def _run(self, source: str) -> None:
        try:
            scanned = self._command("scan", ["--out", self._settings.scan.out, "--", source])
            self._note(step="referring", files=int(scanned.get("files", 0)))
            taken = self._command("refer", [scanned["folder"]])
            self._note(step="done", referred=int(taken.get("new", 0)), ended=datetime.now(UTC))
        except Exception as error:
            words = str(error)[:_LONGEST] if isinstance(error, _FailedError) else type(error).__name__
            self._note(step="failed", fault=words, ended=datetime.now(UTC))

    def _command(self, name: str, words: list[str]) -> dict[str, Any]:
        """The command's answer; what it reports meanwhile is the job's progress."""
        command = [
            sys.executable,
            "-m",
            "leakscreen",
            name,
            "--json",
            *self._common,
            "--set",
            "log.format=json",
            *words,
        ]
        with subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            preexec_fn=_die_with_parent,
        ) as child:
            assert child.stdout is not None and child.stderr is not None
            answer: list[str] = []
            reading = threading.Thread(target=lambda: answer.append(child.stdout.read()))  # type: ignore[union-attr]
            reading.start()
            last = self._follow(child.stderr)
            reading.join()
        if child.returncode not in _DONE[name]:
            raise _FailedError(last.removeprefix("leakscreen: ") or f"{name} ended with {child.returncode}")
        return dict(json.loads(answer[0]))

    def _follow(self, lines: Iterable[str]) -> str:
        """The last words."""
        last = ""
        for line in lines:
            try:
                event = json.loads(line)
            except ValueError:
                last = line.strip() or last
                continue
            match event.get("event"):
                case "scan.planned":
                    self._note(step="scanning", planned=int(event["files"]))
                case "scan.progress":
                    self._note(files=int(event["files"]), screened_positive=int(event["screened_positive"]))
                case _:
                    last = str(event.get("message") or last)
        return last

    def _note(self, **changes: Any) -> None:
        with self._lock:
            if self._job is not None:
                self._job = replace(self._job, **changes)


def _die_with_parent() -> None:
    """With the thread that waits for it, so at the end of the service."""
    _PRCTL(_PR_SET_PDEATHSIG, signal.SIGKILL)


class _FailedError(Exception):
    """A command ended with a fault, which the message names."""
