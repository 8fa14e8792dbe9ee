"""`leakscreen spans`: a file or standard input -> every PII span as JSON lines."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.errors import LeakscreenError, SourceError
from core.records import EXAMINED, FileRef, Status
from core.settings import Settings, load_settings
from screening.key import load_key
from screening.part import WHOLE, Part
from screening.ruleset import load_rules
from screening.screen import Screen


def run(file: str, flags: dict[str, Any], config: Path | None) -> None:
    settings = load_settings(flags, config=config)
    rules = load_rules([Path(name) for name in settings.rules.files], settings.rules.disable)
    screen = Screen(rules, load_key(settings.privacy.key_file), evidence=0)
    for uri, text, part in _texts(file, settings):
        member = {"uri": uri} if uri else {}
        for span in part.own(screen.spans(text)):
            line = {"start": span.start, "end": span.end, "characteristic": span.characteristic, "score": round(span.score, 4)}
            print(json.dumps({**line, **member}))


def _texts(file: str, settings: Settings) -> Iterator[tuple[str, str, Part]]:
    """The file's own text, then those of its members, which are named."""
    if file == "-":
        yield "", sys.stdin.buffer.read().decode("utf-8", "replace"), WHOLE
        return
    from extraction.examine import examine
    from extraction.sandbox import Sandbox
    from pipelines.parts import own_part

    path = os.path.realpath(os.fsencode(file))
    if not os.path.exists(path):
        raise SourceError(f"{file}: no such file")
    ref = FileRef(uri=os.fsdecode(path).encode("utf-8", "replace").decode(), path=path, size=0, mtime_ns=0)
    with Sandbox(settings.limits, ocr=settings.ocr, require=settings.privacy.sandbox == "require") as sandbox:
        for document in examine(ref, sandbox):
            if document.container_uri is None and document.status not in EXAMINED | {Status.CONTAINER}:
                raise LeakscreenError(f"{file}: {document.status.value}: {document.reason}")
            yield document.uri if document.container_uri is not None else "", document.text, own_part(document)
