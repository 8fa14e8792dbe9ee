"""What the user asks to scan -> sources that exist, can be read, and do not overlap."""

import os
from dataclasses import dataclass
from itertools import pairwise

from core.errors import SourceError
from extraction.opening.addresses import is_object
from pipelines.sources.source_types import check_local, source_type


@dataclass(frozen=True, slots=True)
class Sources:
    """Folders, files and prefixes of object stores, and crawl manifests (JSON lines)."""

    paths: tuple[str, ...] = ()
    manifests: tuple[str, ...] = ()


def check_sources(sources: Sources) -> None:
    if not sources.paths and not sources.manifests:
        raise SourceError("nothing to scan; name a folder, a file, or a crawl manifest with --manifest")
    for path in sources.paths:
        source_type(path).check(path)
    for manifest in sources.manifests:
        check_local(manifest)
        if not os.path.isfile(manifest):
            raise SourceError(f"{manifest}: not a file; --manifest takes a file of JSON lines")
    _check_overlap([path.rstrip("/") if is_object(path) else os.path.realpath(path) for path in sources.paths])


def display_name(path: str) -> str:
    """A source as manifests and pages name it."""
    return path if is_object(path) else os.path.abspath(path)


def _check_overlap(paths: list[str]) -> None:
    for outer, inner in pairwise(sorted(paths, key=lambda path: path.split("/"))):
        if inner == outer or inner.startswith(outer.rstrip("/") + "/"):
            raise SourceError(
                f"{inner}: lies in {outer}, which is scanned too; name only one, so that no file is counted twice"
            )
