"""Flags, environment, leakscreen.toml and defaults -> one validated Settings."""

import dataclasses
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from core.checks import converted, did_you_mean, kind_in_words, out_of_bounds
from core.errors import SettingsError
from core.log import log_as_json
from core.settings.act import ActSettings, PolicySettings
from core.settings.deidentify import DeidentifySettings
from core.settings.gate import GateSettings
from core.settings.notify import MailSettings, SyslogSettings, WebhookSettings
from core.settings.review import OidcSettings, ReviewSettings
from core.settings.scan import (
    ExtractionSettings,
    HealthSettings,
    LimitSettings,
    OcrSettings,
    PrivacySettings,
    RuleSettings,
    ScanSettings,
    SourceSettings,
)
from core.settings.service import LogSettings, MetricsSettings, ScheduleSettings

ENV_PREFIX = "LEAKSCREEN_"
SECRETS_IN_ENV = frozenset(  # read where they are used: a Settings is written into manifests
    {
        "LEAKSCREEN_HMAC_KEY",
        "LEAKSCREEN_LIST_PASSPHRASE",
        "LEAKSCREEN_MAPPING_PASSPHRASE",
        "LEAKSCREEN_MAIL_PASSWORD",
        "LEAKSCREEN_METRICS_TOKEN",
        "LEAKSCREEN_WEBHOOK_SECRET",
        "LEAKSCREEN_SECRET_KEY",
        "LEAKSCREEN_VAULT_KEY",
        "LEAKSCREEN_OIDC_SECRET",
        "LEAKSCREEN_SOURCE_PASSWORD",
        "LEAKSCREEN_MANAGER",
        "LEAKSCREEN_MANAGER_PASSWORD",
        "LEAKSCREEN_MANAGER_PASSWORD_FILE",
    }
)
CONFIG_IN_ENV = "LEAKSCREEN_CONFIG"
_SERVICE_LINK = ("_SERVICE_HOST", "_SERVICE_PORT", "_TCP", "_UDP", "_SCTP")
DEFAULT_CONFIG = Path("leakscreen.toml")
_Section = TypeVar("_Section")


@dataclass(frozen=True, slots=True)
class Settings:
    scan: ScanSettings = field(default_factory=ScanSettings)
    sources: SourceSettings = field(default_factory=SourceSettings)
    limits: LimitSettings = field(default_factory=LimitSettings)
    ocr: OcrSettings = field(default_factory=OcrSettings)
    extraction: ExtractionSettings = field(default_factory=ExtractionSettings)
    rules: RuleSettings = field(default_factory=RuleSettings)
    health: HealthSettings = field(default_factory=HealthSettings)
    privacy: PrivacySettings = field(default_factory=PrivacySettings)
    deidentify: DeidentifySettings = field(default_factory=DeidentifySettings)
    review: ReviewSettings = field(default_factory=ReviewSettings)
    oidc: OidcSettings = field(default_factory=OidcSettings)
    mail: MailSettings = field(default_factory=MailSettings)
    webhook: WebhookSettings = field(default_factory=WebhookSettings)
    syslog: SyslogSettings = field(default_factory=SyslogSettings)
    gate: GateSettings = field(default_factory=GateSettings)
    log: LogSettings = field(default_factory=LogSettings)
    metrics: MetricsSettings = field(default_factory=MetricsSettings)
    act: ActSettings = field(default_factory=ActSettings)
    schedule: tuple[ScheduleSettings, ...] = ()
    policy: tuple[PolicySettings, ...] = ()


# Sections that may occur several times, each written [[name]].
_TABLES: dict[str, Any] = {"schedule": ScheduleSettings, "policy": PolicySettings}


def sections() -> dict[str, Any]:
    """The class of each section that occurs once."""
    return {entry.name: entry.default_factory for entry in dataclasses.fields(Settings) if entry.name not in _TABLES}


def known_settings() -> dict[str, dataclasses.Field[Any]]:
    """Every setting by its dotted key, such as `limits.file_seconds`."""
    return {
        f"{section}.{entry.name}": entry for section, kind in sections().items() for entry in dataclasses.fields(kind)
    }


def known_in_tables() -> dict[str, dataclasses.Field[Any]]:
    """Every setting of a section that may occur several times, such as `schedule.cron`; only the file can have them."""
    return {f"{section}.{entry.name}": entry for section, kind in _TABLES.items() for entry in dataclasses.fields(kind)}


def renamed_settings() -> dict[str, str]:
    """Keys of earlier versions, which still work, and their present names."""
    return {
        f"{key.partition('.')[0]}.{entry.metadata['old_name']}": key
        for key, entry in known_settings().items()
        if entry.metadata["old_name"]
    }


def env_name(key: str) -> str:
    return ENV_PREFIX + key.replace(".", "_").upper()


def load_settings(
    flags: Mapping[str, Any] | None = None,
    *,
    config: Path | None = None,
    environ: Mapping[str, str] | None = None,
) -> Settings:
    """Merges the file, the environment and the flags, in that order; a flag with the value None was not given."""
    environ = os.environ if environ is None else environ
    values = _from_file(config, environ)
    values.update(_from_environment(environ))
    from_flags: dict[str, Any] = {}
    for key, value in (flags or {}).items():
        if value is not None:
            _put(from_flags, key, value, origin="on the command line")
    values.update(from_flags)
    return _build(values)


def load_and_configure_log(flags: Mapping[str, Any], config: Path | None) -> Settings:
    """The settings of a command that also logs: the log gets the format that they ask for."""
    settings = load_settings(flags, config=config)
    if settings.log.format == "json":
        log_as_json()
    return settings


def stored_section(kind: type[_Section], values: Mapping[str, Any]) -> _Section:
    """A section as JSON of this or an earlier version -> the section; names that no longer exist are left out."""
    known: dict[str, str] = {}
    for entry in dataclasses.fields(kind):  # type: ignore[arg-type]
        known[entry.metadata["old_name"] or entry.name] = known[entry.name] = entry.name
    return kind(
        **{
            known[name]: tuple(value) if isinstance(value, list) else value
            for name, value in values.items()
            if name in known
        }
    )


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
    known_sections = {*sections(), *_TABLES}
    for section, entries in document.items():
        if section not in known_sections:
            raise SettingsError(f"{config}: unknown section [{section}]{did_you_mean(section, known_sections)}")
        if section in _TABLES:
            values[section] = _tables(section, entries, config)
            continue
        if not isinstance(entries, dict):
            raise SettingsError(f"{config}: {section} must be a section, written [{section}]")
        for name, value in entries.items():
            _put(values, f"{section}.{name}", value, origin=f"in {config}")
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
    old_names = {env_name(key): key for key in renamed_settings()}
    values: dict[str, Any] = {}
    for name, text in environ.items():
        if not name.startswith(ENV_PREFIX) or name in SECRETS_IN_ENV or name == CONFIG_IN_ENV:
            continue
        key = names.get(name) or old_names.get(name)
        if _is_service_link(name, text):
            raise SettingsError(
                f"{name} in the environment is no setting: Kubernetes adds it to each pod for a Service whose name"
                " begins with leakscreen-; set `enableServiceLinks: false` in the pod's spec"
            )
        if key is None:
            raise SettingsError(f"unknown setting {name} in the environment{did_you_mean(name, names)}")
        _put(values, key, text, origin=f"in the environment ({name})")
    return values


def _is_service_link(name: str, text: str) -> bool:
    """LEAKSCREEN_WEB_SERVICE_HOST and its kin; a Service `leakscreen-review` even takes the name of a setting."""
    return any(part in name for part in _SERVICE_LINK) or (name.endswith("_PORT") and "://" in text)


def _put(values: dict[str, Any], key: str, value: Any, *, origin: str) -> None:
    """Adds one checked value under its present key; the old and the new name together would be ambiguous."""
    present = renamed_settings().get(key, key)
    checked = _checked(present, value, origin=origin)
    if present in values:
        raise SettingsError(f"{present} is given twice {origin}, once by its old name; remove one of them")
    values[present] = checked


def _checked(key: str, value: Any, *, origin: str, known: Mapping[str, dataclasses.Field[Any]] | None = None) -> Any:
    known = known_settings() if known is None else known
    if key not in known:
        raise SettingsError(f"unknown setting {key} {origin}{did_you_mean(key, known)}")
    entry = known[key]
    kind = entry.type if isinstance(entry.type, type) else tuple
    try:
        fitting = converted(value, kind, from_text=True)
    except ValueError:
        raise SettingsError(f"{key} {origin} must be {kind_in_words(kind)}, not {value!r}") from None
    fault = out_of_bounds(fitting, entry.metadata["low"], entry.metadata["high"], entry.metadata["choices"])
    if fault:
        raise SettingsError(f"{key} {origin} {fault}")
    return fitting


def _build(values: Mapping[str, Any]) -> Settings:
    built: dict[str, Any] = {section: values.get(section, ()) for section in _TABLES}
    for section, kind in sections().items():
        built[section] = kind(
            **{key.partition(".")[2]: value for key, value in values.items() if key.startswith(section + ".")}
        )
    return Settings(**built)
