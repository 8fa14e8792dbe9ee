"""The settings of every command: the sections in modules by topic, loaded and checked by load.py."""

from core.settings.load import (
    CONFIG_IN_ENV,
    SECRETS_IN_ENV,
    Settings,
    env_name,
    known_in_tables,
    known_settings,
    load_and_configure_log,
    load_settings,
    renamed_settings,
    stored_section,
)
from core.settings.review import ReviewSettings
from core.settings.scan import HealthSettings, LimitSettings, OcrSettings, RuleSettings, ScanSettings, SourceSettings

__all__ = [
    "CONFIG_IN_ENV",
    "SECRETS_IN_ENV",
    "HealthSettings",
    "LimitSettings",
    "OcrSettings",
    "ReviewSettings",
    "RuleSettings",
    "ScanSettings",
    "Settings",
    "SourceSettings",
    "env_name",
    "known_in_tables",
    "known_settings",
    "load_and_configure_log",
    "load_settings",
    "renamed_settings",
    "stored_section",
]
