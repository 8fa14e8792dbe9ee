"""A text that comes in parts is judged as if it had come at once."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from classifiers.health import HealthModel
from core.records import Document, FileRecord, FileRef, HealthVerdict, Role, Screening, Segment, Status
from pipelines.stages.health import classify_documents
from pipelines.stages.screen import screen_documents
from pipelines.stages.stream import Stream
from pipelines.stages.windows import in_windows
from screening.ruleset.ruleset import load_rules
from screening.screen import Screen

LINES = (
    "Patient: Mary Sloan\n",
    "SIN 517 238 432\n",
    "call 613-555-0142 or write to mary@example.org\n",
    "she lives at 12 Elm Street, Ottawa\n",
    "her asthma was bad, and nothing else is to be told of that day\n",
    "\n",
)
SCREEN = Screen(load_rules(), b"k" * 32, evidence=10_000)
REPEATED = 200


def parts(text: str, step: int) -> Iterator[Document]:
    """As the sandbox gives them: new text, after the end of the part before."""
    ref = FileRef("/long.txt", b"/long.txt", len(text), 0)
    repeated, offset = "", 0
    for start in range(0, len(text), step):
        part = repeated + text[start : start + step]
        after = part[-REPEATED:] if start + step < len(text) else ""
        segments = (Segment("", part),)
        yield Document(
            ref,
            ref.uri,
            None,
            len(text),
            None,
            "text/plain",
            Status.COMPLETE,
            "",
            segments,
            offset,
            len(repeated),
            len(after),
        )
        repeated, offset = after, offset + len(part) - len(after)


def stream() -> Stream:
    return Stream(0, iter(()), [])


def found_by_patterns(screening: Screening) -> tuple[dict[str, int], list[tuple[str, int, int]]]:
    """What a name or a person is taken for can depend on what stands far away; what patterns find cannot."""
    kinds = {"phone_number", "email", "sin"}
    counts = {name: count for name, count in screening.counts if name in kinds}
    return counts, [
        (piece.characteristic, piece.start, piece.end) for piece in screening.evidence if piece.characteristic in kinds
    ]


class ModelThatReads:
    """Nearer, the more often a passage says `asthma`."""

    passages = None  # a model from before passages

    def classify_passages(self, texts: Sequence[str]) -> list[HealthVerdict]:
        return [HealthVerdict(1 / (1 + text.count("asthma")), "asthma" in text, threshold=1.0) for text in texts]


class ModelThatStumbles:
    passages = None  # a model from before passages

    def classify_passages(self, texts: Sequence[str]) -> list[HealthVerdict]:
        raise ValueError(texts)


class ScreenThatStumbles:
    def find(self, segments: Sequence[Segment], window: object, uri: str) -> Screening:
        raise ValueError(segments[0].text)


def records(text: str, step: int, screen: object = SCREEN, model: object = None) -> list[FileRecord]:
    screened = screen_documents(stream(), parts(text, step), cast(Screen, screen))
    return list(
        classify_documents(stream(), screened, cast(HealthModel, model or ModelThatReads()), batch=4, scan_id="s")
    )


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(LINES), min_size=30, max_size=120), st.integers(REPEATED * 2, 2_000))
def test_parts_are_screened_as_the_whole_is(lines: list[str], step: int) -> None:
    text = "".join(lines)
    (record,) = records(text, step)
    assert found_by_patterns(record.screening) == found_by_patterns(SCREEN.screen([Segment("", text)]))
    assert record.chars == len(text)


def test_a_text_in_parts_has_one_record_with_the_nearest_verdict() -> None:
    before = "".join(LINES[:5]) + "nothing\n" * 100
    (record,) = records(before + LINES[0] + LINES[4] * 3 + "nothing\n" * 100, 500)
    assert record.referred
    assert record.health is not None and record.health.distance == pytest.approx(1 / 4)
    assert record.health.role is Role.SUBJECT
    assert 0 < record.health.passages.positive <= record.health.passages.judged
    place = int(record.health.strongest.removeprefix("character ").replace(",", ""))
    assert len(before) - 700 < place <= len(before)  # 700: the longest window


def test_the_person_of_the_strongest_passage_is_found_from_the_start_of_the_file() -> None:
    (record,) = records("nothing\n" * 200 + "".join(LINES[:4]) + LINES[4] * 3, 500)
    assert record.health is not None and record.health.person == 1


@pytest.mark.parametrize("shift", range(2_600, 3_400, 50))
def test_no_passage_is_lost_between_two_windows(shift: int) -> None:
    text = "plain words\n\n" * (shift // 13) + LINES[0] + LINES[4] + "\n" + "plain words\n\n" * 300
    (record,) = records(text, 2_850)  # in the first window a passage begins right before the edge
    assert record.referred


def test_what_is_not_screened_positive_has_no_verdict() -> None:
    (record,) = records(LINES[4] * 50, 500)
    assert record.health is None and not record.referred


@pytest.mark.parametrize(
    ("screen", "model", "reason"),
    [
        (ScreenThatStumbles(), None, "screening raised ValueError"),
        (SCREEN, ModelThatStumbles(), "health stage raised ValueError"),
    ],
)
def test_a_part_that_cannot_be_judged_fails_the_file(screen: object, model: object, reason: str) -> None:
    (record,) = records("".join(LINES) * 20, 500, screen, model)
    assert (record.status, record.reason, record.referred) == (Status.FAILED, reason, False)


def test_a_long_text_is_screened_in_windows_and_counted_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """As members of archives come: in one piece, however long they are."""
    text = "".join(LINES[number % 5] + f"visit {number}\n" for number in range(400))
    ref = FileRef("/long.gz", b"/long.gz", len(text), 0)
    segments = (Segment("", text),)
    whole = Document(ref, "/long.gz!a", "/long.gz", len(text), None, "text/plain", Status.PARTIAL, "why", segments)
    ((_, expected),) = screen_documents(stream(), iter([whole]), SCREEN)
    monkeypatch.setattr("pipelines.stages.windows.LONG", 6_000)
    monkeypatch.setattr("pipelines.stages.windows.WINDOW", 4_000)
    monkeypatch.setattr("pipelines.stages.windows.REPEATED", REPEATED)
    *others, (last, screening) = screen_documents(stream(), iter([whole]), SCREEN)
    assert len(others) >= 4 and all(document.more for document, _ in others)
    assert (last.status, last.reason, last.offset + last.chars) == (Status.PARTIAL, "why", len(text))
    assert found_by_patterns(screening) == found_by_patterns(expected)
    assert screening.positive == expected.positive


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text("ab\n", max_size=40), min_size=1, max_size=30), st.integers(12, 60), st.integers(1, 5))
def test_windows_of_several_segments_are_the_joined_text_piece_by_piece(
    texts: list[str], size: int, repeated: int
) -> None:
    segments = tuple(Segment(f"page {number}", text) for number, text in enumerate(texts, start=1))
    ref = FileRef("/a.pdf", b"/a.pdf", 1, 0)
    whole = Document(ref, ref.uri, None, 1, None, "application/pdf", Status.COMPLETE, "", segments)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("LONG", size), ("WINDOW", size), ("REPEATED", repeated)):
            patch.setattr(f"pipelines.stages.windows.{name}", value)
        windows = list(in_windows(iter([whole])))
    for window in windows:
        assert window.text == whole.text[window.offset : window.offset + len(window.text)]
        assert all(segment.text in texts[int(segment.where[5:]) - 1] for segment in window.segments)
    assert windows[0].offset == 0 and windows[-1].offset + len(windows[-1].text) == len(whole.text)
    for before, after in pairwise(windows):
        assert before.offset + len(before.text) - before.repeated_after == after.offset
        assert before.repeated_after == after.repeated_before == repeated
    last = windows[-1]
    assert last.offset - last.joints_before + last.chars == whole.chars


def test_a_long_document_of_many_pages_is_screened_in_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = ["".join(LINES[number % 5] + f"visit {number}\n" for number in range(page, page + 9)) for page in range(60)]
    segments = tuple(Segment(f"page {number}", text) for number, text in enumerate(pages, start=1))
    ref = FileRef("/long.pdf", b"/long.pdf", 1, 0)
    whole = Document(ref, ref.uri, None, 1, None, "application/pdf", Status.COMPLETE, "", segments)
    ((_, expected),) = screen_documents(stream(), iter([whole]), SCREEN)
    monkeypatch.setattr("pipelines.stages.windows.LONG", 6_000)
    monkeypatch.setattr("pipelines.stages.windows.WINDOW", 4_000)
    monkeypatch.setattr("pipelines.stages.windows.REPEATED", REPEATED)
    *others, (_, screening) = screen_documents(stream(), iter([whole]), SCREEN)
    assert len(others) >= 2 and all(document.more for document, _ in others)
    assert found_by_patterns(screening) == found_by_patterns(expected)
    assert {(piece.start, piece.where) for piece in screening.evidence if piece.characteristic == "sin"} == {
        (piece.start, piece.where) for piece in expected.evidence if piece.characteristic == "sin"
    }


def table(text: str) -> Document:
    ref = FileRef("/a.csv", b"/a.csv", 1, 0)
    return Document(ref, ref.uri, None, 1, None, "text/csv", Status.COMPLETE, "", (Segment("", text),))


def test_the_heading_of_a_long_table_is_above_the_rows_of_every_window() -> None:
    heading = "id,name,remark"
    rows = [f"{number},Mary Sloan,paid by card" for number in range(200_000)]
    text = "\n".join([heading, *rows])
    windows = list(in_windows(iter([table(text)])))
    assert len(windows) > 1
    for window in windows[1:]:
        (segment,) = window.segments
        before, _, after = segment.text.partition(f"\n{heading}\n")
        assert not before.strip() and len(before) < window.repeated_before // 2
        own = text[window.offset : window.offset + len(segment.text)]
        assert own.endswith(after) and own[own.index(after) - 1] == "\n"  # whole rows, at their places


def test_other_long_texts_come_as_they_are() -> None:
    text = "The committee met again and spoke.\n" * 100_000
    for window in in_windows(iter([table(text)])):
        assert window.text == text[window.offset : window.offset + len(window.text)]
