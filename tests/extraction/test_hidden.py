"""What hides behind the end of a file, or encoded in a text, is read; what only looks encoded is left alone."""

import base64
import gzip
import hashlib
import time
import zlib
from collections.abc import Callable

import pytest

from benchmarks.honesty_cases.appended import appended, picture, zipped
from benchmarks.honesty_cases.case import LINES, Case
from benchmarks.honesty_cases.encoded import encoded
from benchmarks.honesty_cases.typed_page import pdf
from core.records import Document, Status
from core.settings import LimitSettings
from extraction.hidden.appended import behind_the_end
from extraction.hidden.encoded import hidden_in
from extraction.hidden.pieces import NOT_DECODED
from extraction.sandbox import Sandbox

Examine = Callable[..., list[Document]]
SECRET = LINES[5]


@pytest.mark.parametrize("case", [*appended(), *encoded()], ids=lambda case: case.name)
def test_every_hiding_place_is_read(examined: Examine, case: Case) -> None:
    documents = examined(case.data, case.name)
    assert any(SECRET in document.text for document in documents) is case.leaks


def test_what_lies_behind_the_end_is_a_member(examined: Examine) -> None:
    *_, inner, behind, outer = examined(picture("png") + zipped("Ann Example was here"))
    assert (outer.media_type, behind.media_type, behind.status) == ("image/png", "application/zip", Status.CONTAINER)
    assert (behind.uri, inner.uri) == (f"{outer.uri}!behind the end", f"{outer.uri}!behind the end!note.txt")


def test_decoded_text_belongs_to_its_file_and_a_decoded_file_is_a_member(examined: Examine) -> None:
    texts = base64.b64encode(b"Ann Example lives in this small town").decode()
    packed = base64.b64encode(gzip.compress(b"Ann Example works in this small town")).decode()
    *members, document = examined(f"first {texts}\nthen {packed}\n".encode())
    assert [segment.where for segment in document.segments] == ["", "decoded"]
    assert document.segments[1].text == "Ann Example lives in this small town"
    assert [member.uri for member in members] == [f"{document.uri}!decoded 2!content", f"{document.uri}!decoded 2"]


def test_base64_within_base64_ends_at_the_depth_limit(examined: Examine, small_sandbox: Sandbox) -> None:
    data = b"Ann Example lives in this small town"
    for _ in range(6):
        data = base64.b64encode(data)
    document = examined(data, within=small_sandbox)[-1]
    assert (document.status, document.reason) == (Status.PARTIAL, "depth limit (3)")


def test_a_text_beyond_the_read_limit_says_what_was_not_decoded(examined: Examine) -> None:
    filler = b"words of a long report\n" * 2_000
    with Sandbox(LimitSettings(file_seconds=30, read_bytes=20_000, window_bytes=10_000)) as within:
        plain = examined(filler, within=within)[-1]
        document = examined(filler + base64.b64encode(b"Ann Example lives in this small town"), within=within)[-1]
    assert plain.status is Status.COMPLETE
    assert (document.status, document.reason) == (Status.PARTIAL, NOT_DECODED)


def test_a_zlib_stream_is_unpacked(examined: Examine) -> None:
    member, document = examined(zlib.compress(b"Ann Example was here\n" * 9), "notes.zz")
    assert (document.media_type, document.status) == ("application/zlib", Status.CONTAINER)
    assert member.text.startswith("Ann Example was here")
    cut = examined(zlib.compress(bytes(range(256)) + b"Ann Example was here\n" * 90)[:-30])[0]
    assert cut.status is not Status.COMPLETE


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(hashlib.sha256(b"%d" % number).hexdigest() for number in range(500)),
        "abstract/singleton/proxy/factory/bean/configuration/of/the/whole/application/context",
        "ACGTTGCAACGTTGCA" * 40,
        "A" * 500,
        "1234567890" * 30,
        "a=1&b=22&c=333&d=4444&e=55555&f=666666",
        "100% of 50% is 25% more than 20% or 10%",
        "begin 100 push-ups\nand end\n",
        "https://example.org/%",
    ],
)
def test_what_only_looks_encoded_is_left(text: str) -> None:
    assert list(hidden_in(text)) == []


def test_looking_takes_little_time() -> None:
    started = time.process_time()
    for text in (
        "Ann Example lives here. " * 100_000,
        "a" * 2_000_000,
        "12 " * 500_000,
        "%41a" * 200_000,
        "=\n" * 500_000,
        ("A" * 76 + "\n") * 20_000,
        ("A" * 41 + " BB ") * 20_000,
        "begin 644 a\n" * 50_000,
        ("x" * 39 + " ") * 50_000,
        "\\x4" * 300_000,
    ):
        list(hidden_in(text))
    assert time.process_time() - started < 5


@pytest.mark.parametrize(
    ("media_type", "data"),
    [
        ("image/jpeg", picture("jpeg")),
        ("image/jpeg", picture("jpeg")[:-2]),
        ("image/png", picture("png") + b"\n\n"),
        ("image/png", picture("png")[:40]),
        ("image/gif", picture("gif")[:20]),
        ("application/pdf", pdf(LINES)),
        ("application/pdf", b"%PDF-1.4\nnothing"),
        ("application/zip", zipped("words")),
        ("text/plain", b"PK no archive at all"),
    ],
)
def test_nothing_lies_behind_the_end(media_type: str, data: bytes) -> None:
    assert behind_the_end(media_type, data) == b""
