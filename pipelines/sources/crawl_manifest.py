"""Crawl manifest (JSON lines of a path and free metadata) -> FileRefs."""

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from core.errors import SourceError
from core.records import FileRef
from pipelines.sources.local import file_ref, unreadable_ref
from pipelines.sources.paths import escape, plain_reason


def read_manifest(manifest: Path) -> Iterator[FileRef]:
    """One FileRef a line; relative paths count from the manifest's folder, every other key is kept as metadata."""
    try:
        lines = manifest.open("rb")
    except OSError as error:
        raise SourceError(f"{manifest}: {plain_reason(error)}; name a manifest that exists and can be read") from None
    folder = os.fsencode(manifest.absolute().parent)
    with lines:
        for number, line in enumerate(lines, start=1):
            if line.strip():
                yield _ref(folder, _entry(line, f"{manifest}, line {number}"), str(manifest))


def _entry(line: bytes, place: str) -> dict[str, Any]:
    try:
        entry = json.loads(line)
    except ValueError:
        raise SourceError(f"{place}: not a JSON object") from None
    if not isinstance(entry, dict) or not isinstance(entry.get("path"), str) or not entry["path"]:
        raise SourceError(f'{place}: needs a key "path" with the path of a file')
    return entry


def _ref(folder: bytes, entry: dict[str, Any], source: str) -> FileRef:
    path = os.path.normpath(os.path.join(folder, entry["path"].encode("utf-8", "surrogateescape")))
    metadata = tuple(
        sorted(
            (key, value if isinstance(value, str) else json.dumps(value))
            for key, value in entry.items()
            if key != "path"
        )
    )
    real = os.path.join(_real_folder(os.path.dirname(path)), os.path.basename(path))
    try:
        ref = file_ref(real, os.lstat(real), source)
    except OSError as error:
        ref = unreadable_ref(real, plain_reason(error), source)
    return replace(ref, uri=escape(path), metadata=metadata)


@lru_cache(maxsize=1024)
def _real_folder(folder: bytes) -> bytes:
    """Links to folders that the manifest names are followed here, once; what opens the file follows none."""
    return os.path.realpath(folder)
