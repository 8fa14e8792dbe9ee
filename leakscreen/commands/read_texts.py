"""Paths of local files -> their texts as a scan sees them, read in the sandbox."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from core.records import Document, FileRef
from core.settings import Settings, load_settings
from extraction.examine import examine_each
from extraction.sandbox import Sandbox


def read_texts(paths: Sequence[Path]) -> list[str]:
    """One text a path, in order; members of containers are left out, and a file without text is empty."""
    texts: dict[str, str] = {}
    for document in read_documents(paths, load_settings({}, environ={})):
        if document.container_uri is None:
            texts[document.uri] = texts.get(document.uri, "") + document.text
    return [texts.get(str(path), "") for path in paths]


def read_documents(paths: Sequence[Path], settings: Settings) -> Iterator[Document]:
    """Every document of every file, its members included; a large text comes in parts."""
    refs = [_ref(path) for path in paths if path.is_file()]
    with Sandbox(settings.limits, ocr=settings.ocr, require=settings.privacy.sandbox == "require") as sandbox:
        yield from examine_each(refs, sandbox)


def _ref(path: Path) -> FileRef:
    facts = path.stat()
    return FileRef(
        uri=str(path), path=os.fsencode(path), size=facts.st_size, mtime_ns=facts.st_mtime_ns, inode=facts.st_ino
    )
