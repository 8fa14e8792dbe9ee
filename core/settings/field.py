"""A default, a help text and bounds -> a field of a section of the settings."""

from dataclasses import field
from typing import Any


def setting(
    default: Any,
    help: str,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: tuple[str, ...] = (),
    old_name: str = "",
) -> Any:
    """A field with its help text and the bounds of its value; `old_name` is what earlier versions called it."""
    metadata = {"help": help, "low": low, "high": high, "choices": choices, "old_name": old_name}
    return field(default=default, metadata=metadata)
