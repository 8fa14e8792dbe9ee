"""One run of a schedule -> the commands scan, refer and notify, each in a child process that ends with this one."""

import contextlib
import ctypes
import json
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from leakscreen.schedules.table import Schedule
from pipelines.sources.sources import display_name

SCAN, REFER, NOTIFY = "scan", "refer", "notify"
_DONE = {SCAN: (0, 3), REFER: (0,), NOTIFY: (0, 3)}
_LONGEST = 500
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG


@dataclass(frozen=True, slots=True)
class Progress:
    """What an earlier, interrupted attempt has already done."""

    steps: tuple[str, ...] = ()
    folder: str = ""
    unfinished: str = ""  # folder of a scan to resume


class StepFailedError(Exception):
    def __init__(self, step: str, what: str) -> None:
        super().__init__(f"{step}: {what}")
        self.step, self.what = step, what


Note = Callable[[str, str, dict[str, Any]], None]


class Commands:
    """Runs the commands with the settings that this process was settings."""

    def __init__(self, config: Path | None, flags: Sequence[str], lock: int) -> None:
        self._lock = lock
        self._common = [
            *(("--config", str(config)) if config else ()),
            *(word for flag in flags for word in ("--set", flag)),
        ]
        self._child: subprocess.Popen[str] | None = None

    def run(self, schedule: Schedule, progress: Progress, note: Note) -> None:
        """Notes each step with its answer as soon as it is done; StepFailedError names the one that failed."""
        folder = progress.folder
        for step in planned(schedule):
            if step in progress.steps:
                continue
            answer = self._run(step, self.words(step, schedule, folder, progress.unfinished))
            folder = answer.get("folder", folder)
            note(step, folder, _counts(answer))

    def words(self, step: str, schedule: Schedule, folder: str, unfinished: str = "") -> list[str]:
        settings = schedule.settings
        own = [word for entry in settings.settings for word in ("--set", entry)]
        if step == SCAN and unfinished:
            return ["scan", "--resume", "--out", unfinished, "--json", "--quiet", *self._common, *own]
        if step == SCAN:
            rules = [word for file in settings.rules for word in ("--rules", file)]
            return [
                "scan",
                "--out",
                schedule.out,
                "--json",
                "--quiet",
                *self._common,
                *own,
                *rules,
                "--",
                *settings.sources,
            ]
        return [step, *([folder] if step == REFER else []), "--json", *self._common]

    def stop(self) -> None:
        if self._child is not None:
            with contextlib.suppress(ProcessLookupError):
                self._child.terminate()
            try:
                self._child.wait(10)
            except subprocess.TimeoutExpired:
                self._child.kill()
                self._child.wait()

    def _run(self, step: str, words: list[str]) -> dict[str, Any]:
        command = [sys.executable, "-m", "leakscreen", *words]
        how: dict[str, Any] = {
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "text": True,
        }
        with subprocess.Popen(
            command, **how, errors="replace", pass_fds=(self._lock,), preexec_fn=_die_with_parent
        ) as child:
            self._child = child
            try:
                out, err = child.communicate()
            except BaseException:
                self.stop()
                raise
            finally:
                self._child = None
        if child.returncode not in _DONE[step]:
            raise StepFailedError(step, _last_words(err) or f"ended with {child.returncode}")
        try:
            answer = json.loads(out)
        except ValueError:
            raise StepFailedError(step, "printed no JSON document") from None
        return dict(answer) if isinstance(answer, dict) else {}


def planned(schedule: Schedule) -> list[str]:
    settings = schedule.settings
    return [
        SCAN,
        *([REFER] if settings.refer else []),
        *([NOTIFY] if settings.notify and schedule.can_notify else []),
    ]


def unfinished_scan(schedule: Schedule, since: str) -> str:
    """The folder of an unfinished scan of these sources that began after `since`; local folders only."""
    wanted = [display_name(source) for source in schedule.settings.sources]
    unfinished = ""
    for folder in sorted(Path(schedule.out).glob("scan=*")) if "://" not in schedule.out else ():
        try:
            manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if (
            not (folder / "summary.json").exists()
            and manifest.get("sources") == wanted
            and manifest.get("started", "") >= since
        ):
            unfinished = str(folder)
    return unfinished


def _counts(answer: dict[str, Any]) -> dict[str, Any]:
    """What the history keeps of a step: its top-level counts, and no file names."""
    return {key: value for key, value in answer.items() if isinstance(value, int) and not isinstance(value, bool)}


def _last_words(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:_LONGEST] if lines else ""


def _die_with_parent() -> None:
    ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
