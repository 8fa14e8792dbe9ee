"""Refs of a work unit -> documents, read in the sandbox one by one; content that several files share is read once."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.records import Document, FileRef
from core.settings import SourceSettings
from extraction.examine import examine_each
from extraction.opening.object_store import NO_SETTINGS
from extraction.opening.pace import NO_PACE, Pace
from extraction.sandbox import Sandbox
from pipelines.stages.duplicates import SameFindings, find_duplicates, still_holds
from pipelines.stages.stream import Stream


def extract_documents(
    stream: Stream,
    refs: Sequence[FileRef],
    sandbox: Sandbox,
    same_findings: SameFindings,
    sources: SourceSettings = NO_SETTINGS,
    pace: Pace = NO_PACE,
) -> Iterator[Document]:
    """Duplicates are noted in the stream and get their records at its end, without being read."""
    started = time.perf_counter()
    duplicates = [
        duplicate
        for duplicate in find_duplicates(refs, sandbox.limits.read_bytes, pace)
        if same_findings(duplicate.ref.uri, duplicate.first.uri)
    ]
    stream.spent("extract", time.perf_counter() - started)
    postponed = {duplicate.ref.uri for duplicate in duplicates}
    firsts = {duplicate.first.uri for duplicate in duplicates}
    examined: dict[str, Document] = {}
    containers: set[str] = set()
    for document in _examined(stream, [ref for ref in refs if ref.uri not in postponed], sandbox, sources, pace):
        if document.container_uri is not None:
            containers.add(document.ref.uri)
        elif document.uri in firsts:
            examined[document.uri] = replace(document, segments=())
        yield document
    # A file can change between its hash and its reading: then its duplicates are read for themselves.
    stream.duplicates = [
        duplicate
        for duplicate in duplicates
        if still_holds(duplicate, examined.get(duplicate.first.uri), duplicate.first.uri in containers)
    ]
    confirmed = {duplicate.ref.uri for duplicate in stream.duplicates}
    rest = [duplicate.ref for duplicate in duplicates if duplicate.ref.uri not in confirmed]
    yield from _examined(stream, rest, sandbox, sources, pace)


def _examined(
    stream: Stream, refs: Sequence[FileRef], sandbox: Sandbox, sources: SourceSettings, pace: Pace
) -> Iterator[Document]:
    documents = examine_each(refs, sandbox, sources, pace)
    while True:
        started = time.perf_counter()
        document = next(documents, None)
        whole_file = document is not None and document.container_uri is None and not document.more
        stream.spent("extract", time.perf_counter() - started, document.size if document and whole_file else 0)
        if document is None:
            break
        yield document
