"""The arguments of an ordinary `leakscreen scan` -> what they ask for, without loading the whole command line.

Loading typer takes longer than a scan of an unchanged folder. Anything less ordinary, or wrong, returns None and goes
to the full command line, which knows every option and explains mistakes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

_QUIET = ("--quiet", "-q")


@dataclass(slots=True)
class PlainScan:
    sources: list[str] = field(default_factory=list)
    flags: dict[str, Any] = field(default_factory=dict)
    quiet: bool = False
    as_json: bool = False


def plain_scan(words: Sequence[str]) -> PlainScan | None:
    """None if they ask for anything else, or may be wrong."""
    if not words or words[0] != "scan":
        return None
    request = PlainScan()
    rest = iter(words[1:])
    for word in rest:
        if word in _QUIET:
            request.quiet = True
        elif word == "--json":
            request.as_json = True
        elif word == "--out":
            value = next(rest, "")
            if not value or value.startswith("-") or "scan.out" in request.flags:
                return None
            request.flags["scan.out"] = value
        elif word.startswith("-") or not word:
            return None
        else:
            request.sources.append(word)
    return request
