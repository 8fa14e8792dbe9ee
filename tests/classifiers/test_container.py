import hashlib
import io
import json
import zipfile
from collections.abc import Callable

import numpy as np
import pytest

from classifiers.container import MAGIC, VERSION, ModelContent, pack, unpack
from core.errors import ModelError

CONTENT = ModelContent(
    {"k": 5, "shape": {"repeat": 0.5}},
    ("a\tb\t", "c\td\te"),
    {"weight": np.arange(50, dtype=np.float32), "category": np.zeros(3, np.uint8)},
)
RAW = pack(CONTENT)


def sealed(payload: bytes) -> bytes:
    return b"%s %d %s\n%s" % (MAGIC, VERSION, hashlib.sha256(payload).hexdigest().encode(), payload)


def archive_with(**entries: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, raw in entries.items():
            archive.writestr(name.replace("__", "."), raw)
    return sealed(stream.getvalue())


def pickled_array() -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    return stream.getvalue()


def test_content_survives_packing() -> None:
    content = unpack(RAW)
    assert content.settings == CONTENT.settings
    assert content.lines == CONTENT.lines
    for name, array in CONTENT.arrays.items():
        assert content.arrays[name].dtype == array.dtype
        np.testing.assert_array_equal(content.arrays[name], array)


def test_the_same_content_gives_the_same_bytes() -> None:
    other_order = ModelContent(
        {name: CONTENT.settings[name] for name in sorted(CONTENT.settings, reverse=True)},
        CONTENT.lines,
        {name: CONTENT.arrays[name] for name in sorted(CONTENT.arrays, reverse=True)},
    )
    assert pack(other_order) == RAW


@pytest.mark.parametrize("place", range(0, len(RAW), max(1, len(RAW) // 97)))
def test_a_changed_byte_is_noticed(place: int) -> None:
    changed = bytearray(RAW)
    changed[place] ^= 0x41
    with pytest.raises(ModelError):
        unpack(bytes(changed))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: b"", "not a leakscreen health model"),
        (lambda: b"PK\x03\x04 something", "not a leakscreen health model"),
        (lambda: RAW.replace(b"model %d " % VERSION, b"model 1 ", 1), "format version 1"),
        (lambda: RAW[:-1], "corrupt"),
        (lambda: sealed(b"not a zip"), "cannot be read"),
        (lambda: archive_with(), "cannot be read"),
        (lambda: archive_with(settings__json=b"{", vocabulary__tsv=b""), "cannot be read"),
        (lambda: archive_with(settings__json=b"{}", vocabulary__tsv=b"\xff"), "cannot be read"),
        (
            lambda: archive_with(
                settings__json=json.dumps({}).encode(), vocabulary__tsv=b"", weight__npy=pickled_array()
            ),
            "cannot be read",
        ),
    ],
)
def test_what_cannot_be_a_model_is_refused(make: Callable[[], bytes], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        unpack(make())
