"""Web archives -> what servers sent, and the requests."""

import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from core.records import Document, Status

Examine = Callable[..., list[Document]]
SAMPLE = Path(__file__).parents[1] / "samples" / "archives" / "plain.warc"
PAGE = b"<html><body><p>Ann Example, ward 7</p></body></html>"


def record(kind: str, body: bytes, target: str = "http://example.org/a") -> bytes:
    head = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {target}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body + b"\r\n\r\n"


def answer(body: bytes, fields: str = "") -> bytes:
    return f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{fields}\r\n".encode() + body


def chunked(body: bytes) -> bytes:
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in (body[:10], body[10:], b""))


@pytest.mark.parametrize(
    "response",
    [
        pytest.param(answer(PAGE), id="plain"),
        pytest.param(answer(gzip.compress(PAGE), "Content-Encoding: gzip\r\n"), id="gzip"),
        pytest.param(answer(chunked(PAGE), "Transfer-Encoding: chunked\r\n"), id="chunked"),
        pytest.param(
            answer(chunked(gzip.compress(PAGE)), "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n"), id="both"
        ),
        pytest.param(answer(PAGE, "Transfer-Encoding: chunked\r\n"), id="chunked in name only"),
    ],
)
def test_a_page_as_it_was_sent(examined: Examine, response: bytes) -> None:
    request = b"POST /a HTTP/1.1\r\nHost: example.org\r\n\r\nname=Bob+Sample"
    page, form, outer = examined(record("response", response) + record("request", request))
    assert (page.media_type, page.text.strip()) == ("text/html", "Ann Example, ward 7")
    assert page.uri.endswith("!http://example.org/a")
    assert "Bob+Sample" in form.text
    assert (outer.media_type, outer.status) == ("application/warc", Status.CONTAINER)


def test_an_archive_that_another_program_wrote(examined: Examine) -> None:
    _, member, outer = examined(SAMPLE.read_bytes())
    assert (member.uri.rpartition("!")[2], member.text) == ("file://docs/a.txt", "Ann Example, ward 7\n")
    assert outer.status is Status.CONTAINER


def test_a_record_that_is_cut_off_is_partial(examined: Examine) -> None:
    whole = record("response", answer(PAGE * 10))
    page, outer = examined(whole[:-100])
    assert "Ann Example" in page.text
    assert (outer.status, outer.reason) == (Status.PARTIAL, "corrupt (truncated)")
