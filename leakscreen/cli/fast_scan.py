"""The words of an ordinary `leakscreen scan` -> what they ask for, sooner than the whole command line is loaded.

Whatever is not as plain as that is left to the command line proper, which knows all words and explains those that are wrong.
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
    """None where they ask for anything else, or may be wrong."""
    if not words or words[0] != "scan":
        return None
    asked = PlainScan()
    rest = iter(words[1:])
    for word in rest:
        if word in _QUIET:
            asked.quiet = True
        elif word == "--json":
            asked.as_json = True
        elif word == "--out":
            value = next(rest, "")
            if not value or value.startswith("-") or "scan.out" in asked.flags:
                return None
            asked.flags["scan.out"] = value
        elif word.startswith("-") or not word:
            return None
        else:
            asked.sources.append(word)
    return asked
