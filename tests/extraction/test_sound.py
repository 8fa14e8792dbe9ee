"""Sound files made by hand -> the words of their tags."""

import struct
from collections.abc import Callable

import pytest

from core.records import Document, Status

Examine = Callable[..., list[Document]]


def id3(frames: dict[str, str]) -> bytes:
    body = b"".join(
        name.encode() + struct.pack(">IH", len(text) + 1, 0) + b"\0" + text.encode("latin-1")
        for name, text in frames.items()
    )
    size = bytes(len(body) >> shift & 0x7F for shift in (21, 14, 7, 0))
    return b"ID3\x03\0\0" + size + body + b"\xff\xfb\x90\x64" + bytes(413)


def flac(comments: list[str]) -> bytes:
    encoded = [comment.encode() for comment in comments]
    block = (
        struct.pack("<I", 4)
        + b"here"
        + struct.pack("<I", len(encoded))
        + b"".join(struct.pack("<I", len(c)) + c for c in encoded)
    )
    return b"fLaC\0\0\0\x22" + bytes(34) + b"\x84" + len(block).to_bytes(3, "big") + block


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(id3({"TIT2": "Visit of Ann Example", "TPE1": "Dr. Bob Sample", "TPE2": "A" * 20_000}), id="mp3"),
        pytest.param(flac(["TITLE=Visit of Ann Example", "ARTIST=Dr. Bob Sample"]), id="flac"),
    ],
)
def test_words_beside_the_sound(examined: Examine, data: bytes) -> None:
    (document,) = examined(data)
    assert document.media_type.startswith("audio/")
    assert (document.status, document.reason) == (Status.PARTIAL, "sound and film are not examined")
    assert {"Visit of Ann Example", "Dr. Bob Sample"} <= set(document.text.splitlines())


def test_sound_without_words_is_unsupported(examined: Examine) -> None:
    (document,) = examined(flac([]))
    assert (document.status, document.text) == (Status.UNSUPPORTED, "")
