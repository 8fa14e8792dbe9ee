"""The stages work lazily on few documents at a time, and a document that cannot be judged is failed, never clear."""

import pickle
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import cast

import pytest

from classifiers.health import HealthModel
from core.records import Candidate, Document, FileRef, HealthVerdict, Passage, Role, Screening, Segment, Status
from pipelines.stages.health import classify_documents
from pipelines.stages.screen import screen_documents
from pipelines.stages.stream import Stream
from screening.screen import Screen

SECRET = "046 454 286"


def document(name: str, text: str = "x") -> Document:
    ref = FileRef(name, name.encode(), len(text), 0)
    return Document(ref, name, None, len(text), None, "text/plain", Status.COMPLETE, segments=(Segment("", text),))


def whole(text: str) -> Candidate:
    return Candidate(Passage(0, len(text), "paragraph 1"), Role.SUBJECT, person=0, bits=1, replaced=())


def stream() -> Stream:
    return Stream(0, iter(()), [])


class BrokenScreen:
    """Fails on any batch that holds the secret; finds as many persons in any other text as it has letters."""

    def screen_each(self, documents: Sequence[tuple[Sequence[Segment], str]]) -> list[Screening]:
        if any(SECRET in segments[0].text for segments, _ in documents):
            raise ValueError(documents)
        return [Screening(persons=len(segments[0].text)) for segments, _ in documents]


class ModelThatStumbles:
    """Fails on any batch that holds the text `bad`."""

    passages = None  # a model from before passages

    def classify_passages(self, texts: Sequence[str]) -> list[HealthVerdict]:
        if "bad" in texts:
            raise ValueError(texts)
        return [HealthVerdict(0.5, True) for _ in texts]


def test_a_stream_cannot_be_pickled() -> None:
    with pytest.raises(TypeError, match="fused stage"):
        pickle.dumps(stream())


@pytest.mark.parametrize(("size", "most"), [(1, 64), (100_000, 4), (300_000, 2), (1_000_000, 1)])
def test_few_documents_are_pulled_at_a_time(size: int, most: int) -> None:
    pulled: list[str] = []

    def documents() -> Iterator[Document]:
        for number in range(500):
            pulled.append(str(number))
            yield document(str(number), "x" * size)

    screened = screen_documents(stream(), documents(), cast(Screen, BrokenScreen()))
    next(screened)
    assert len(pulled) == most


def test_screenings_stay_with_their_documents() -> None:
    texts = ["a", "bb", SECRET, "dddd", "", "f" * 500_000, "ggg"]
    documents = [document(str(number), text) for number, text in enumerate(texts)]
    documents[4] = replace(documents[4], segments=())
    screened = list(screen_documents(stream(), iter(documents), cast(Screen, BrokenScreen())))
    assert [each.uri for each, _ in screened] == [str(number) for number in range(len(texts))]
    # The one without text has a name of one letter.
    assert [screening and screening.persons for _, screening in screened] == [1, 2, 0, 4, 1, 500_000, 3]
    assert [each.status for each, _ in screened] == [
        Status.FAILED if text == SECRET else Status.COMPLETE for text in texts
    ]


def test_a_text_that_breaks_the_screen_is_failed_without_its_text() -> None:
    ((failed, screening),) = screen_documents(stream(), iter([document("a", SECRET)]), cast(Screen, BrokenScreen()))
    assert (failed.status, failed.reason, failed.segments) == (Status.FAILED, "screening raised ValueError", ())
    assert screening == Screening()


def test_one_text_that_breaks_the_health_stage_fails_alone() -> None:
    texts = ("good", "bad", "fine")
    screened = iter([(document(text, text), Screening(positive=True, candidates=(whole(text),))) for text in texts])
    model = cast(HealthModel, ModelThatStumbles())
    records = {record.uri: record for record in classify_documents(stream(), screened, model, batch=10, scan_id="s")}
    assert {uri: record.status for uri, record in records.items()} == {
        "good": Status.COMPLETE,
        "bad": Status.FAILED,
        "fine": Status.COMPLETE,
    }
    assert records["good"].referred and records["fine"].referred and not records["bad"].referred


def test_time_and_bytes_are_booked_per_stage() -> None:
    booked = stream()
    list(screen_documents(booked, iter([document("a", "four")]), cast(Screen, BrokenScreen())))
    assert booked.figures["screen"]["bytes"] == 4
    assert booked.figures["screen"]["seconds"] > 0
