"""Name of a bomb -> its bytes: small files that ask for far more than they are."""

import bz2
import gzip
import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Callable
from functools import cache

from benchmarks.gzip_quine import gzip_quine

_CONTENT_TYPES = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">{}</Types>'
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def zip_of(*members: tuple[str, bytes], level: int = 9) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=level) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return out.getvalue()


def nested_zip() -> bytes:
    """Sixteen times sixteen times ... of 4 MB each: some 64 TB, in a few kilobytes."""
    data = bytes(4_000_000)
    for level in range(6):
        data = zip_of(*((f"{level}-{number}.zip" if level else f"{number}.dll", data) for number in range(16)))
    return data


def overlapping_zip() -> bytes:
    """Every entry of the directory points to the same 60 MB."""
    one = zip_of(("0", bytes(60_000_000)))
    start = one.index(b"PK\x01\x02")
    entry = one[start : one.index(b"PK\x05\x06")]
    entries = entry * 9_000
    return one[:start] + entries + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 9_000, 9_000, len(entries), start, 0)


def wrapped_gzip() -> bytes:
    data = b"words"
    for _ in range(1_000):
        data = gzip.compress(data)
    return data


def flate_pdf(layers: int, unit: bytes, count: int) -> bytes:
    stream = unit * count
    for _ in range(layers):
        stream = zlib.compress(stream, 9)
    names = b"/FlateDecode " * layers
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> "
        b">>",
        b"<< /Length %d /Filter [%s] >>\nstream\n%s\nendstream" % (len(stream), names, stream),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    out = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"xref\n0 6\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + table + b"trailer << /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % len(out)


def docx(document: bytes) -> bytes:
    part = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    types = _CONTENT_TYPES.format(f'<Override PartName="/word/document.xml" ContentType="{part}"/>')
    return zip_of(("[Content_Types].xml", types.encode()), ("word/document.xml", document), level=6)


def xlsx(sheet: bytes) -> bytes:
    part = "application/vnd.openxmlformats-officedocument.spreadsheetml.{}+xml"
    types = _CONTENT_TYPES.format(
        f'<Override PartName="/xl/workbook.xml" ContentType="{part.format("sheet.main")}"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{part.format("worksheet")}"/>'
    )
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    sheets = '<sheets><sheet name="1" sheetId="1" r:id="r1"/></sheets>'
    book = f'<workbook xmlns="{_SHEET}" xmlns:r="{office}">{sheets}</workbook>'
    relation = f'<Relationship Id="r1" Type="{office}/worksheet" Target="worksheets/sheet1.xml"/>'
    relations = f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{relation}</Relationships>'
    members = {"[Content_Types].xml": types, "xl/workbook.xml": book, "xl/_rels/workbook.xml.rels": relations}
    return zip_of(
        *((name, text.encode()) for name, text in members.items()), ("xl/worksheets/sheet1.xml", sheet), level=6
    )


def many_paragraphs() -> bytes:
    body = b"<w:p><w:r><w:t>words</w:t></w:r></w:p>" * 8_000_000
    return docx(b'<w:document xmlns:w="%s"><w:body>' % _WORD.encode() + body + b"</w:body></w:document>")


def many_cells() -> bytes:
    rows = b'<row><c t="inlineStr"><is><t>words</t></is></c></row>' * 6_000_000
    return xlsx(b'<worksheet xmlns="%s"><sheetData>' % _SHEET.encode() + rows + b"</sheetData></worksheet>")


def laughs(element: str) -> bytes:
    entities = "".join(f'<!ENTITY l{number} "{f"&l{number - 1};" * 10}">' for number in range(1, 10))
    return f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY l0 "ha">{entities}]><{element}>&l9;</{element}>'.encode()


def picture(width: int, height: int) -> bytes:
    """A few rows of it are there, the rest is promised."""
    chunks = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(bytes(3_000_000))),
        (b"IEND", b""),
    )
    packed = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)


@cache
def _zeros_in_gzip() -> bytes:
    return gzip.compress(bytes(100_000_000))


BOMBS: dict[str, Callable[[], bytes]] = {
    "nested.zip": nested_zip,
    "overlapping.zip": overlapping_zip,
    "bomb.gz": lambda: _zeros_in_gzip() * 20,
    "text.gz": lambda: gzip.compress(b"A line of words and the number 123456789.\n" * 10_000_000, 6),
    "twice.gz": lambda: gzip.compress(_zeros_in_gzip() * 20),
    "quine.gz": gzip_quine,
    "wrapped.gz": wrapped_gzip,
    "bomb.bz2": lambda: bz2.compress(bytes(45_000_000)) * 40,
    "bomb.xz": lambda: lzma.compress(bytes(100_000_000), preset=1) * 20,
    "flate.pdf": lambda: flate_pdf(2, b"\0", 500_000_000),
    "words.pdf": lambda: flate_pdf(2, b"BT /F 12 Tf (words) Tj ET\n", 6_000_000),
    "paragraphs.docx": many_paragraphs,
    "laughs.docx": lambda: docx(laughs("document")),
    "cells.xlsx": many_cells,
    "laughs.xml": lambda: laughs("x"),
    "outside.xml": lambda: b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>',
    "deep.html": lambda: b"<!doctype html>" + b"<div>" * 2_000_000 + b"words",
    "deep.xml": lambda: b"<?xml version='1.0'?>" + b"<x>" * 1_000_000 + b"words" + b"</x>" * 1_000_000,
    "deep.json": lambda: b"[" * 5_000_000 + b"]" * 5_000_000,
    "wide.png": lambda: picture(30_000, 30_000),
    "groups.rtf": lambda: b"{\\rtf1 " + b"{\\b " * 1_000_000 + b"words" + b"}" * 1_000_000 + b"}",
    "boundaries.eml": lambda: (
        b"From: a@example.org\nTo: b@example.org\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n\n"
        + b"--x\nContent-Type: text/plain\n\nwords\n" * 200_000
    ),
    "headers.eml": lambda: b"Message-ID: <a@example.org>\nFrom: a@example.org\n" + b"X: y\n" * 2_000_000 + b"\nwords",
    "line.csv": lambda: b"a,b\n" + b'"' * 20_000_000,
}
