"""`leakscreen doctor --service`: the settings of an installation -> what its service needs, each tried for real.

It changes nothing: no key, table or folder is created, and no mail is sent.
"""

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from core.errors import LeakscreenError
from core.paths import data_folder
from core.settings import Settings
from leakscreen.schedules.decisions import next_start
from leakscreen.schedules.history import FAILED, History
from leakscreen.schedules.table import Schedule, schedules_of

OK, WARNING, FAULT, OFF = "ok", "warning", "fault", "off"
_LEAST_BYTES, _FEW_BYTES = 200_000_000, 2_000_000_000
_CLOCK_SECONDS = 5.0  # further apart, a file that changed may look as if it had not
_HISTORY = "history.jsonl"


@dataclass(frozen=True, slots=True)
class Check:
    name: str
    state: str
    found: str
    remedy: str = ""


def check_service(settings: Settings, state: Path | None = None) -> tuple[Check, ...]:
    """`state` is the scheduler's folder."""
    checks: list[Check] = []
    for name, look in (
        ("keys", lambda: _keys(settings)),
        ("database", lambda: _database(settings)),
        ("address", lambda: _address(settings)),
        ("mail", lambda: _mail(settings)),
        ("webhook", lambda: _webhook(settings)),
        ("schedules", lambda: _schedules(settings, state)),
        ("disk", lambda: _disk(settings)),
        ("clock", lambda: _clock(settings)),
    ):
        checks += _tried(name, look)
    return tuple(checks)


def _tried(name: str, look: Callable[[], Iterator[Check]]) -> Iterator[Check]:
    try:
        yield from look()
    except LeakscreenError as error:
        yield Check(name, FAULT, str(error))
    except OSError as error:
        yield Check(name, FAULT, f"{error.filename or name}: {error.strerror or error}")


def _keys(settings: Settings) -> Iterator[Check]:
    from review.service.key import KEY_IN_ENV as SERVICE_KEY
    from review.service.key import load_service_key
    from screening.privacy.key import KEY_IN_ENV, default_key_file, fingerprint, load_key

    files = {
        KEY_IN_ENV: Path(settings.privacy.key_file or default_key_file()).expanduser(),
        SERVICE_KEY: Path(settings.review.key_file or default_key_file().with_name("review.key")).expanduser(),
    }
    for name, file in files.items():
        if name not in os.environ and not file.exists():
            yield Check("keys", FAULT, f"{name} is not set, and {file} does not exist", "restore it, or set a new one")
        elif name == SERVICE_KEY:
            load_service_key(str(file))
            yield Check("keys", OK, f"{name} can be used")
        else:
            used = fingerprint(load_key(str(file)))
            yield from _key_of_results(settings, name, used)


def _key_of_results(settings: Settings, name: str, used: str) -> Iterator[Check]:
    for out, manifest in _newest_scans(settings):
        if manifest["hmac_key"]["fingerprint"] != used:
            yield Check(
                "keys",
                FAULT,
                f"{name} is another key than that of the newest scan in {out}",
                "set the key of that scan: docs/operations.md says what a new one costs",
            )
            return
    yield Check("keys", OK, f"{name} can be used, and is that of the newest scans")


def _database(settings: Settings) -> Iterator[Check]:
    _configure(settings)
    from django.db import DatabaseError, connection
    from django.db.migrations.executor import MigrationExecutor

    place = settings.review.database or f"sqlite:///{connection.settings_dict['NAME']}"
    if connection.vendor == "sqlite" and not Path(connection.settings_dict["NAME"]).exists():
        yield Check("database", FAULT, f"{place} does not exist", "`leakscreen serve` or `refer` creates it")
        return
    try:
        loader = MigrationExecutor(connection).loader
        missing = {key for key in loader.disk_migrations if key[0] == "review"} - set(loader.applied_migrations)
        newer = {key for key in loader.applied_migrations if key[0] == "review"} - set(loader.disk_migrations)
    except DatabaseError as error:
        why = str(error).strip().splitlines()[0]
        yield Check("database", FAULT, f"{place} does not answer: {why}", "start it; see review.database")
        return
    if newer:
        names = ", ".join(sorted(name for _, name in newer))
        yield Check("database", FAULT, f"a newer version changed it: {names}", "run that version, or restore a backup")
    elif missing:
        names = ", ".join(sorted(name for _, name in missing))
        yield Check("database", FAULT, f"its tables lack {names}", "start `leakscreen serve`: it updates them")
    else:
        yield Check("database", OK, f"{place} answers, and its tables are those of this version")
        yield from _managers()


def _managers() -> Iterator[Check]:
    from django.contrib.auth import get_user_model

    from review.accounts.roles import Role

    for role in (Role.MANAGER, Role.REVIEWER):
        if not get_user_model().objects.filter(is_active=True, groups__name=role).exists():
            yield Check("database", WARNING, f"nobody has the role {role.value}", "a manager gives roles on /people")


def _address(settings: Settings) -> Iterator[Check]:
    review = settings.review
    if not review.url:
        yield Check("address", OFF, "review.url is not set: pages are for this machine alone")
    elif review.url.startswith("https://") and not review.proxy:
        found = f"{review.url}: review.proxy is not set, so every page redirects to itself"
        yield Check("address", FAULT, found, "name the address of the TLS proxy, or * where nobody else can connect")
    else:
        yield Check("address", OK, f"{review.url}{' behind a TLS proxy' if review.proxy else ''}")


def _mail(settings: Settings) -> Iterator[Check]:
    if not settings.mail.host:
        yield Check("mail", OFF, "mail.host is not set: no digest is sent")
        return
    from review.notify.mail import MailServer

    fault = MailServer(settings.mail).check()
    place = f"{settings.mail.host}:{settings.mail.port}"
    if fault:
        yield Check("mail", FAULT, fault, "`leakscreen notify --dry-run` shows what waits")
    else:
        yield Check(
            "mail", OK, f"{place} answers{' and takes the log-in' if settings.mail.user else ''}; nothing was sent"
        )
    if not settings.review.url:
        yield Check("mail", FAULT, "review.url is not set: digests need it for their links", "set it")


def _webhook(settings: Settings) -> Iterator[Check]:
    if not settings.webhook.url:
        yield Check("webhook", OFF, "webhook.url is not set")
        return
    from review.notify.channels import configured_channels

    for channel in configured_channels(settings):
        if channel.enabled_by == "webhook.url":
            channel.sender(settings, os.environ).close()
            yield Check("webhook", OK, "address and secret can be used; nothing was sent")


def _schedules(settings: Settings, state: Path | None) -> Iterator[Check]:
    if not settings.schedule:
        yield Check("schedules", OFF, "there is no [[schedule]] table")
        return
    history = History((state or data_folder() / "schedules") / _HISTORY)
    now = datetime.now(UTC)
    for schedule in schedules_of(settings):
        faults = list(_faults_of(schedule))
        recorded = history.schedules.get(schedule.name)
        last = recorded.last if recorded else None
        if last is not None and last.end == FAILED:
            faults.append(f"its last run failed: {last.what}")
        coming = next_start(schedule, now).astimezone(schedule.times.zone).isoformat(timespec="minutes")
        told = "; ".join(faults) or ("its last run is fine" if last else "it has not run yet")
        yield Check("schedules", FAULT if faults else OK, f"{schedule.name}: {told}; next {coming}")


def _faults_of(schedule: Schedule) -> Iterator[str]:
    for source in schedule.settings.sources:
        if "://" not in source and not os.access(source, os.R_OK):
            yield f"{source} is not there or cannot be read"
    if "://" not in schedule.out and not os.access(_existing(Path(schedule.out)), os.W_OK):
        yield f"{schedule.out} cannot be written"


def _disk(settings: Settings) -> Iterator[Check]:
    places = {_existing(Path(out)): "results" for out in _outs(settings)}
    places.setdefault(Path(tempfile.gettempdir()), "temporary files")
    if not settings.review.database:
        places.setdefault(_existing(data_folder()), "database")
    for place, use in places.items():
        free = shutil.disk_usage(place).free
        state = FAULT if free < _LEAST_BYTES else WARNING if free < _FEW_BYTES else OK
        remedy = "" if state == OK else "make room; a scan that finds none stops and can be resumed"
        yield Check("disk", state, f"{place} ({use}): {free / 1e9:.1f} GB free", remedy)


def _clock(settings: Settings) -> Iterator[Check]:
    """Against the database, the file server of the results, and the newest scan."""
    now = datetime.now(UTC)
    for out, manifest in _newest_scans(settings):
        if datetime.fromisoformat(manifest["started"]) > now:
            yield Check("clock", FAULT, f"the newest scan in {out} began in the future", "set the clock right")
    for out in _outs(settings):
        folder = _existing(Path(out))
        if os.access(folder, os.W_OK):
            with tempfile.TemporaryFile(dir=folder) as probe:
                os.write(probe.fileno(), b"-")
                apart = abs(os.fstat(probe.fileno()).st_mtime - datetime.now(UTC).timestamp())
            yield _compared(f"the file system of {folder}", apart)
    apart_from_database = _database_clock(settings)
    if apart_from_database is not None:
        yield _compared("the database", apart_from_database)


def _compared(other: str, apart: float) -> Check:
    if apart > _CLOCK_SECONDS:
        return Check("clock", FAULT, f"{apart:.0f} s apart from that of {other}", "synchronise both (NTP)")
    return Check("clock", OK, f"agrees with that of {other}")


def _database_clock(settings: Settings) -> float | None:
    _configure(settings)
    from django.db import DatabaseError, connection

    if connection.vendor == "sqlite":
        return None
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT extract(epoch FROM clock_timestamp())")
            return abs(float(cursor.fetchone()[0]) - datetime.now(UTC).timestamp())
    except DatabaseError:
        return None  # said above


def _configure(settings: Settings) -> None:
    """Without the service's key a passing one: `_keys` reports it, and the database can be looked at all the same."""
    from review.service.configuration import configure
    from review.service.key import KEY_IN_ENV
    from screening.privacy.key import default_key_file

    file = Path(settings.review.key_file or default_key_file().with_name("review.key")).expanduser()
    has_key = KEY_IN_ENV in os.environ or file.exists()
    configure(settings, os.environ if has_key else {**os.environ, KEY_IN_ENV: os.urandom(32).hex()})


def _outs(settings: Settings) -> list[str]:
    """Local folders of results."""
    outs = [table.out or settings.scan.out for table in settings.schedule] or [settings.scan.out]
    return [out for out in dict.fromkeys(outs) if "://" not in out]


def _newest_scans(settings: Settings) -> Iterator[tuple[str, dict[str, Any]]]:
    from pipelines.results.folder import open_scan

    for out in _outs(settings):
        if any(Path(out).glob("scan=*/manifest.json")):
            yield out, open_scan(out).read_manifest()


def _existing(path: Path) -> Path:
    """The folder, or the one above it that exists."""
    path = path.absolute()
    while not path.exists():
        path = path.parent
    return path
