"""Frames and misdeeds of a hijacked child -> documents of its own file, with nothing smuggled in."""

import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from benchmarks.attack.case import Tried
from core.records import Document, FileRef, Status
from core.settings import LimitSettings, OcrSettings
from extraction.examine import examine_each
from extraction.sandbox import Sandbox
from extraction.sandbox.assembly import Assembly
from extraction.sandbox.frames import FrameError, FrameKind
from extraction.sandbox.reasons import OTHER, known_reason
from tests.extraction.test_sandbox import HOSTILE_FRAMES

_STREAMS = 1_500
_LIMITS = LimitSettings(depth=2, members=20, expanded_bytes=20_000)
_REF = FileRef("/x", b"/x", 0, 0)
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]")
_PIECES = (
    *(b"", b"a", b"a!b", b"complete\0", b"failed\0Mary Jones 219-09-9999", b"partial\0corrupt (BadZipFile)", b"\0text"),
    *("\u202eevil".encode(), b"\xff\xfe", b"n" * 3_000, b"text/plain\0\x005", b"image/png\0" + b"ab" * 32 + b"\x005"),
    *(b"x\0" + b"y" * 9_000, b"../../etc/passwd", b"text/219-09-9999\0\0001", b"sheet\n1\0cell", b"\x85\0text"),
)
_DEEDS = (
    *("segfault", "abort", "exit", "quit", "babble", "close", "leak", "panic", "surrogates", "between", "poison"),
    *(
        "hog",
        "flood",
        "name-another",
        "tell Mary Jones, SSN 219-09-9999",
        "tell corrupt (MaryJones)",
        "hang",
        "signals",
    ),
)


def lying_child() -> Iterator[Tried]:
    for number, frames in enumerate(HOSTILE_FRAMES):
        yield Tried(f"hostile frames {number}", _is_refused(frames))
    dice = Random(19)
    for number in range(_STREAMS):
        stream = [(dice.choice(list(FrameKind)), dice.choice(_PIECES)) for _ in range(dice.randint(1, 25))]
        yield Tried(f"stream {number}", _is_clean(stream))
    yield from _misdeeds()


def _is_refused(frames: Sequence[tuple[FrameKind, bytes]]) -> bool:
    assembly = Assembly(_REF, LimitSettings(depth=1, expanded_bytes=1000), 0)
    try:
        for kind, payload in frames:
            assembly.take(kind, payload)
    except FrameError:
        return True
    return False


def _is_clean(stream: Sequence[tuple[FrameKind, bytes]]) -> bool:
    assembly = Assembly(_REF, _LIMITS, 100)
    try:
        documents = [assembly.take(kind, payload) for kind, payload in stream]
    except FrameError:
        return True
    return all(document is None or _is_own(document) for document in documents)


def _is_own(document: Document) -> bool:
    fields = (document.uri, document.reason, document.media_type, *(segment.where for segment in document.segments))
    known = known_reason(document.reason, _LIMITS, OcrSettings()) == document.reason or document.reason == OTHER
    return document.uri.startswith("/x") and known and not any(_UNSAFE.search(text) for text in fields)


def _misdeeds() -> Iterator[Tried]:
    """Each between two honest files, which must be read as if nothing had been."""
    limits = LimitSettings(file_seconds=3, memory_bytes=800_000_000, expanded_bytes=5_000_000)
    with (
        tempfile.TemporaryDirectory() as folder,
        Sandbox(limits, plugins=("tests.extraction.rogue_format",)) as sandbox,
    ):
        place = Path(os.path.realpath(folder))
        for deed in _DEEDS:
            contents = {"before": b"read before", "rogue": b"\x7fELF " + deed.encode(), "after": b"read after"}
            refs = []
            for name, content in contents.items():
                (place / name).write_bytes(content)
                refs.append(FileRef(str(place / name), os.fsencode(place / name), 0, 0))
            documents = {document.ref.uri: document for document in examine_each(refs, sandbox)}
            before, rogue, after = (documents[ref.uri] for ref in refs)
            honest = (before.text, before.status, after.text, after.status)
            held = honest == ("read before", Status.COMPLETE, "read after", Status.COMPLETE)
            yield Tried(f"a child that does {deed!r}", held and "Jones" not in rogue.reason)
