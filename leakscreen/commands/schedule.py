"""`leakscreen schedule`: the schedules of the settings -> runs at their times, a list of what comes next, or the history."""

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
from core.settings import load_settings
from leakscreen.commands.settings import load_and_configure_log
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
    """Until it is told to stop; or, with `once` or `only`, until what is due, or that one, is done."""
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
            scheduler = Scheduler(schedules, history, SystemClock(), commands, _tell)
            scheduler.recover()
            if only is not None:
                scheduler.start(Ready(schedules[0], datetime.now(UTC), 1))
            elif once:
                if not scheduler.tick():
                    now = datetime.now(UTC)
                    coming = min(schedules, key=lambda each: next_start(each, now))
                    _tell(f"nothing is due; next is {coming.name}, {next_start(coming, now):%Y-%m-%d %H:%M} UTC")
            else:
                _tell(f"{len(schedules)} schedules; stop it with Ctrl-C")
                scheduler.forever()
    except HeldError as held:
        if not once:
            raise
        _tell(str(held))  # whoever holds it does what is due
        return DONE
    except KeyboardInterrupt:
        _tell("stopped")
        return DONE
    return FAILED if scheduler.failed else DONE


def show(state: Path | None, flags: dict[str, Any], config: Path | None, as_json: bool) -> None:
    """What comes next, and how the last run ended."""
    now = datetime.now(UTC)
    listed = []
    history = History((state or data_folder() / "schedules") / _HISTORY)
    for each in schedules_of(load_settings(flags, config=config)):
        known = history.schedules.get(each.name)
        last = known.last if known else None
        listed.append(
            {
                "name": each.name,
                "cron": each.times.cron,
                "timezone": each.times.zone.key,
                "next": next_start(each, now).astimezone(each.times.zone).isoformat(timespec="minutes"),
                "last_started": last.started.isoformat(timespec="seconds") if last else None,
                "last_end": (last.end or "running, or cut off") if last else None,
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
    """What would be run at this moment; nothing is written."""
    now = datetime.now(UTC)
    history = History((state or data_folder() / "schedules") / _HISTORY)
    commands = Commands(config.absolute() if config else None, sets, lock=-1)
    for each in schedules_of(load_settings(flags, config=config)):
        known = history.schedules.get(each.name)
        decision = decide(each, known.handled if known else now, now, history.busy())
        again = (
            known is not None
            and known.last is not None
            and known.last.end in ("", "interrupted")
            and each.settings.missed != "skip"
        )
        if decision.run is None and not again:
            print(
                f"{each.name}: nothing is due; next {next_start(each, now).astimezone(each.times.zone).isoformat(timespec='minutes')}"
            )
            continue
        print(f"{each.name}: {'was cut off' if decision.run is None else f'{decision.count} due'}; would run")
        for step in planned(each):
            print("    leakscreen " + shlex.join(commands.words(step, each, "SCAN")))


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
    for each in schedules:
        if each.name == name:
            return each
    raise SettingsError(f"--run {name}: no such schedule; there are {', '.join(each.name for each in schedules)}")


def _tell(text: str) -> None:
    log_event("schedule", text if logs_json() else f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {text}")


def _stop(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
