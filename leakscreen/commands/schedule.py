"""`leakscreen schedule`: the schedules of the settings -> runs at their times, a list of next runs, or the history."""

import json
import shlex
import signal
import time
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Any

from core.errors import SettingsError
from core.log import log_event, logs_json
from core.paths import data_folder
from core.settings import load_and_configure_log, load_settings
from leakscreen.schedules.decisions import decide, next_start
from leakscreen.schedules.history import History
from leakscreen.schedules.lock import HeldError, locked
from leakscreen.schedules.scheduler import Ready, Scheduler
from leakscreen.schedules.steps import Commands, planned
from leakscreen.schedules.table import Schedule, schedules_of

DONE, FAILED = 0, 2
_HISTORY = "history.jsonl"


class SystemClock:
    def now(self) -> datetime:
        return datetime.now(UTC)

    def wait(self, seconds: float) -> None:
        time.sleep(seconds)


def run(
    once: bool, only: str | None, state: Path | None, sets: list[str], flags: dict[str, Any], config: Path | None
) -> int:
    """Runs until it is stopped; with `once` until what is due is done, with `only` until that schedule is."""
    schedules = schedules_of(load_and_configure_log(flags, config))
    if only is not None:
        schedules = (_named(schedules, only),)
    folder = state or data_folder() / "schedules"
    signal.signal(signal.SIGTERM, _stop)
    try:
        with locked(folder) as lock:
            history = History(folder / _HISTORY)
            history.trim()
            commands = Commands(config.absolute() if config else None, sets, lock)
            scheduler = Scheduler(schedules, history, SystemClock(), commands, _log)
            scheduler.recover()
            if only is not None:
                scheduler.start(Ready(schedules[0], datetime.now(UTC), 1))
            elif once:
                if not scheduler.tick():
                    now = datetime.now(UTC)
                    coming = min(schedules, key=lambda schedule: next_start(schedule, now))
                    _log(f"nothing is due; next: {coming.name}, {next_start(coming, now):%Y-%m-%d %H:%M} UTC")
            else:
                _log(f"{len(schedules)} schedules; stop with Ctrl-C")
                scheduler.forever()
    except HeldError as held:
        if not once:
            raise
        _log(str(held))  # the process that holds it runs what is due
        return DONE
    except KeyboardInterrupt:
        _log("stopped")
        return DONE
    return FAILED if scheduler.failed else DONE


def show(state: Path | None, flags: dict[str, Any], config: Path | None, as_json: bool) -> None:
    """Shows when each schedule runs next, and how its last run ended."""
    now = datetime.now(UTC)
    listed = []
    history = History((state or data_folder() / "schedules") / _HISTORY)
    for schedule in schedules_of(load_settings(flags, config=config)):
        recorded = history.schedules.get(schedule.name)
        last = recorded.last if recorded else None
        listed.append(
            {
                "name": schedule.name,
                "cron": schedule.times.cron,
                "timezone": schedule.times.zone.key,
                "next": next_start(schedule, now).astimezone(schedule.times.zone).isoformat(timespec="minutes"),
                "last_started": last.started.isoformat(timespec="seconds") if last else None,
                "last_end": (last.end or "running or interrupted") if last else None,
                "last_what": last.what if last else None,
            }
        )
    if as_json:
        print(json.dumps({"schedules": listed}, indent=2))
        return
    for line in listed:
        ended = (
            f"; last run {line['last_started']}: {line['last_end']}" if line["last_started"] else "; has not run yet"
        )
        print(f"{line['name']}: next {line['next']} ({line['cron']}, {line['timezone']}){ended}")
        if line["last_what"]:
            print(f"    {line['last_what']}")


def dry_run(state: Path | None, sets: list[str], flags: dict[str, Any], config: Path | None) -> None:
    """Shows what would run now; writes nothing."""
    now = datetime.now(UTC)
    history = History((state or data_folder() / "schedules") / _HISTORY)
    commands = Commands(config.absolute() if config else None, sets, lock=-1)
    for schedule in schedules_of(load_settings(flags, config=config)):
        recorded = history.schedules.get(schedule.name)
        decision = decide(schedule, recorded.handled if recorded else now, now, history.busy())
        again = (
            recorded is not None
            and recorded.last is not None
            and recorded.last.end in ("", "interrupted")
            and schedule.settings.missed != "skip"
        )
        if decision.run is None and not again:
            coming = next_start(schedule, now).astimezone(schedule.times.zone).isoformat(timespec="minutes")
            print(f"{schedule.name}: nothing is due; next {coming}")
            continue
        print(f"{schedule.name}: {'was interrupted' if decision.run is None else f'{decision.count} due'}; would run")
        for step in planned(schedule):
            print("    leakscreen " + shlex.join(commands.words(step, schedule, "SCAN")))


def print_history(state: Path | None, count: int, as_json: bool) -> None:
    events = list(History((state or data_folder() / "schedules") / _HISTORY).events())[-count:]
    if as_json:
        print(json.dumps({"events": events}, indent=2))
        return
    for event in events:
        more = " ".join(
            f"{key}={value}" for key, value in event.items() if key not in ("at", "event", "name", "run") and value
        )
        print(f"{event['at'][:19]} {event.get('name', '')} {event['event']} {more}".rstrip())


def _named(schedules: tuple[Schedule, ...], name: str) -> Schedule:
    for schedule in schedules:
        if schedule.name == name:
            return schedule
    raise SettingsError(
        f"--run {name}: no such schedule; there are {', '.join(schedule.name for schedule in schedules)}"
    )


def _log(text: str) -> None:
    log_event("schedule", text if logs_json() else f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {text}")


def _stop(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
