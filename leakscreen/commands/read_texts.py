"""Local files, or standard input -> their texts as a scan sees them, read in the sandbox."""

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.errors import LeakscreenError, SourceError
from core.records import EXAMINED, Document, FileRef, Status
from core.settings import Settings, load_settings
from extraction.examine import examine, examine_each
from extraction.sandbox import Sandbox
from screening.window import WHOLE, Window


def read_texts(paths: Sequence[Path]) -> list[str]:
    """One text per path, in order, without the members of containers; a file without text gives an empty one."""
    texts: dict[str, str] = {}
    for document in read_documents(paths, load_settings({}, environ={})):
        if document.container_uri is None:
            texts[document.uri] = texts.get(document.uri, "") + document.text
    return [texts.get(str(path), "") for path in paths]


def read_documents(paths: Sequence[Path], settings: Settings) -> Iterator[Document]:
    """Every document of every file, including members; a long text comes in windows."""
    refs = [_ref(path) for path in paths if path.is_file()]
    with _sandbox(settings) as sandbox:
        yield from examine_each(refs, sandbox)


def read_windows(file: str, settings: Settings) -> Iterator[tuple[str, str, Window]]:
    """(uri, text, window) of the file itself, whose uri is empty, and then of its members; `-` is standard input."""
    if file == "-":
        yield "", sys.stdin.buffer.read().decode("utf-8", "replace"), WHOLE
        return
    from pipelines.stages.windows import own_window

    path = os.path.realpath(os.fsencode(file))
    if not os.path.exists(path):
        raise SourceError(f"{file}: no such file")
    ref = FileRef(uri=os.fsdecode(path).encode("utf-8", "replace").decode(), path=path, size=0, mtime_ns=0)
    with _sandbox(settings) as sandbox:
        for document in examine(ref, sandbox):
            if document.container_uri is None and document.status not in EXAMINED | {Status.CONTAINER}:
                raise LeakscreenError(f"{file}: {document.status.value}: {document.reason}")
            yield document.uri if document.container_uri is not None else "", document.text, own_window(document)


def _sandbox(settings: Settings) -> Sandbox:
    return Sandbox(
        settings.limits,
        ocr=settings.ocr,
        require=settings.privacy.sandbox == "require",
        passwords_file=settings.extraction.passwords_file,
    )


def _ref(path: Path) -> FileRef:
    stat = path.stat()
    return FileRef(
        uri=str(path), path=os.fsencode(path), size=stat.st_size, mtime_ns=stat.st_mtime_ns, inode=stat.st_ino
    )
