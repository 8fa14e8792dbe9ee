"""The settings of every command: fields by section in their own modules, loaded and checked in load.py."""

from core.settings.load import (
    CONFIG_IN_ENV,
    SECRETS_IN_ENV,
    HealthSettings,
    LimitSettings,
    OcrSettings,
    ReviewSettings,
    RuleSettings,
    ScanSettings,
    Settings,
    env_name,
    known_in_tables,
    known_settings,
    load_settings,
)

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
    "env_name",
    "known_in_tables",
    "known_settings",
    "load_settings",
]
