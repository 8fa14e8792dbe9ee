"""The sandbox of reveals starts once, gives each file a child of its own, and goes when nobody needs it."""

import dataclasses
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.records import FileRef, Status
from core.settings import load_settings
from extraction.examine import examine
from review.reveal.sandbox import MOST_WAITING, BusyError, SandboxOnCall

SETTINGS = load_settings({}, environ={})


@pytest.fixture
def on_call() -> Iterator[SandboxOnCall]:
    made = SandboxOnCall()
    yield made
    made.close()


def test_one_sandbox_and_a_child_for_each_file(on_call: SandboxOnCall, tmp_path: Path) -> None:
    file = tmp_path / "a.txt"
    file.write_text("phone 416-555-0142", encoding="utf-8")
    ref = FileRef(uri=str(file), path=os.fsencode(file), size=0, mtime_ns=0)
    children, sandboxes, texts = [], [], []
    for _ in range(2):
        with on_call.borrowed(SETTINGS) as sandbox:
            texts += [(document.text.strip(), document.status) for document in examine(ref, sandbox)]
            children.append(sandbox.child_pid)
            sandboxes.append(sandbox)
        assert not os.path.exists(f"/proc/{children[-1]}")
    assert texts == [("phone 416-555-0142", Status.COMPLETE)] * 2
    assert sandboxes[0] is sandboxes[1] and children[0] != children[1]


def test_other_limits_ask_for_another_one(on_call: SandboxOnCall) -> None:
    with on_call.borrowed(SETTINGS) as first:
        pass
    with on_call.borrowed(
        dataclasses.replace(SETTINGS, limits=dataclasses.replace(SETTINGS.limits, file_seconds=7))
    ) as second:
        assert first is not second


def test_the_others_wait(on_call: SandboxOnCall) -> None:
    inside, order = threading.Event(), []

    def other() -> None:
        inside.wait()
        with on_call.borrowed(SETTINGS):
            order.append("second")

    thread = threading.Thread(target=other)
    thread.start()
    with on_call.borrowed(SETTINGS):
        inside.set()
        thread.join(0.2)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]


def test_beyond_a_few_nobody_waits(on_call: SandboxOnCall) -> None:
    pause, done = threading.Event(), []

    def other() -> None:
        with on_call.borrowed(SETTINGS):
            done.append(1)

    with on_call.borrowed(SETTINGS):
        threads = [threading.Thread(target=other) for _ in range(MOST_WAITING)]
        for thread in threads:
            thread.start()
        pause.wait(0.3)
        started = time.monotonic()
        with pytest.raises(BusyError), on_call.borrowed(SETTINGS):
            pass
        assert time.monotonic() - started < 1 and not done
    for thread in threads:
        thread.join()
    assert len(done) == MOST_WAITING
    with on_call.borrowed(SETTINGS):
        pass


def test_it_goes_when_nobody_needs_it() -> None:
    on_call = SandboxOnCall(idle_seconds=0.05)
    with on_call.borrowed(SETTINGS):
        assert on_call.is_open
    assert on_call._closing is not None
    on_call._closing.join()
    assert not on_call.is_open
