import random
import struct
from collections.abc import Callable

import pytest

from core.records import Document, Status
from extraction.registry import is_without_text

Examine = Callable[..., list[Document]]
NOISE = bytes([0, 1, 2, 0xFF, 0xFE, 0x80, 3]) * 40


def wide(text: str, order: str = "le") -> bytes:
    return text.encode(f"utf-16-{order}")


@pytest.mark.parametrize(
    ("data", "texts"),
    [
        (NOISE + b"Ann Example" + NOISE + b"short" + NOISE + b"416-555-0123" + NOISE, {"Ann Example\n416-555-0123"}),
        (NOISE + "Zoë Müller".encode() + NOISE, {"Zoë Müller"}),
        (NOISE + wide("Zoë Example") + NOISE, {"Zoë Example"}),
        (NOISE + wide("Łukasz Example") + b"\x02\x03" + NOISE, {"Łukasz Example"}),
        (NOISE + b"narrow words" + NOISE + wide("broad words") + NOISE, {"narrow words", "broad words"}),
        (struct.pack("<20d", *range(20)) * 3 + b"\x90" * 9 + b"Ann Example\0" + bytes(100) + NOISE, {"Ann Example"}),
    ],
)
def test_runs_of_letters_are_found(examined: Examine, data: bytes, texts: set[str]) -> None:
    (document,) = examined(data)
    assert (document.status, document.reason) == (Status.PARTIAL, "strings of an unknown binary type")
    assert {segment.text for segment in document.segments} == texts
    assert {segment.where for segment in document.segments} <= {"strings", "wide strings"}


def test_wide_letters_with_the_high_byte_first(examined: Examine) -> None:
    (document,) = examined(NOISE + b"\x05" + wide("Ann Example", "be") + b"\x05" + NOISE)
    assert "Ann Example" in document.text


def test_a_run_across_chunks_is_found_whole(examined: Examine) -> None:
    data = bytes(7) + b"\x01" * ((1 << 18) - 12) + b"Ann Example lives here" + NOISE
    (document,) = examined(data)
    assert "Ann Example lives here" in document.text


def test_chance_is_not_text(examined: Examine) -> None:
    (document,) = examined(b"\x01\x02" + random.Random(7).randbytes(300_000))
    assert (document.status, document.reason) == (Status.UNSUPPORTED, "no text in an unknown binary type")


def test_text_with_zero_bytes_is_text(examined: Examine) -> None:
    separated = b"\0".join(b"patient %d Ann Example" % number for number in range(40))
    padded = b"Ann Example\n" * 30 + bytes(5_000)
    for data in (separated, padded):
        (document,) = examined(data)
        assert (document.status, document.media_type) == (Status.COMPLETE, "text/plain")
        assert document.text.encode() == data


@pytest.mark.parametrize(
    ("media_type", "without_text"),
    [
        ("image/x-unheard-of", True),
        ("audio/flac", True),
        ("application/vnd.ms-fontobject", True),
        ("application/x-lzip", True),
        ("application/x-executable", False),
        ("application/x-ole-storage", False),
    ],
)
def test_types_that_spell_nothing(media_type: str, without_text: bool) -> None:
    assert is_without_text(media_type) is without_text
