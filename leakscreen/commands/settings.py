"""Flags and a settings file -> settings, and the log in the format that they ask for."""

from pathlib import Path
from typing import Any

from core.log import log_as_json
from core.settings import Settings, load_settings


def load_and_configure_log(flags: dict[str, Any], config: Path | None) -> Settings:
    settings = load_settings(flags, config=config)
    if settings.log.format == "json":
        log_as_json()
    return settings
