"""Settings and plugins <-> the zygote's command line; a module of its own, since the zygote loads all parsers."""

import dataclasses
import json

from core.settings import LimitSettings, OcrSettings

SPAWN, REAP = b"spawn", b"reap "


def arguments_for(
    control: int, limits: LimitSettings, ocr: OcrSettings, plugins: tuple[str, ...], passwords_file: str
) -> list[str]:
    """Of passwords only the name of their file: anyone may read a command line."""
    return [
        str(control),
        json.dumps(dataclasses.asdict(limits)),
        json.dumps(dataclasses.asdict(ocr)),
        json.dumps(plugins),
        passwords_file,
    ]


def parse_arguments(arguments: list[str]) -> tuple[int, LimitSettings, OcrSettings, tuple[str, ...], str]:
    control, limits, ocr, plugins, passwords_file = arguments
    return (
        int(control),
        LimitSettings(**json.loads(limits)),
        OcrSettings(**json.loads(ocr)),
        tuple(json.loads(plugins)),
        passwords_file,
    )
