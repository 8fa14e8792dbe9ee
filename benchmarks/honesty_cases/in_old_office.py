"""A picture of the letter inside Word, PowerPoint and Excel files of 1997, which say nothing else."""

import struct
import zlib
from collections.abc import Iterator

from benchmarks.honesty_cases.case import Case
from benchmarks.honesty_cases.in_documents import emf_text
from benchmarks.honesty_cases.letter_picture import harmless_picture, packed, picture
from extraction.readers.ole.compound_writer import write_compound

_WORDS = "See the picture below."
_LARGEST_RECORD = 8224


def in_old_office() -> Iterator[Case]:
    letter = picture()
    emf = emf_text()
    head = struct.pack("<I", len(emf)) + bytes(24) + struct.pack("<I", 0) + b"\0\xfe"
    records = {
        "png": _record(0xF01E, 0x6E0, bytes(17) + packed(letter)),
        "jpeg": _record(0xF01D, 0x46A, bytes(17) + packed(letter, "JPEG", quality=85)),
        "bitmap": _record(0xF01F, 0x7A8, bytes(17) + packed(letter, "BMP")[14:]),
        "metafile": _record(0xF01A, 0x3D4, bytes(16) + head + zlib.compress(emf)),
    }
    for name, blip in records.items():
        for kind, data in _files(blip).items():
            yield Case(f"{name}.{kind}", data)
    for kind, data in _files(_record(0xF01E, 0x6E0, bytes(17) + packed(harmless_picture()))).items():
        yield Case(f"harmless.{kind}", data, leaks=False)


def _record(kind: int, instance: int, data: bytes) -> bytes:
    return struct.pack("<HHI", instance << 4, kind, len(data)) + data


def _files(blip: bytes) -> dict[str, bytes]:
    return {
        "doc": write_compound({("WordDocument",): _word(), ("Data",): bytes(70) + blip}),
        "ppt": write_compound({("PowerPoint Document",): _slides(), ("Pictures",): blip}),
        "xls": write_compound({("Workbook",): _book(blip)}),
    }


def _word() -> bytes:
    text = _WORDS.encode()
    header = bytearray(768)
    struct.pack_into("<HH", header, 0, 0xA5DC, 101)
    struct.pack_into("<H", header, 6, 0x409)
    struct.pack_into("<II", header, 0x18, 768, 768 + len(text))
    struct.pack_into("<i", header, 0x34, len(text))
    return bytes(header) + text


def _slides() -> bytes:
    text = _record(0x0FA0, 0, _WORDS.encode("utf-16-le"))
    return struct.pack("<HHI", 0xF, 0x03EE, len(text)) + text


def _book(blip: bytes) -> bytes:
    """A drawing is longer than a record may be, so it goes on in others."""
    drawing = _record(0xF000, 0, blip)
    pieces = [drawing[start : start + _LARGEST_RECORD] for start in range(0, len(drawing), _LARGEST_RECORD)]
    records = [(0x0809, struct.pack("<HHHH", 0x0600, 5, 0, 0) + bytes(8))]
    records += [(0x003C if number else 0x00EB, piece) for number, piece in enumerate(pieces)]
    records += [(0x0A, b""), (0x0809, struct.pack("<HHHH", 0x0600, 0x10, 0, 0) + bytes(8))]
    words = _WORDS.encode()
    records += [(0x204, struct.pack("<HHHHB", 0, 0, 0, len(words), 0) + words), (0x0A, b"")]
    return b"".join(struct.pack("<HH", kind, len(body)) + body for kind, body in records)
