"""The letter in an archive beside members that are broken, endless or locked, or that hold the reader up."""

import io
import tarfile
import zipfile
from collections.abc import Iterator

from benchmarks.honesty_cases.case import HARMLESS, LETTER, LINES, Case
from benchmarks.honesty_cases.typed_page import pdf

_LETTER = LETTER.encode()


def bad_neighbours() -> Iterator[Case]:
    for name, bad in _bad_members().items():
        yield Case(f"behind-{name}.zip", _zipped({f"a-{name}": bad, "b-letter.txt": _LETTER}))
        yield Case(f"before-{name}.tar", _tarred({"a-letter.txt": _LETTER, f"b-{name}": bad}))
    broken = bytearray(_zipped({"a.txt": HARMLESS.encode() * 9, "b-letter.txt": _LETTER}))
    broken[60:90] = b"\xff" * 30
    yield Case("behind-damaged-data.zip", bytes(broken))
    yield Case("cut.zip", _zipped({"a.txt": HARMLESS.encode(), "b-letter.txt": _LETTER * 40})[:-120])
    yield Case(
        "sound.zip", _zipped({"a.txt": HARMLESS.encode(), "b.pdf": pdf(tuple(HARMLESS.splitlines()))}), leaks=False
    )


def _bad_members() -> dict[str, bytes]:
    deep = _LETTER
    for _ in range(14):
        deep = _zipped({"in.zip": deep})
    return {
        "broken.pdf": pdf(LINES)[:300],
        "broken.docx": b"PK\x03\x04" + bytes(200),
        "endless.zip": _zipped({"zeros": bytes(450_000_000)}),
        "nested.zip": deep,
        "long-line.txt": b"A" * 3_000_000,
        "brackets.xml": b"<?xml version='1.0'?>" + b"<a>" * 200_000,
    }


def _zipped(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return out.getvalue()


def _tarred(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, data in members.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return out.getvalue()
