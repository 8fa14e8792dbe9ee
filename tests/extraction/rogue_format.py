"""A format that does, inside the sandbox, what its content asks for: the misdeeds of broken and hostile parsers."""

import ctypes
import os
import signal
import time
from collections.abc import Iterator

from core.records import Segment, Status
from extraction.content import Content
from extraction.extract import Extraction
from extraction.format import Member, StoppedError
from extraction.limits.budget import Budget

MEDIA_TYPES = frozenset({"application/x-executable"})
IS_ARCHIVE = False
MAGIC = b"\x7fELF "


class PanicException(BaseException):
    """As parsers in Rust raise it."""


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    words = content.data.removeprefix(MAGIC).decode()
    deed = words.split()[0]
    if deed == "slow":
        time.sleep(0.6)
        yield Segment("", words)
    elif deed == "segfault":
        yield Segment("", "before the fall")
        ctypes.string_at(8)
    elif deed == "between":
        yield Member("first.txt", lambda: Content(b"said before", 11, "first.txt"))
        os.abort()
    elif deed == "abort":
        os.abort()
    elif deed == "exit":
        os._exit(7)
    elif deed == "hang":
        while True:
            pass
    elif deed == "say-and-hang":
        yield Segment("page 1", "said before")
        time.sleep(0.3)
        yield Segment("page 2", "said later")
        while True:
            time.sleep(1)
    elif deed == "hog":
        yield Segment("", "before the hog")
        hoard = [b"x" * 50_000_000 for _ in range(1000)]
        yield Segment("", str(len(hoard)))
    elif deed == "flood":
        while True:
            yield Segment("", "x" * 100_000)
    elif deed == "close":
        os.closerange(3, 64)
    elif deed == "babble":
        _babble()
    elif deed == "quit":
        raise SystemExit(0)
    elif deed == "signals":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            time.sleep(1)
    elif deed == "panic":
        raise PanicException("Ann Example")
    elif deed == "leak":
        raise ValueError("Ann Example, 123 456 789")
    elif deed == "surrogates":
        yield Segment("", "a\ud800b")
    elif deed == "locked":
        raise StoppedError(Status.ENCRYPTED, "encrypted mail")
    elif deed == "poison":
        _poison()
        yield Segment("", "poisoned")
    elif deed == "name-another":
        Content.sha256 = "ab" * 32  # type: ignore[assignment, method-assign]
        yield Segment("", words)
    elif deed == "tell":
        yield Segment("", "said before")
        raise StoppedError(Status.PARTIAL, words.partition(" ")[2])


def _poison() -> None:
    """Whatever this process reads from now on looks clear."""

    def silent(self: object, segment: Segment) -> bool:
        return True

    Extraction._send_text = silent  # type: ignore[method-assign]


def _babble() -> None:
    """Writes what is no frame to every descriptor."""
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, b"\xff" * 5000)
        except OSError:
            continue
    time.sleep(5)
