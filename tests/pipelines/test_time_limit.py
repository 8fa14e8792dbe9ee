"""Screening and the health stage have a time limit: what was found until then counts, the rest is not called clear."""

import threading
import time
from collections.abc import Iterator, Sequence
from typing import Any, cast

import pytest

from classifiers.health import HealthModel
from core.records import Candidate, Document, FileRef, Passage, Role, Screening, Segment, Status
from pipelines.stages.health import classify_documents
from pipelines.stages.screen import BEGINNING, screen_documents
from pipelines.stages.stream import Stream
from pipelines.stages.time_limit import OverLimitError, OverMemoryError, StepLimits, within
from screening.screen import Screen

SECONDS = 0.3
LIMITS = StepLimits(SECONDS)
MEMORY = StepLimits(60.0, 150_000_000)


def busy() -> None:
    while True:
        sum(range(1_000))


def test_a_step_is_interrupted_and_the_next_is_not() -> None:
    started = time.monotonic()
    with pytest.raises(OverLimitError):
        within(LIMITS, busy)
    assert time.monotonic() - started < 10 * SECONDS
    assert within(LIMITS, lambda: 7) == 7
    time.sleep(1.5 * SECONDS)  # a late alarm would be raised here
    assert within(StepLimits(), lambda: 8) == 8


def test_a_step_that_others_keep_waiting_is_not_interrupted() -> None:
    assert within(LIMITS, lambda: time.sleep(2 * SECONDS)) is None


def test_a_step_of_another_thread_is_interrupted_there() -> None:
    seen: list[str] = []

    def work() -> None:
        try:
            within(LIMITS, busy)
        except OverLimitError:
            seen.append("late")

    worker = threading.Thread(target=work)
    worker.start()
    worker.join(10)
    assert seen == ["late"]


def test_steps_at_the_edge_of_the_limit_leave_no_alarm_behind() -> None:
    for _ in range(40):
        try:
            within(StepLimits(0.01), lambda: sum(range(400_000)))
        except OverLimitError:
            continue
    assert sum(number for number in range(100_000)) == 4_999_950_000


class SlowScreen:
    """Hangs on long texts, as a screening does that a text was made for."""

    def screen_each(self, documents: Sequence[tuple[Sequence[Segment], str]]) -> list[Screening]:
        if any(len(segment.text) > BEGINNING for segments, _ in documents for segment in segments):
            busy()
        return [Screening(bits=1, positive=True) for _ in documents]


class SlowModel:
    passages = None  # a model from before passages

    def __getattr__(self, name: str) -> Any:
        busy()


def document(name: str, text: str) -> Document:
    ref = FileRef(uri=f"/{name}", path=f"/{name}".encode(), size=1, mtime_ns=0)
    return Document(ref, ref.uri, None, 1, None, "text/plain", Status.COMPLETE, segments=(Segment("", text),))


def stream() -> Stream:
    return Stream(0, iter(()), [])


def test_a_text_that_holds_the_screening_up_is_partial_and_its_neighbours_are_not() -> None:
    documents = iter([document("a", "short"), document("b", "x" * 30_000), document("c", "short")])
    screened = list(screen_documents(stream(), documents, cast(Screen, SlowScreen()), LIMITS))
    assert [(one.status, one.reason, screening.bits) for one, screening in screened] == [
        (Status.COMPLETE, "", 1),
        (Status.PARTIAL, f"screening limit ({SECONDS:g} s)", 1),
        (Status.COMPLETE, "", 1),
    ]


def test_a_text_that_holds_the_health_stage_up_is_partial() -> None:
    candidate = Candidate(Passage(0, 5, "paragraph 1"), Role.SUBJECT, 0, 1, ())

    def screened() -> Iterator[tuple[Document, Screening]]:
        yield document("a", "short"), Screening(bits=1, positive=True, candidates=(candidate,))

    (record,) = classify_documents(stream(), screened(), cast(HealthModel, SlowModel()), 4, "s", LIMITS)
    assert (record.status, record.reason) == (Status.PARTIAL, f"screening limit ({SECONDS:g} s)")
    assert (record.health, record.screening.bits) == (None, 1)


def hoard() -> list[bytearray]:
    kept = []
    while True:
        kept.append(bytearray(b"x") * 1_000_000)
        time.sleep(0.001)


def test_a_step_that_takes_too_much_memory_is_interrupted() -> None:
    started = time.monotonic()
    with pytest.raises(OverMemoryError):
        within(MEMORY, hoard)
    assert time.monotonic() - started < 20
    assert within(MEMORY, lambda: 7) == 7


class GreedyScreen(SlowScreen):
    def screen_each(self, documents: Sequence[tuple[Sequence[Segment], str]]) -> list[Screening]:
        if any(len(segment.text) > BEGINNING for segments, _ in documents for segment in segments):
            hoard()
        return [Screening(bits=1, positive=True) for _ in documents]


def test_a_text_that_takes_too_much_memory_is_partial_and_its_neighbours_are_not() -> None:
    documents = iter([document("a", "short"), document("b", "x" * 30_000), document("c", "short")])
    screened = list(screen_documents(stream(), documents, cast(Screen, GreedyScreen()), MEMORY))
    assert [(one.status, one.reason, screening.bits) for one, screening in screened] == [
        (Status.COMPLETE, "", 1),
        (Status.PARTIAL, "screening limit (150,000,000 bytes)", 1),
        (Status.COMPLETE, "", 1),
    ]
