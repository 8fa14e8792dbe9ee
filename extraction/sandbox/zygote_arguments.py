"""Limits and plugins <-> the command line of the zygote, apart from it because importing the zygote loads the parsers."""

import dataclasses
import json

from core.settings import LimitSettings

SPAWN, REAP = b"spawn", b"reap "


def arguments_for(control: int, limits: LimitSettings, plugins: tuple[str, ...]) -> list[str]:
    return [str(control), json.dumps(dataclasses.asdict(limits)), json.dumps(plugins)]


def parse_arguments(arguments: list[str]) -> tuple[int, LimitSettings, tuple[str, ...]]:
    control, limits, plugins = arguments
    return int(control), LimitSettings(**json.loads(limits)), tuple(json.loads(plugins))
