"""A text beyond the read limit comes whole, window after window, and ends in one status."""

import hashlib
import io
import itertools
import json
import os
import signal
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.records import Document, FileRef, Status
from core.settings import LimitSettings
from extraction.examine import examine
from extraction.readers.text.decode import StreamDecoder, decode
from extraction.sandbox import Sandbox
from extraction.sandbox.assembly import REPEATED

LIMITS = LimitSettings(file_seconds=20, read_bytes=100_000, window_bytes=65_536, streamed_bytes=2_000_000)
Examine = Callable[..., list[Document]]


@pytest.fixture(scope="module")
def narrow() -> Iterator[Sandbox]:
    with Sandbox(LIMITS) as made:
        yield made


def lines(count: int, line: str = "line {} of a long text\n") -> str:
    return "".join(line.format(number) for number in range(count))


def joined(windows: list[Document]) -> str:
    """The text that the windows make up; each must begin with the end of the one before."""
    text = ""
    for window in windows:
        assert window.offset == len(text) - window.repeated_before
        assert window.text[: window.repeated_before] == text[window.offset :]
        text = text[: window.offset] + window.text
    return text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32-be", "cp1252", "shift_jis", "utf-8-sig"])
def test_all_of_the_text_comes_in_any_encoding(examined: Examine, narrow: Sandbox, encoding: str) -> None:
    japanese = "第{}行：病院で診察を受けた人の記録です。\n"
    text = lines(9_000, japanese if encoding == "shift_jis" else "Zeile {} für Jürgen, déjà vu\n")
    windows = examined(text.encode(encoding), within=narrow)
    assert joined(windows) == text
    assert [window.more for window in windows] == [True] * (len(windows) - 1) + [False]
    assert len(windows) > 3
    last = windows[-1]
    assert (last.status, last.reason, last.sha256) == (
        Status.COMPLETE,
        "",
        hashlib.sha256(text.encode(encoding)).hexdigest(),
    )


def test_parts_repeat_enough_to_keep_any_identifier_whole(examined: Examine, narrow: Sandbox) -> None:
    windows = examined(lines(20_000).encode(), within=narrow)
    assert {window.repeated_before for window in windows[1:]} == {REPEATED}
    assert [before.repeated_after for before in windows[:-1]] == [after.repeated_before for after in windows[1:]]


def test_letters_beyond_ascii_that_come_late_are_told_from_where_they_stand(examined: Examine, narrow: Sandbox) -> None:
    text = lines(5_000) + lines(5_000, "Frau Müller hört Nummer {}\n")
    assert joined(examined(text.encode("cp1252"), within=narrow)) == text


@pytest.mark.parametrize("name", ["records.ndjson", "page.html", "tree.xml", "table.csv"])
def test_markup_is_read_as_plain_text_there(examined: Examine, narrow: Sandbox, name: str) -> None:
    row = {"ndjson": json.dumps({"a": 1}) + "\n", "html": "<p>a</p>\n", "xml": "<b>c</b>\n", "csv": "a,b,c\n"}[
        name.rpartition(".")[2]
    ]
    text = {"page.html": "<!DOCTYPE html><html>", "tree.xml": '<?xml version="1.0"?><a>'}.get(name, "") + row * 20_000
    windows = examined(text.encode(), name, within=narrow)
    assert joined(windows) == text
    assert windows[-1].status is Status.COMPLETE


def test_beyond_the_streamed_bytes_it_is_partial(examined: Examine, narrow: Sandbox) -> None:
    windows = examined(b"x" * 2_000_001, within=narrow)
    last = windows[-1]
    assert (last.status, last.reason, last.sha256) == (Status.PARTIAL, "streamed text limit (2,000,000 bytes)", None)
    assert len(joined(windows)) == 2_000_000


def test_a_text_that_changes_after_its_first_part_is_partial(tmp_path: Path, narrow: Sandbox) -> None:
    path = tmp_path / "growing.log"
    path.write_bytes(b"one line\n" * 40_000)
    documents = examine(FileRef(str(path), os.fsencode(path), 0, 0), narrow)
    first = next(documents)
    with path.open("ab") as log:
        log.write(b"another line\n")
    *_, last = documents
    assert first.more and not last.more
    assert (last.status, last.reason) == (Status.PARTIAL, "changed while it was read")


def test_a_parser_that_dies_on_the_way_leaves_what_came_before(tmp_path: Path) -> None:
    path = tmp_path / "long.txt"
    path.write_bytes(b"one line\n" * 1_000_000)
    with Sandbox(LimitSettings(file_seconds=20, read_bytes=100_000, window_bytes=65_536)) as sandbox:
        documents = examine(FileRef(str(path), os.fsencode(path), 0, 0), sandbox)
        came = list(itertools.islice(documents, 3))
        os.kill(sandbox.child_pid, signal.SIGKILL)
        came += documents
    assert [window.more for window in came] == [True] * (len(came) - 1) + [False]
    assert (came[-1].status, came[-1].reason) == (Status.PARTIAL, "crashed the parser (SIGKILL)")


def test_a_member_is_never_read_in_windows(examined: Examine, narrow: Sandbox) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("long.txt", lines(20_000))
    inner, outer = examined(packed.getvalue(), "a.zip", within=narrow)
    assert (inner.more, inner.status, inner.text) == (False, Status.COMPLETE, lines(20_000))
    assert outer.status is Status.CONTAINER


@given(st.text(max_size=300), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]), st.integers(1, 40))
def test_piece_by_piece_is_the_same_as_at_once(text: str, encoding: str, step: int) -> None:
    data = text.encode(encoding)
    decoder = StreamDecoder(data)
    starts = range(0, max(1, len(data)), step)
    assert "".join(
        decoder.decode(data[start : start + step], last=start + step >= len(data)) for start in starts
    ) == decode(data)
