"""Flags, environment, leakscreen.toml and defaults -> one validated Settings."""

import dataclasses
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.errors import SettingsError
from core.settings.field import setting
from core.settings.notify import MailSettings, ScheduleSettings, SyslogSettings, WebhookSettings
from core.settings.review import OidcSettings
from core.settings.service import LogSettings, MetricsSettings

ENV_PREFIX = "LEAKSCREEN_"
SECRETS_IN_ENV = frozenset(  # read where they are used, never part of Settings
    {
        "LEAKSCREEN_HMAC_KEY",
        "LEAKSCREEN_MAIL_PASSWORD",
        "LEAKSCREEN_METRICS_TOKEN",
        "LEAKSCREEN_WEBHOOK_SECRET",
        "LEAKSCREEN_SECRET_KEY",
        "LEAKSCREEN_OIDC_SECRET",
        "LEAKSCREEN_MANAGER",
        "LEAKSCREEN_MANAGER_PASSWORD",
        "LEAKSCREEN_MANAGER_PASSWORD_FILE",
    }
)
CONFIG_IN_ENV = "LEAKSCREEN_CONFIG"
DEFAULT_CONFIG = Path("leakscreen.toml")


@dataclass(frozen=True, slots=True)
class ScanSettings:
    out: str = setting("leakscreen-results", "folder (or Beam filesystem URI) under which `scan=<id>/` is written")
    runner: str = setting("local", "`local`, `flink`, or the name of any Beam runner")
    workers: int = setting(0, "worker processes of the local runner; 0 means one per core", low=0, high=1024)
    include: tuple[str, ...] = setting((), "globs: only files whose path below the source matches one are scanned")
    exclude: tuple[str, ...] = setting((), "globs: files and folders that match one are left out, and counted")
    sample: str = setting(
        "",
        "scan a random sample only: a share such as `1%`, or a number of files such as `5000`; empty means all files",
    )
    sample_by: str = setting(
        "none",
        "`folder`: the sample has files of every top folder of a source, also of small ones, and estimates weigh each folder by its share;"
        " `none`: every file has the same chance",
        choices=("none", "folder"),
    )
    seed: int = setting(20, "seed of the sample: the same seed draws the same files")
    access_lists: str = setting(
        "off",
        "`read`: ask for each local file's access control list as well, one to three calls a file; `off`: `access` tells of its mode alone",
        choices=("off", "read"),
    )
    unit_files: int = setting(100, "files in one work unit, at most", low=1, high=100_000)
    unit_bytes: int = setting(64_000_000, "bytes in one work unit, about", low=1)
    flink_master: str = setting("", "address of the job manager for `--runner flink`, such as `localhost:8081`")
    flink_jars: str = setting(
        ".flink-jars", "folder of Flink's job server, as `python -m deploy.flink.jars FOLDER` fills it"
    )
    beam: tuple[str, ...] = setting((), "options handed to Beam as they are, such as `parallelism=4`")


@dataclass(frozen=True, slots=True)
class LimitSettings:
    seconds: float = setting(120.0, "wall-clock seconds for one file, its members included", low=0.1)
    read_bytes: int = setting(100_000_000, "bytes read of one file; a text beyond it is read in windows", low=1)
    window_bytes: int = setting(16_000_000, "bytes of one window of such a text", low=65_536)
    streamed_bytes: int = setting(
        10_000_000_000,
        "bytes read of such a text, all its windows together, or of an archive or disk image that is named as a source",
        low=1,
    )
    expanded_bytes: int = setting(400_000_000, "bytes that one file may expand to, all its members together", low=1)
    expansion_ratio: int = setting(
        50, "times its own size beyond which a file that expands has little processor time left", low=1
    )
    expansion_seconds: float = setting(1.2, "processor seconds of a file that expands beyond that ratio", low=0.1)
    member_bytes: int = setting(64_000_000, "bytes of one member of a container", low=1)
    depth: int = setting(10, "containers within containers", low=0, high=100)
    members: int = setting(10_000, "members of one file, all depths together", low=0)
    memory_bytes: int = setting(2_000_000_000, "address space of a parser process", low=256_000_000)
    recycle_files: int = setting(1_000, "files after which a parser process is replaced", low=1)


@dataclass(frozen=True, slots=True)
class OcrSettings:
    enabled: str = setting(
        "auto",
        "`auto`: read pictures, and pages that are only pictures, where tesseract and its data are there; `off`: never",
        choices=("auto", "off"),
    )
    language: str = setting("eng", "language data of tesseract; several are joined by `+`, such as `eng+fra`")
    tessdata: str = setting("", "folder with the language data; empty means the packaged one, then those of the system")
    seconds: float = setting(
        20.0, "seconds for one picture; all pictures of a file share three quarters of `limits.seconds`", low=0.1
    )
    min_pixels: int = setting(10_000, "pixels below which a picture is too small for letters and is not read", low=0)
    max_pixels: int = setting(179_000_000, "pixels above which a picture is not opened", low=1)


@dataclass(frozen=True, slots=True)
class RuleSettings:
    files: tuple[str, ...] = setting((), "further rule files (TOML) beside the ones that come with leakscreen")
    disable: tuple[str, ...] = setting((), "ids of detectors and rules that are switched off")
    learned: str = setting(
        "", "folder of the prototypes adopted by `train prototypes`; empty means `~/.local/share/leakscreen/prototypes`"
    )
    threshold: float = setting(
        0.0,
        "score that a span must reach: lower finds more, higher errs less; 0 means the one of the rule files",
        low=0.0,
        high=1.0,
    )
    allow: tuple[str, ...] = setting(
        (), "allow lists (TOML): values by keyed hash and paths whose hits are counted apart"
    )
    evidence: int = setting(50, "pieces of evidence kept per file, at most", low=0, high=10_000)


@dataclass(frozen=True, slots=True)
class HealthSettings:
    model: str = setting(
        "",
        "health model file; empty means the one adopted by `train health`, or else the one that comes with leakscreen",
    )
    learned: str = setting(
        "", "folder of the models adopted by `train health`; empty means `~/.local/share/leakscreen/health`"
    )
    batch: int = setting(64, "documents classified together", low=1, high=10_000)


@dataclass(frozen=True, slots=True)
class PrivacySettings:
    key_file: str = setting(
        "", "file (mode 0600) with the HMAC key; empty means `~/.config/leakscreen/hmac.key`, made on first use"
    )
    sandbox: str = setting(
        "require",
        "`require`: refuse to scan where the kernel offers no sandbox; `allow-none`: scan all the same, and say so in the manifest",
        choices=("require", "allow-none"),
    )


@dataclass(frozen=True, slots=True)
class ReviewSettings:
    database: str = setting(
        "",
        "`sqlite:///path` or `postgresql://user@host/name`; empty means a SQLite file in `~/.local/share/leakscreen`. "
        "A password never stands here: PGPASSWORD or `~/.pgpass`",
    )
    host: str = setting("127.0.0.1", "address that the service listens on")
    port: int = setting(8765, "port that the service listens on", low=0, high=65_535)
    threads: int = setting(8, "requests that are worked on at once", low=1, high=256)
    url: str = setting(
        "", "address by which people reach the service; with `https://` cookies are Secure and HSTS is sent"
    )
    proxy: str = setting("", "address of the TLS proxy in front of the service, whose X-Forwarded headers are believed")
    key_file: str = setting(
        "", "file (mode 0600) with the service's key; empty means `~/.config/leakscreen/review.key`, made on first use"
    )
    session_minutes: int = setting(60, "minutes without a request after which a session ends", low=1, high=10_080)
    login_failures: int = setting(5, "failed log-ins in a row after which a name is locked", low=1, high=1_000)
    lockout_minutes: int = setting(15, "minutes for which it is locked", low=1, high=10_080)
    lease_minutes: int = setting(
        20, "minutes for which a referral is kept for the reviewer who has it open", low=1, high=1_440
    )
    double_review: float = setting(1.0, "share of the referrals that a second reviewer judges apart", low=0.0, high=1.0)
    budget: int = setting(
        0, "referrals of one scan that one queue takes; of more a stratified sample is drawn; 0 means all", low=0
    )
    seed: int = setting(20, "seed of the samples and of the choice for a second review")
    queues: tuple[str, ...] = setting(
        (),
        "routing, the first match counts: `QUEUE=source:GLOB`, `QUEUE=folder:GLOB` or `QUEUE=owner:GLOB`; all else goes to `general`",
    )
    overdue_days: int = setting(7, "days after which a referral that still waits is overdue", low=1, high=3_650)
    reveal_characters: int = setting(
        200_000, "characters of a text that a reveal shows, at most", low=1_000, high=10_000_000
    )
    audit_anchor: str = setting(
        "", "file that keeps the heads of the audit log, outside the database; empty means none"
    )


@dataclass(frozen=True, slots=True)
class Settings:
    scan: ScanSettings = field(default_factory=ScanSettings)
    limits: LimitSettings = field(default_factory=LimitSettings)
    ocr: OcrSettings = field(default_factory=OcrSettings)
    rules: RuleSettings = field(default_factory=RuleSettings)
    health: HealthSettings = field(default_factory=HealthSettings)
    privacy: PrivacySettings = field(default_factory=PrivacySettings)
    review: ReviewSettings = field(default_factory=ReviewSettings)
    oidc: OidcSettings = field(default_factory=OidcSettings)
    mail: MailSettings = field(default_factory=MailSettings)
    webhook: WebhookSettings = field(default_factory=WebhookSettings)
    syslog: SyslogSettings = field(default_factory=SyslogSettings)
    log: LogSettings = field(default_factory=LogSettings)
    metrics: MetricsSettings = field(default_factory=MetricsSettings)
    schedule: tuple[ScheduleSettings, ...] = ()


_TABLES: dict[str, Any] = {
    "schedule": ScheduleSettings
}  # sections that may be there several times, each written [[name]]


def sections() -> dict[str, Any]:
    """The class of each section that is there once."""
    return {entry.name: entry.default_factory for entry in dataclasses.fields(Settings) if entry.name not in _TABLES}


def known_settings() -> dict[str, dataclasses.Field[Any]]:
    """Every setting by its dotted key, such as `limits.seconds`."""
    return {
        f"{section}.{entry.name}": entry for section, kind in sections().items() for entry in dataclasses.fields(kind)
    }


def known_in_tables() -> dict[str, dataclasses.Field[Any]]:
    """Every setting of a section that may be there several times, such as `schedule.cron`; they stand in the file alone."""
    return {f"{section}.{entry.name}": entry for section, kind in _TABLES.items() for entry in dataclasses.fields(kind)}


def env_name(key: str) -> str:
    return ENV_PREFIX + key.replace(".", "_").upper()


def load_settings(
    flags: Mapping[str, Any] | None = None,
    *,
    config: Path | None = None,
    environ: Mapping[str, str] | None = None,
) -> Settings:
    """Merges all places that a setting can come from; a flag that is None was not given."""
    environ = os.environ if environ is None else environ
    values = _from_file(config, environ)
    values.update(_from_environment(environ))
    for key, value in (flags or {}).items():
        if value is not None:
            values[key] = _checked(key, value, origin="on the command line")
    return _build(values)


def _from_file(config: Path | None, environ: Mapping[str, str]) -> dict[str, Any]:
    if config is None and CONFIG_IN_ENV in environ:
        config = Path(environ[CONFIG_IN_ENV])
    if config is None:
        if not DEFAULT_CONFIG.exists():
            return {}
        config = DEFAULT_CONFIG
    import tomllib

    try:
        document = tomllib.loads(config.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SettingsError(f"{config}: no such settings file") from None
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"{config}: cannot be read as TOML: {error}") from None
    values: dict[str, Any] = {}
    known = {*sections(), *_TABLES}
    for section, entries in document.items():
        if section not in known:
            raise SettingsError(f"{config}: unknown section [{section}]{_nearest(section, known)}")
        if section in _TABLES:
            values[section] = _tables(section, entries, config)
            continue
        if not isinstance(entries, dict):
            raise SettingsError(f"{config}: {section} must be a section, written [{section}]")
        for name, value in entries.items():
            key = f"{section}.{name}"
            values[key] = _checked(key, value, origin=f"in {config}")
    return values


def _tables(section: str, entries: Any, config: Path) -> tuple[Any, ...]:
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise SettingsError(f"{config}: {section} must be a list of tables, each written [[{section}]]")
    known = known_in_tables()
    return tuple(
        _TABLES[section](
            **{
                name: _checked(f"{section}.{name}", value, origin=f"in {config}, table {number}", known=known)
                for name, value in entry.items()
            }
        )
        for number, entry in enumerate(entries, 1)
    )


def _from_environment(environ: Mapping[str, str]) -> dict[str, Any]:
    names = {env_name(key): key for key in known_settings()}
    values: dict[str, Any] = {}
    for name, text in environ.items():
        if not name.startswith(ENV_PREFIX) or name in SECRETS_IN_ENV or name == CONFIG_IN_ENV:
            continue
        if name not in names:
            raise SettingsError(f"unknown setting {name} in the environment{_nearest(name, names)}")
        values[names[name]] = _checked(names[name], text, origin=f"in the environment ({name})")
    return values


def _checked(key: str, value: Any, *, origin: str, known: Mapping[str, dataclasses.Field[Any]] | None = None) -> Any:
    known = known_settings() if known is None else known
    if key not in known:
        raise SettingsError(f"unknown setting {key} {origin}{_nearest(key, known)}")
    entry = known[key]
    try:
        converted = _convert(value, entry.type)
    except (TypeError, ValueError):
        raise SettingsError(f"{key} {origin} must be {_kind(entry.type)}, not {value!r}") from None
    low, high, choices = entry.metadata["low"], entry.metadata["high"], entry.metadata["choices"]
    if low is not None and converted < low:
        raise SettingsError(
            f"{key} {origin} is {converted}, but must be at least {low}; the nearest valid value is {low}"
        )
    if high is not None and converted > high:
        raise SettingsError(
            f"{key} {origin} is {converted}, but must be at most {high}; the nearest valid value is {high}"
        )
    if choices and converted not in choices:
        raise SettingsError(
            f"{key} {origin} is {converted!r}, but must be one of {', '.join(choices)}{_nearest(converted, choices)}"
        )
    return converted


def _convert(value: Any, kind: Any) -> Any:
    if kind is int or kind is float:
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise TypeError
        if kind is int and isinstance(value, float) and not value.is_integer():
            raise ValueError
        return kind(value.replace("_", "") if isinstance(value, str) else value)
    if kind is str:
        if not isinstance(value, str):
            raise TypeError
        return value
    if isinstance(value, str):  # a list in the environment: comma separated
        return tuple(part.strip() for part in value.split(",") if part.strip())
    if not isinstance(value, list | tuple) or not all(isinstance(part, str) for part in value):
        raise TypeError
    return tuple(value)


def _kind(kind: Any) -> str:
    return {int: "a whole number", float: "a number", str: "a text"}.get(kind, "a list of texts")


def _nearest(name: str, known: Mapping[str, Any] | set[str] | tuple[str, ...]) -> str:
    import difflib

    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.0)
    return f"; did you mean {close[0]}?" if close else ""


def _build(values: Mapping[str, Any]) -> Settings:
    built: dict[str, Any] = {section: values.get(section, ()) for section in _TABLES}
    for section, kind in sections().items():
        built[section] = kind(
            **{key.partition(".")[2]: value for key, value in values.items() if key.startswith(section + ".")}
        )
    return Settings(**built)
