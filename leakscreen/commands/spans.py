"""`leakscreen spans`: a file or standard input -> every PII span as JSON lines."""

import json
from pathlib import Path
from typing import Any

from core.settings import load_settings
from leakscreen.commands.read_texts import read_windows
from screening.privacy.key import load_key
from screening.ruleset.ruleset import rules_of
from screening.screen import Screen


def run(file: str, flags: dict[str, Any], config: Path | None) -> None:
    settings = load_settings(flags, config=config)
    rules = rules_of(settings.rules)
    screen = Screen(rules, load_key(settings.privacy.key_file), evidence=0)
    for uri, text, window in read_windows(file, settings):
        member = {"uri": uri} if uri else {}
        for span in window.own(screen.spans(text)):
            line = {
                "start": span.start,
                "end": span.end,
                "characteristic": span.characteristic,
                "score": round(span.score, 4),
            }
            print(json.dumps({**line, **member}))
