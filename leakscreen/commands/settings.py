"""Flags and settings file -> settings, with the log set up as they say."""

from pathlib import Path
from typing import Any

from core.log import log_as_json
from core.settings import Settings, load_settings


def settled(flags: dict[str, Any], config: Path | None) -> Settings:
    settings = load_settings(flags, config=config)
    if settings.log.format == "json":
        log_as_json()
    return settings
