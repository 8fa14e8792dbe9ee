import dataclasses
import hashlib
import io
import os
import signal
import struct
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import extraction.sandbox.sandbox as sandbox_module
from core.errors import SandboxError
from core.records import Document, FileRef, Status
from core.settings import LimitSettings
from extraction.examine import examine, examine_each
from extraction.sandbox import Protection, Sandbox, probe
from extraction.sandbox.assembly import Assembly
from extraction.sandbox.frames import FrameError, FrameKind, FrameReader, FrameWriter, frame
from extraction.sandbox.reasons import OTHER, WORDS_FILE
from extraction.sandbox.sandbox import Question
from tests.extraction.reason_words import reason_words

LIMITS = LimitSettings(file_seconds=60, memory_bytes=800_000_000, expanded_bytes=5_000_000)
IMPATIENT = dataclasses.replace(LIMITS, file_seconds=1.5)


def ref_to(path: Path) -> FileRef:
    return FileRef(uri=str(path), path=os.fsencode(path), size=0, mtime_ns=0)


def question(path: Path, descriptor: int) -> Question:
    return Question(ref_to(path), descriptor, os.fstat(descriptor).st_size)


def with_rogue_format(limits: LimitSettings) -> Iterator[Sandbox]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parent))
        with Sandbox(limits, plugins=("rogue_format",)) as made:
            yield made


@pytest.fixture(scope="module")
def rogue() -> Iterator[Sandbox]:
    yield from with_rogue_format(LIMITS)


@pytest.fixture(scope="module")
def impatient() -> Iterator[Sandbox]:
    yield from with_rogue_format(IMPATIENT)


def examined(data: bytes, tmp_path: Path, sandbox: Sandbox) -> list[Document]:
    path = tmp_path / "file"
    path.write_bytes(data)
    return list(examine(ref_to(path), sandbox))


@pytest.mark.parametrize(
    ("deed", "status", "reason", "text"),
    [
        ("segfault", Status.FAILED, "crashed the parser (SIGSEGV)", ""),
        ("abort", Status.FAILED, "crashed the parser (SIGABRT)", ""),
        ("exit", Status.FAILED, "crashed the parser (exit 7)", ""),
        ("quit", Status.FAILED, "crashed the parser (exit 1)", ""),
        ("hog", Status.PARTIAL, "memory limit (800,000,000 bytes)", "before the hog"),
        ("babble", Status.FAILED, "crashed the parser (broken protocol)", ""),
        ("leak", Status.FAILED, "corrupt (ValueError)", ""),
        ("panic", Status.FAILED, "corrupt (PanicException)", ""),
        ("surrogates", Status.COMPLETE, "", "a\ufffdb"),
        ("locked", Status.ENCRYPTED, "encrypted mail", ""),
    ],
)
def test_a_misdeed_ends_in_a_status_and_the_next_file_is_read(
    rogue: Sandbox, tmp_path: Path, deed: str, status: Status, reason: str, text: str
) -> None:
    (document,) = examined(b"\x7fELF " + deed.encode(), tmp_path, rogue)
    assert (document.status, document.reason, document.text) == (status, reason, text)
    assert document.media_type == "application/x-executable" or deed == "babble"
    (following,) = examined(b"an honest file", tmp_path, rogue)
    assert (following.status, following.text) == (Status.COMPLETE, "an honest file")


@pytest.mark.parametrize(
    ("deed", "status", "text"),
    [
        ("hang", Status.FAILED, ""),
        ("signals", Status.FAILED, ""),
        ("say-and-hang", Status.PARTIAL, "said before\nsaid later"),
    ],
)
def test_a_time_out_keeps_the_text_so_far(
    impatient: Sandbox, tmp_path: Path, deed: str, status: Status, text: str
) -> None:
    (document,) = examined(b"\x7fELF " + deed.encode(), tmp_path, impatient)
    assert (document.status, document.reason, document.text) == (status, "timed out after 1.5 s", text)
    assert document.sha256 is not None


def test_a_child_that_was_taken_over_sees_no_other_file(rogue: Sandbox, tmp_path: Path) -> None:
    contents = {"a.txt": b"before", "b": b"\x7fELF poison", **{f"c{number}.txt": b"after it" for number in range(6)}}
    refs = []
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
        refs.append(ref_to(tmp_path / name))
    texts = [document.text for document in examine_each(refs, rogue)]
    assert texts == ["before", "", *["after it"] * 6]


@pytest.mark.parametrize(
    ("content", "files"),
    [
        (b"a text", 60),
        (b'{"a": 1}', 60),
        (b"<html><body><p>a</p></body></html>", 20),
        (b"\x7fELF slow", 1),
        (b"%PDF-1.4 nothing", 1),
    ],
)
def test_how_many_files_share_a_child(tmp_path: Path, content: bytes, files: int) -> None:
    """Plain text is read by Python alone; pages by a library that the whole world tests; the rest by anything."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parent))
        with Sandbox(dataclasses.replace(LIMITS, recycle_files=60), plugins=("rogue_format",)) as made:
            pids = []
            for _ in range(files + 1):
                pids.append(made.child_pid)
                examined(content, tmp_path, made)
    assert len(set(pids[:-1])) == 1 and pids[-1] != pids[0]


def test_a_child_cannot_name_the_hash_of_another_file(rogue: Sandbox, tmp_path: Path) -> None:
    content = b"\x7fELF name-another"
    (document,) = examined(content, tmp_path, rogue)
    assert (document.status, document.sha256) == (Status.COMPLETE, hashlib.sha256(content).hexdigest())


@pytest.mark.parametrize(
    ("reason", "kept"),
    [
        ("text limit (5,000,000 bytes)", True),
        ("corrupt (BadZipFile)", True),
        ("zip compression method 98 (PPMd)", True),
        ("password-protected zip entry", True),
        ("3 pages hold only pictures (no tesseract)", True),
        ("Mary Jones, SSN 219-09-9999", False),
        ("corrupt (MaryJonesError)", False),
        ("zip compression method 219099999", False),
        ("corrupt 21 90 99 99 9", False),
        ("corrupt \u202eevil", False),
        ("corrupt <b>", False),
        ("corrupt " * 40, False),
    ],
)
def test_reasons_are_those_that_our_code_can_give(rogue: Sandbox, tmp_path: Path, reason: str, kept: bool) -> None:
    (document,) = examined(f"\x7fELF tell {reason}".encode(), tmp_path, rogue)
    assert (document.status, document.text) == (Status.PARTIAL, "said before")
    assert document.reason == (reason if kept else OTHER)


def test_every_word_of_our_reasons_is_known() -> None:
    """After a change, `python -m tests.extraction.reason_words` records them."""
    assert WORDS_FILE.read_text(encoding="ascii").split() == reason_words()


def test_names_of_members_count_as_text(rogue: Sandbox, tmp_path: Path) -> None:
    """8,000 empty members with names of 900 characters: their names alone are beyond the limit."""
    names = [f"{number:04}" + "n" * 896 for number in range(8_000)]
    documents = examined(archive_of(*((name, b"") for name in names)), tmp_path, rogue)
    assert (documents[-1].status, documents[-1].reason) == (Status.PARTIAL, "text limit (5,000,000 bytes)")
    assert sum(len(document.uri) for document in documents) < 6_500_000


def test_a_child_that_hangs_up_is_a_crash(rogue: Sandbox, tmp_path: Path) -> None:
    (document,) = examined(b"\x7fELF close", tmp_path, rogue)
    assert document.status is Status.FAILED
    assert document.reason.startswith("crashed the parser (")


def test_a_flood_of_text_meets_the_limit(rogue: Sandbox, tmp_path: Path) -> None:
    (document,) = examined(b"\x7fELF flood", tmp_path, rogue)
    assert (document.status, document.reason, document.chars) == (
        Status.PARTIAL,
        "text limit (5,000,000 bytes)",
        5_000_000,
    )


def archive_of(*members: tuple[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in members:
            archive.writestr(name, data)
    return out.getvalue()


def test_a_member_that_kills_the_parser_does_not_hide_the_others(rogue: Sandbox, tmp_path: Path) -> None:
    inner = archive_of(("x.txt", b"inside"), ("bad", b"\x7fELF abort"))
    data = archive_of(("a.txt", b"one"), ("bad", b"\x7fELF segfault"), ("in.zip", inner), ("z.txt", b"last"))
    documents = examined(data, tmp_path, rogue)
    outer = documents[-1]
    results = {
        document.uri.removeprefix(outer.uri): (document.status, document.reason, document.text)
        for document in documents
    }
    assert len(results) == len(documents)
    assert results == {
        "": (Status.CONTAINER, "", ""),
        "!a.txt": (Status.COMPLETE, "", "one"),
        "!bad": (Status.FAILED, "crashed the parser (SIGSEGV)", ""),
        "!in.zip!x.txt": (Status.COMPLETE, "", "inside"),
        "!in.zip!bad": (Status.FAILED, "crashed the parser (SIGABRT)", ""),
        "!in.zip": (Status.CONTAINER, "", ""),
        "!z.txt": (Status.COMPLETE, "", "last"),
    }


def test_an_archive_full_of_killers_is_given_up_and_said(rogue: Sandbox, tmp_path: Path) -> None:
    documents = examined(archive_of(*((f"{number}", b"\x7fELF exit") for number in range(40))), tmp_path, rogue)
    assert (documents[-1].status, documents[-1].reason) == (Status.PARTIAL, "crashed the parser too often")
    assert all(document.status is Status.FAILED for document in documents[:-1])


def test_a_member_that_hangs_is_given_up_alone(impatient: Sandbox, tmp_path: Path) -> None:
    inner = archive_of(("bad", b"\x7fELF say-and-hang"), ("y.txt", b"inside"))
    data = archive_of(("a.txt", b"one"), ("bad", b"\x7fELF hang"), ("in.zip", inner), ("z.txt", b"last"))
    documents = examined(data, tmp_path, impatient)
    outer = documents[-1].uri
    results = {
        document.uri.removeprefix(outer): (document.status, document.reason, document.text) for document in documents
    }
    late = "timed out after 1.5 s"
    assert results == {
        "": (Status.CONTAINER, "", ""),
        "!a.txt": (Status.COMPLETE, "", "one"),
        "!bad": (Status.FAILED, late, ""),
        "!in.zip!bad": (Status.PARTIAL, late, "said before\nsaid later"),
        "!in.zip!y.txt": (Status.COMPLETE, "", "inside"),
        "!in.zip": (Status.CONTAINER, "", ""),
        "!z.txt": (Status.COMPLETE, "", "last"),
    }


def test_an_archive_full_of_hanging_members_is_given_up_and_said(impatient: Sandbox, tmp_path: Path) -> None:
    members = [(f"{number}", b"\x7fELF hang") for number in range(9)]
    documents = examined(archive_of(("a.txt", b"one"), *members), tmp_path, impatient)
    assert [document.status for document in documents] == [Status.COMPLETE, *[Status.FAILED] * 4, Status.PARTIAL]
    assert documents[-1].reason == "timed out after 1.5 s"


def test_many_slow_members_share_the_time_of_the_file(impatient: Sandbox, tmp_path: Path) -> None:
    documents = examined(archive_of(*((f"{number}", b"\x7fELF slow") for number in range(6))), tmp_path, impatient)
    assert documents[-1].status is Status.PARTIAL
    assert len(documents) < 6


def test_a_crash_between_two_members_is_not_the_fault_of_the_first(rogue: Sandbox, tmp_path: Path) -> None:
    first, outer = examined(b"\x7fELF between", tmp_path, rogue)
    assert (first.status, first.text) == (Status.COMPLETE, "said before")
    assert (outer.status, outer.reason) == (Status.FAILED, "crashed the parser (SIGABRT)")


def test_a_file_that_cannot_be_read_after_all_is_unreadable(rogue: Sandbox, tmp_path: Path) -> None:
    descriptor = os.open(tmp_path, os.O_RDONLY)
    try:
        (document,) = rogue.answers(question(tmp_path, descriptor))
    finally:
        os.close(descriptor)
    assert (document.status, document.reason) == (Status.UNREADABLE, "input/output error")


def test_children_are_replaced_after_their_share(tmp_path: Path) -> None:
    with Sandbox(LimitSettings(recycle_files=2)) as made:
        pids = []
        for _ in range(5):
            pids.append(made.child_pid)
            examined(b"x", tmp_path, made)
    assert [pids[0] == pids[1], pids[1] == pids[2], pids[2] == pids[3], pids[3] == pids[4]] == [
        True,
        False,
        True,
        False,
    ]


def test_a_reader_who_stops_early_leaves_a_usable_sandbox(rogue: Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(archive_of(*((f"{number}.txt", b"x" * 1000) for number in range(500))))
    descriptor = os.open(path, os.O_RDONLY)
    documents = rogue.answers(question(path, descriptor))
    next(iter(documents))
    documents.close()  # type: ignore[attr-defined]
    os.close(descriptor)
    (following,) = examined(b"an honest file", tmp_path, rogue)
    assert following.text == "an honest file"


def test_a_zygote_that_dies_is_started_again(tmp_path: Path) -> None:
    with Sandbox(LimitSettings()) as made:
        made._zygote._process.kill()
        made._zygote._process.wait()
        (document,) = examined(b"an honest file", tmp_path, made)
    assert document.text == "an honest file"


def test_no_file_fails_with_a_zygote_that_is_dying(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with Sandbox(LimitSettings()) as made:
        examined(b"a file before", tmp_path, made)
        dying = made._zygote._process
        dying.kill()
        dying.wait()
        monkeypatch.setattr(dying, "poll", lambda: None)  # its end is not seen yet
        (document,) = examined(b"an honest file", tmp_path, made)
    assert document.text == "an honest file"


@pytest.mark.parametrize("recycle_files", [1, 2])
def test_a_zygote_that_is_stopped_costs_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recycle_files: int
) -> None:
    monkeypatch.setattr("extraction.sandbox.processes.ANSWER_SECONDS", 2.0)
    with Sandbox(dataclasses.replace(IMPATIENT, recycle_files=recycle_files)) as made:
        for _ in range(3):
            assert made.child_pid  # so that there is a zygote
            os.kill(made._zygote._process.pid, signal.SIGSTOP)
            (document,) = examined(b"an honest file", tmp_path, made)
            assert (document.status, document.text) == (Status.COMPLETE, "an honest file")


def test_a_size_that_cannot_be_hides_no_other_member(rogue: Sandbox, tmp_path: Path) -> None:
    """The directory claims 2^64-1 bytes of a locked entry; sizes are kept as numbers of 64 bits with a sign."""
    data = archive_of(("locked", b"abc"), ("z.txt", b"last"))
    place = data.index(b"PK\x01\x02")
    claim = struct.pack("<HHQ", 1, 8, 2**64 - 1)
    entry = bytearray(data[place : place + 46 + len("locked")] + claim)
    entry[8] |= 1  # encrypted
    entry[24:28], entry[30:32] = b"\xff" * 4, struct.pack("<H", len(claim))
    end = bytearray(data[-22:])
    end[12:16] = struct.pack("<I", struct.unpack_from("<I", end, 12)[0] + len(claim))
    rest = data[place + 46 + len("locked") : -22]
    locked, following, outer = examined(data[:place] + bytes(entry) + rest + bytes(end), tmp_path, rogue)
    assert (locked.status, locked.size) == (Status.ENCRYPTED, 10**18 - 1)
    assert (following.status, following.text, outer.status) == (Status.COMPLETE, "last", Status.CONTAINER)


def test_closing_leaves_no_process(tmp_path: Path) -> None:
    made = Sandbox(LimitSettings())
    child, zygote = made.child_pid, made._zygote._process.pid
    made.close()
    assert not Path(f"/proc/{child}").exists()
    assert not Path(f"/proc/{zygote}").exists()


def test_secrets_of_the_environment_stay_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEAKSCREEN_HMAC_KEY", "very-secret-key")
    with Sandbox(LimitSettings()) as made:
        environment = Path(f"/proc/{made._zygote._process.pid}/environ").read_bytes()
    assert b"PYTHONPATH" in environment
    assert b"very-secret-key" not in environment


def test_without_any_protection_it_refuses_unless_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox_module, "probe", lambda: Protection(0, False))
    with pytest.raises(SandboxError, match=r"privacy\.sandbox"):
        Sandbox(LimitSettings())
    Sandbox(LimitSettings(), require=False).close()


def test_probing_tells_and_changes_nothing() -> None:
    protection = probe()
    assert protection == probe()
    assert protection.as_dict() == {
        "landlock_abi": protection.landlock_abi,
        "seccomp": protection.seccomp,
        "rlimits": True,
    }
    assert os.fork.__name__ == "fork"
    Path(os.devnull).read_bytes()


REF = FileRef("/x", b"/x", 0, 0)
HOSTILE_FRAMES = [
    [(FrameKind.READY, b"1\x001")],
    [(FrameKind.MORE_TEXT, b"x")],
    [(FrameKind.TEXT, b"no separator")],
    [(FrameKind.TEXT, b"w" * 500 + b"\0text")],
    [(FrameKind.IDENTIFIED, b"text/plain")],
    [(FrameKind.IDENTIFIED, b"text plain\0\x005")],
    [(FrameKind.IDENTIFIED, b"text/plain\0abc\x005")],
    [(FrameKind.IDENTIFIED, b"text/plain\0\x00-5")],
    [(FrameKind.END, b"fine\0")],
    [(FrameKind.END, b"complete\0"), (FrameKind.END, b"complete\0")],
    [(FrameKind.START, b"")],
    [(FrameKind.START, b"a\nb")],
    [(FrameKind.START, "a\u202eb".encode())],
    [(FrameKind.START, "a\u2066b".encode())],
    [(FrameKind.START, "a\x85b".encode())],
    [(FrameKind.START, b"n" * 20_000)],
    [(FrameKind.START, b"n" * 900), (FrameKind.END, b"complete\0"), (FrameKind.START, b"m" * 900)],
    [(FrameKind.IDENTIFIED, b"text/219099999\0\x005")],
    [(FrameKind.START, b"a"), (FrameKind.START, b"b")],
    [(FrameKind.START, b"a"), (FrameKind.END, b"complete\0"), (FrameKind.START, b"a")],
    [(FrameKind.START, b"a"), (FrameKind.START, b"a!b"), (FrameKind.START, b"a!b!c"), (FrameKind.START, b"a!b!c!d")],
    [(FrameKind.TEXT, b"\0" + b"x" * 600)] * 2,
]


@pytest.mark.parametrize("frames", HOSTILE_FRAMES)
def test_a_child_that_lies_is_found_out(frames: list[tuple[FrameKind, bytes]]) -> None:
    assembly = Assembly(REF, LimitSettings(depth=1, expanded_bytes=1000), 0)
    with pytest.raises(FrameError):
        for kind, payload in frames:
            assembly.take(kind, payload)


def test_windows_without_end_are_found_out() -> None:
    assembly = Assembly(REF, LimitSettings(), 1000)
    with pytest.raises(FrameError):
        for _ in range(100):
            assembly.take(FrameKind.TEXT, b"\0" + b"x" * 100_000)
            assert assembly.take(FrameKind.WINDOW, b"") is not None


def test_a_place_is_cleaned() -> None:
    assembly = Assembly(REF, LimitSettings(), 1000)
    assembly.take(FrameKind.TEXT, "sheet \u202eevil\n\0text".encode())
    document = assembly.take(FrameKind.END, b"complete\0")
    assert document is not None and document.segments[0].where == "sheet %E2%80%AEevil%0A"


@given(st.lists(st.tuples(st.sampled_from(FrameKind), st.binary(max_size=60)), max_size=20))
def test_any_frames_give_documents_of_this_file_or_an_error(frames: list[tuple[FrameKind, bytes]]) -> None:
    assembly = Assembly(REF, LimitSettings(members=3), 0)
    try:
        documents = [assembly.take(kind, payload) for kind, payload in frames]
    except FrameError:
        return
    assert all(document is None or document.uri.startswith("/x") for document in documents)


@given(st.lists(st.tuples(st.text(max_size=5), st.text(max_size=50)), max_size=10), st.integers(1, 50))
def test_frames_survive_any_cutting(segments: list[tuple[str, str]], step: int) -> None:
    sent: list[bytes] = []
    writer = FrameWriter(sent.append)
    for where, text in segments:
        writer.text(where.replace("\0", ""), text.encode())
    writer.flush()
    stream = b"".join(sent)
    reader = FrameReader()
    received = []
    for start in range(0, len(stream), step):
        reader.feed(stream[start : start + step])
        while (entry := reader.take()) is not None:
            received.append(entry)
    assert reader.is_empty
    assert received == [
        (FrameKind.TEXT, where.replace("\0", "").encode() + b"\0" + text.encode()) for where, text in segments
    ]


@pytest.mark.parametrize("data", [b"\x63\0\0\0\0", b"\x04\xff\xff\xff\xff", b"\0" * 5])
def test_frames_of_no_known_kind_or_length_are_refused(data: bytes) -> None:
    reader = FrameReader()
    reader.feed(data)
    with pytest.raises(FrameError):
        reader.take()


def test_a_long_text_stays_one_segment(tmp_path: Path, rogue: Sandbox) -> None:
    text = "é" * 1_700_000
    (document,) = examined(text.encode(), tmp_path, rogue)
    assert [segment.text == text for segment in document.segments] == [True]


def test_frame_fields_are_parted_by_zero_bytes() -> None:
    assert frame(FrameKind.END, "failed", "why") == b"\x06\x0a\0\0\0failed\0why"
