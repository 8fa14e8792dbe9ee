"""A default, a help text and bounds -> a field of a section of the settings."""

from dataclasses import field
from typing import Any


def setting(
    default: Any, help: str, *, low: float | None = None, high: float | None = None, choices: tuple[str, ...] = ()
) -> Any:
    """A field with the text that documents it and the bounds that its value must keep."""
    metadata = {"help": help, "low": low, "high": high, "choices": choices}
    return field(default=default, metadata=metadata)
