"""Files made to exhaust, confuse or crash a parser -> each ends in a status, in time, and the next file is read."""

import gzip
import io
import os
import struct
import tarfile
import tempfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from benchmarks.attack.case import Tried
from benchmarks.bomb_files import BOMBS, docx, flate_pdf, xlsx, zip_of
from benchmarks.gzip_quine import gzip_quine
from benchmarks.mutate import mutate
from core.records import FileRef
from core.settings import LimitSettings
from extraction.examine import examine
from extraction.member_names import is_label
from extraction.sandbox import Sandbox

_SECONDS = 25.0
_MUTANTS = 25  # of each seed
_NAMES = (
    "../../etc/passwd",
    "/etc/passwd",
    "a\u202etxt.exe",
    "a\nb",
    "a\x00b",
    "x" * 5_000,
    "a!b!c",
    "\udcff",
    "",
    ".",
)


def hostile_files() -> Iterator[Tried]:
    with tempfile.TemporaryDirectory() as folder, Sandbox(LimitSettings(file_seconds=20)) as sandbox:
        place = Path(os.path.realpath(folder))
        for name, content in _files():
            yield Tried(name, _is_held(content, place, sandbox))


def _is_held(content: bytes, folder: Path, sandbox: Sandbox) -> bool:
    (folder / "hostile").write_bytes(content)
    (folder / "honest").write_bytes(b"an honest file")
    started = time.monotonic()
    documents = list(examine(_ref(folder / "hostile"), sandbox))
    (following,) = examine(_ref(folder / "honest"), sandbox)
    outermost = [document for document in documents if document.container_uri is None]
    names = all(is_label(document.uri) for document in documents)
    unique = len({document.uri for document in documents}) == len(documents)
    in_time = time.monotonic() - started < _SECONDS
    return len(outermost) == 1 and names and unique and in_time and following.text == "an honest file"


def _ref(path: Path) -> FileRef:
    return FileRef(str(path), os.fsencode(path), 0, 0)


def _files() -> Iterator[tuple[str, bytes]]:
    for name, make in BOMBS.items():
        yield f"bomb {name}", make()
    yield "gzip that contains itself", gzip_quine()
    yield "zip that claims 2^64-1 bytes", _claiming_zip(2**64 - 1)
    yield "zip that claims 2^63 bytes", _claiming_zip(2**63)
    for name in _NAMES:
        yield f"tar with a member called {name[:30]!r}", _tar(name)
    yield "8,000 members with long names", zip_of(*((f"{number:04}" + "n" * 900, b"") for number in range(8_000)))
    yield "5,000 members of one name", _same_names(5_000)
    yield "ten million short rows", gzip.compress(b"name,ssn,dx\n" + b"a,b,c\n" * 1_500_000)
    seeds = {
        "zip": zip_of(("a.txt", b"one"), ("b/c.html", b"<p>two</p>")),
        "gzip": gzip.compress(b"words " * 500),
        "docx": docx(b"<w:p><w:r><w:t>words</w:t></w:r></w:p>"),
        "xlsx": xlsx(b'<row><c t="inlineStr"><is><t>words</t></is></c></row>'),
        "pdf": flate_pdf(1, b"BT (words) Tj ET ", 20),
        "tar": _tar("a.txt"),
    }
    dice = Random(8)
    for kind, seed in seeds.items():
        for number in range(_MUTANTS):
            yield f"broken {kind} {number}", mutate(seed, dice)


def _claiming_zip(size: int) -> bytes:
    """The directory claims this size of a locked entry."""
    data = zip_of(("locked", b"abc"), ("z.txt", b"last"))
    place = data.index(b"PK\x01\x02")
    end_of_entry = place + 46 + len("locked")
    entry = bytearray(data[place:end_of_entry]) + struct.pack("<HHQ", 1, 8, size)
    entry[8] |= 1
    entry[24:28], entry[30:32] = b"\xff" * 4, struct.pack("<H", 12)
    end = bytearray(data[-22:])
    end[12:16] = struct.pack("<I", struct.unpack_from("<I", end, 12)[0] + 12)
    return data[:place] + bytes(entry) + data[end_of_entry:-22] + bytes(end)


def _tar(name: str) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        info = tarfile.TarInfo(name)
        info.size = 5
        archive.addfile(info, io.BytesIO(b"words"))
    return out.getvalue()


def _same_names(count: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for _ in range(count):
            archive.writestr(zipfile.ZipInfo("same.txt"), b"x")  # zipfile warns, and does it
    return out.getvalue()
