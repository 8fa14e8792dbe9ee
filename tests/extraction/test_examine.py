import dataclasses
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.records import Document, FileRef, Status
from core.settings import LimitSettings
from extraction.examine import AHEAD, examine, examine_each
from extraction.sandbox import Sandbox
from extraction.sandbox.processes import Child, Zygote

Examine = Callable[..., list[Document]]


def ref_to(path: Path | bytes) -> FileRef:
    raw = os.fsencode(path)
    return FileRef(uri=os.fsdecode(raw), path=raw, size=7, mtime_ns=0)


def only(path: Path | bytes, sandbox: Sandbox) -> Document:
    (document,) = examine(ref_to(path), sandbox)
    return document


def make_symlink(path: Path) -> None:
    target = path.with_name("target")
    target.write_text("behind the link")
    path.symlink_to(target)


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda path: None, "vanished"),
        (make_symlink, "symbolic link"),
        (lambda path: path.mkdir(), "not a regular file (directory)"),
        (lambda path: os.mkfifo(path), "not a regular file (named pipe)"),
        (make_socket, "not a regular file (socket)"),
    ],
)
def test_what_is_no_regular_file_is_unreadable(
    tmp_path: Path, sandbox: Sandbox, make: Callable[[Path], None], reason: str
) -> None:
    path = tmp_path / "odd"
    make(path)
    document = only(path, sandbox)
    assert (document.status, document.reason, document.size, document.chars) == (Status.UNREADABLE, reason, 7, 0)


def test_a_device_is_unreadable(sandbox: Sandbox) -> None:
    assert only(b"/dev/null", sandbox).reason == "not a regular file (device)"


def test_permission_denied(tmp_path: Path, sandbox: Sandbox) -> None:
    folder = tmp_path / "closed"
    folder.mkdir()
    path = folder / "file.txt"
    path.write_text("secret")
    folder.chmod(0)
    before = os.geteuid()
    try:
        if before == 0:
            os.seteuid(65534)
        assert only(path, sandbox).reason == "permission denied"
    finally:
        os.seteuid(before)
        folder.chmod(0o700)


def test_a_fault_of_the_walk_is_kept(sandbox: Sandbox) -> None:
    ref = dataclasses.replace(ref_to(b"/nowhere"), fault="permission denied")
    (document,) = examine(ref, sandbox)
    assert (document.status, document.reason) == (Status.UNREADABLE, "permission denied")


def test_an_impossible_name_is_unreadable(sandbox: Sandbox) -> None:
    assert only(b"a\0b", sandbox).reason == "impossible name"
    assert only(b"/" + b"n" * 5000, sandbox).reason == "name too long"


def test_names_that_are_not_utf8(tmp_path: Path, sandbox: Sandbox) -> None:
    path = os.fsencode(tmp_path) + b"/caf\xe9\n.txt"
    descriptor = os.open(path, os.O_CREAT | os.O_WRONLY)
    os.write(descriptor, b"words")
    os.close(descriptor)
    document = only(path, sandbox)
    assert (document.status, document.text) == (Status.COMPLETE, "words")


def test_reading_leaves_no_trace(tmp_path: Path, sandbox: Sandbox) -> None:
    path = tmp_path / "a.txt"
    path.write_text("words")
    os.utime(path, (1, 1))
    only(path, sandbox)
    assert path.stat().st_atime_ns == 1_000_000_000


@pytest.fixture(scope="module")
def slow_sandbox() -> Iterator[Sandbox]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parent))
        with Sandbox(LimitSettings(file_seconds=20), plugins=("rogue_format",)) as made:
            yield made


class Changer:
    """Writes to a file whenever its examination has begun, a given number of times."""

    def __init__(self, path: Path, times: int) -> None:
        self._path = path
        self._left = times
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        while self._left and not self._done.wait(0.15):
            with self._path.open("ab") as file:
                file.write(b" more")
            self._left -= 1
            self._done.wait(0.45)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()


def test_a_file_that_changes_is_read_once_more(tmp_path: Path, slow_sandbox: Sandbox) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"\x7fELF slow")
    with Changer(path, 1):
        document = only(path, slow_sandbox)
    assert (document.status, document.text) == (Status.COMPLETE, "slow more")
    assert document.size == 14


def test_a_file_that_keeps_changing_is_never_complete(tmp_path: Path, slow_sandbox: Sandbox) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"\x7fELF slow")
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            with path.open("ab") as file:
                file.write(b" .")
            time.sleep(0.05)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        document = only(path, slow_sandbox)
    finally:
        stop.set()
        writer.join()
    assert (document.status, document.reason) == (Status.PARTIAL, "changed while it was read")


def write_all(folder: Path, contents: list[bytes]) -> list[FileRef]:
    for number, data in enumerate(contents):
        (folder / f"{number:02}").write_bytes(data)
    return [ref_to(folder / f"{number:02}") for number in range(len(contents))]


def test_files_asked_ahead_are_answered_in_their_order_and_only_killers_are_blamed(
    tmp_path: Path, slow_sandbox: Sandbox
) -> None:
    honest = [f"honest {number}".encode() for number in range(6)]
    rogues = [
        b"\x7fELF segfault",
        b"\x7fELF exit",
        b"\x7fELF babble",
        b"\x7fELF abort",
        b"\x7fELF segfault",
        b"\x7fELF quit",
    ]
    refs = write_all(tmp_path, [data for pair in zip(honest, rogues, strict=True) for data in pair])
    documents = list(examine_each(refs, slow_sandbox))
    assert [document.ref for document in documents] == refs
    assert [(document.status, document.text) for document in documents[::2]] == [
        (Status.COMPLETE, data.decode()) for data in honest
    ]
    assert [document.reason.split(" (")[0] for document in documents[1::2]] == ["crashed the parser"] * len(rogues)


@pytest.mark.parametrize("recycle", [1, 2, 3, 7, 1000])
def test_children_are_not_replaced_more_often_than_they_must_be(tmp_path: Path, recycle: int) -> None:
    refs = write_all(tmp_path, [f"text {number}".encode() for number in range(21)])
    children = 0

    def spawn(zygote: Zygote) -> Child:
        nonlocal children
        children += 1
        return spawned(zygote)

    spawned = Zygote.spawn
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Zygote, "spawn", spawn)
        with Sandbox(LimitSettings(recycle_files=recycle)) as made:
            texts = [document.text for document in examine_each(refs, made)]
    assert texts == [f"text {number}" for number in range(21)]
    assert children == -(-21 // recycle)


def test_after_a_crash_the_next_files_share_one_child_again(tmp_path: Path, slow_sandbox: Sandbox) -> None:
    refs = write_all(tmp_path, [b"\x7fELF exit", *(f"text {number}".encode() for number in range(12))])
    pids = set()
    for document in examine_each(refs, slow_sandbox):
        assert document.status is (Status.FAILED if document.ref is refs[0] else Status.COMPLETE)
        if document.ref is not refs[0]:
            assert slow_sandbox._child is not None
            pids.add(slow_sandbox._child.pid)
    assert len(pids) == 1


def test_what_cannot_be_opened_keeps_its_place(tmp_path: Path, sandbox: Sandbox) -> None:
    refs = write_all(tmp_path, [b"a", b"b", b"c", b"d", b"e", b"f", b"g", b"h"])
    for number in (0, 3, 7):
        (tmp_path / f"{number:02}").unlink()
    assert [document.text or document.reason for document in examine_each(refs, sandbox)] == [
        *("vanished", "b", "c", "vanished", "e", "f", "g", "vanished")
    ]


def test_a_reader_who_stops_early_gets_no_answers_of_the_files_before(tmp_path: Path, sandbox: Sandbox) -> None:
    refs = write_all(tmp_path, [f"text {number}".encode() for number in range(3 * AHEAD)])
    before = len(os.listdir("/proc/self/fd"))
    documents = examine_each(refs, sandbox)
    assert next(documents).text == "text 0"
    documents.close()  # type: ignore[attr-defined]
    assert len(os.listdir("/proc/self/fd")) <= before
    assert [document.text for document in examine_each(refs[5:7], sandbox)] == ["text 5", "text 6"]


def test_a_file_asked_ahead_that_changes_before_its_turn_is_read_again(tmp_path: Path, sandbox: Sandbox) -> None:
    refs = write_all(tmp_path, [b"first", b"second", b"third", b"fourth", b"fifth"])
    documents = examine_each(refs, sandbox)
    texts = [next(documents).text]
    (tmp_path / "01").write_bytes(b"second, and more")
    (tmp_path / "02").unlink()
    os.truncate(tmp_path / "03", 2)
    assert texts + [document.text for document in documents] == ["first", "second, and more", "third", "fo", "fifth"]


def test_the_hole_of_a_sparse_file_of_a_hundred_gigabytes_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "sparse"
    path.write_bytes(b"words at the start")
    os.truncate(path, 100_000_000_000)
    with Sandbox(LimitSettings(read_bytes=1_000_000, window_bytes=1_000_000)) as made:
        first, *_, last = examine(ref_to(path), made)
        read_in_all = int(Path(f"/proc/{made.child_pid}/io").read_text().split()[1])
    assert (last.status, last.sha256, last.size) == (Status.COMPLETE, None, 100_000_000_000)
    assert first.text.startswith("words at the start")
    assert read_in_all < 20_000_000
