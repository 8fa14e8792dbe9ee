"""A file of any type, or standard input -> its own text and those of its members, in parts where they are long."""

import os
import sys
from collections.abc import Iterator

from core.errors import LeakscreenError, SourceError
from core.records import EXAMINED, FileRef, Status
from core.settings import Settings
from screening.window import WHOLE, Window


def texts_of(file: str, settings: Settings) -> Iterator[tuple[str, str, Window]]:
    """The file's own text, then those of its members, which are named."""
    if file == "-":
        yield "", sys.stdin.buffer.read().decode("utf-8", "replace"), WHOLE
        return
    from extraction.examine import examine
    from extraction.sandbox import Sandbox
    from pipelines.stages.windows import own_window

    path = os.path.realpath(os.fsencode(file))
    if not os.path.exists(path):
        raise SourceError(f"{file}: no such file")
    ref = FileRef(uri=os.fsdecode(path).encode("utf-8", "replace").decode(), path=path, size=0, mtime_ns=0)
    with Sandbox(settings.limits, ocr=settings.ocr, require=settings.privacy.sandbox == "require") as sandbox:
        for document in examine(ref, sandbox):
            if document.container_uri is None and document.status not in EXAMINED | {Status.CONTAINER}:
                raise LeakscreenError(f"{file}: {document.status.value}: {document.reason}")
            yield document.uri if document.container_uri is not None else "", document.text, own_window(document)
