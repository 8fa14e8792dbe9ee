"""Medical terms of a file -> the groups of diagnoses that they belong to; the groups are data (diagnoses.toml)."""

import re
import tomllib
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import NamedTuple


class Group(NamedTuple):
    name: str
    is_sensitive: bool
    words: re.Pattern[str]


@cache
def read_groups() -> tuple[Group, ...]:
    data = tomllib.loads(files("leakscreen").joinpath("breach", "diagnoses.toml").read_text("utf-8"))
    return tuple(
        Group(
            group["name"],
            group.get("sensitive", False),
            re.compile(rf"\b(?:{'|'.join(map(re.escape, group['words']))})", re.IGNORECASE),
        )
        for group in data["group"]
    )


def diagnoses_in(terms: Iterable[str]) -> list[str]:
    """The names of the groups, in their order."""
    together = "\n".join(terms)
    return [group.name for group in read_groups() if group.words.search(together)]
