"""Adopted versions of a model or of prototypes -> a roll-back, and a list of what was adopted and rolled back."""

import json
from dataclasses import asdict

from core.adopted import Versions


def roll_back(versions: Versions, what: str) -> None:
    version = versions.back()
    print(f"version {version} is in use again" if version else f"no adopted {what} in use any more")


def list_versions(versions: Versions, as_json: bool) -> None:
    history = versions.history()
    if as_json:
        print(json.dumps([asdict(change) for change in history], indent=2))
        return
    for change in history:
        print(f"{change.time}  {change.action} {change.version:>4}  {change.note}")
    print(f"in use: {versions.in_use or 'none'}")
