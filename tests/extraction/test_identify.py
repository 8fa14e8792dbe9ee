import gzip
import io
import struct
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extraction.identify.identify import identify
from extraction.media_types import DOCX, ENCRYPTED_OFFICE, PPTX, XLSB, XLSX, is_textual


def zip_of(*names: str, first: tuple[str, str] | None = None) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        if first:
            archive.writestr(zipfile.ZipInfo(first[0]), first[1])
        for name in names:
            archive.writestr(name, "<x/>")
    return out.getvalue()


def ole_with(*streams: str) -> bytes:
    """A compound file of version 3: a header, one sector of directory, one of allocation table."""
    directory = b""
    for name in ("Root Entry", *streams):
        encoded = name.encode("utf-16-le") + b"\0\0"
        directory += (encoded.ljust(64, b"\0") + struct.pack("<H", len(encoded))).ljust(128, b"\0")
    sectors = max(1, -(-len(directory) // 512))
    header = bytearray(512)
    header[:8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
    header[30:32] = (9).to_bytes(2, "little")
    header[48:52] = (1).to_bytes(4, "little")
    header[76:512] = struct.pack("<I", 0) + b"\xff" * 432
    chain = [0xFFFFFFFD, *range(2, sectors + 1), 0xFFFFFFFE]
    table = struct.pack(f"<{len(chain)}I", *chain).ljust(512, b"\xff")
    return bytes(header) + table + directory.ljust(sectors * 512, b"\0")


MAIL = (
    b"Received: from a by b; Mon, 1 Jan 2024 10:00:00 +0000\r\nFrom: a@example.org\r\nTo: b@example.org\r\n"
    b"Subject: hi\r\n\r\nbody\r\n"
)
TABLE = [
    (b"", "inode/x-empty"),
    (b"Dear Ann,\nsee you on Monday.\n", "text/plain"),
    ("Zoë\n".encode(), "text/plain"),
    ("Chère Zoé, à bientôt à Montréal. ".encode("latin-1") * 5, "text/plain"),
    ("wide text\n".encode("utf-16"), "text/plain"),
    ("wide text without a mark\n".encode("utf-16-le"), "text/plain"),
    (b"From: me\nTo: you\nSubject: a memo\n\nNo mail, only a memo.", "text/plain"),
    (MAIL, "message/rfc822"),
    (b"From: Ann <ann@example.org>\nTo: bob@example.org\nSubject: hi\n\nbody", "message/rfc822"),
    (b"Delivered-To: a\nReceived: from b\nX-Long: " + b"x" * 9000, "message/rfc822"),
    (b"MIME-Version: 1.0\nFrom: x@example.org\nContent-Type: text/plain\n\nhi", "message/rfc822"),
    (b"From ann@example.org Mon Jan  1 10:00:00 2024\nFrom: x\n\nhi", "application/mbox"),
    (b"<!DOCTYPE html><html><body>x</body></html>", "text/html"),
    (b"\n <!-- c --> <HTML lang=en>x", "text/html"),
    (b'<?xml version="1.0"?><!DOCTYPE html><html xmlns="x"><p>a</p></html>', "text/html"),
    (b'<?xml version="1.0"?><ClinicalDocument/>', "text/xml"),
    (b"<Patient><name>x</name></Patient>", "text/xml"),
    (
        b"<?xml version='1.0'?><xsl:stylesheet><xsl:template><html><p>x</p></html></xsl:template></xsl:stylesheet>",
        "text/xml",
    ),
    (b"<h3 class=title>a part of a page</h3>", "text/html"),
    (
        b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x44\xac\0\0\x88\x58\1\0\2\0\x10\0data"
        + b"\1\0\2\0\5\0\xff\xff" * 900,
        "audio/x-wav",
    ),
    (b"\x59\xa6\x6a\x95\0\0\0\x10", "image/x-cmu-raster"),
    ("<?xml version='1.0' encoding='utf-16'?><a/>".encode("utf-16"), "text/xml"),
    (b'{"name": "Ann", "n": 1}', "application/json"),
    (b'[{"a": 1}]', "application/json"),
    (b"{not json at all}", "text/plain"),
    (b"[1, 2.5, -3]", "application/json"),
    (b"[[1]]", "application/json"),
    (b"[2025/01/15, 9:12:03 AM] Ann: hello\n", "text/plain"),
    (b"[15.01.25, 09:12:03] Ann: hello\n", "text/plain"),
    (b"[15, 12:30] Ann: hello\n", "text/plain"),
    (b"[12:30] Ann: hello\n", "text/plain"),
    (b"[0] starting\n", "text/plain"),
    (b"ISA*00*          *00*          *ZZ*A*ZZ*B*251014*1200*^*00501*1*0*P*:~GS*HC~", "application/edi-x12"),
    (b"ST*837*0001~NM1*QC*1*DOE*JANE~", "application/edi-x12"),
    (b"ISA is a word here\n", "text/plain"),
    (b"ISA-95-1 is a standard\n", "text/plain"),
    (b"GS-PT-12 is a part\n", "text/plain"),
    (b"UNA:+./*'UIB+UNOA:0++1'UIH+SCRIPT:010:006:NEWRX+1'", "application/edifact-script"),
    (b"name,phone\nAnn,1\nBob,2\n", "text/csv"),
    (b'name;note\n"A;B";c\n', "text/csv"),
    (b"Hello, world\nGood day, Ann\n", "text/plain"),
    (b"%PDF-1.7\n...", "application/pdf"),
    (b"junk before\x00\x01\n%PDF-1.4\n", "application/pdf"),
    (gzip.compress(b"x", mtime=0), "application/gzip"),
    (rb"{\rtf1 hello}", "text/rtf"),
    (zip_of("a.txt"), "application/zip"),
    (zip_of(), "application/zip"),
    (zip_of("[Content_Types].xml", "word/document.xml"), DOCX),
    (zip_of("[Content_Types].xml", "word\\document.xml"), DOCX),
    (zip_of("[Content_Types].xml", "xl/workbook.xml"), XLSX),
    (zip_of("[Content_Types].xml", "xl/workbook.bin"), XLSB),
    (zip_of("[Content_Types].xml", "ppt/presentation.xml"), PPTX),
    (zip_of("[Content_Types].xml", "word/document.xml")[:-22], DOCX),
    (zip_of("word/document.xml"), "application/zip"),
    (zip_of("META-INF/MANIFEST.MF"), "application/java-archive"),
    (zip_of(first=("mimetype", "application/vnd.oasis.opendocument.text")), "application/vnd.oasis.opendocument.text"),
    (zip_of(first=("mimetype", "application/epub+zip")), "application/epub+zip"),
    (ole_with("WordDocument"), "application/msword"),
    (ole_with("a", "b", "c", "d", "e", "Workbook"), "application/vnd.ms-excel"),
    (ole_with("PowerPoint Document"), "application/vnd.ms-powerpoint"),
    (ole_with("__properties_version1.0"), "application/vnd.ms-outlook"),
    (ole_with("EncryptionInfo", "EncryptedPackage"), ENCRYPTED_OFFICE),
    (ole_with("Something"), "application/x-ole-storage"),
    (b"\x89PNG\r\n\x1a\n\0\0", "image/png"),
    (b"\xff\xd8\xff\xe0\0\x10JFIF", "image/jpeg"),
    (b"7z\xbc\xaf\x27\x1c\0\4", "application/x-7z-compressed"),
    (b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0\x44\xac\0\0\x88\x58\1\0\2\0\x10\0data", "audio/x-wav"),
    (bytes((n * 37 + 11) % 256 for n in range(2048)), "application/octet-stream"),
    (b"\x0bMSH|^~\\&|LAB|HOSP|||20240101||ORU^R01|1|P|2.3\rPID|1||123\r\x1c\r", "application/hl7-v2"),
    (b"name: Ann\n" * 10 + bytes(2000), "text/plain"),
]


@pytest.mark.parametrize(("data", "media_type"), TABLE)
def test_identification_by_content(data: bytes, media_type: str) -> None:
    assert identify(data) == media_type


@given(st.binary(max_size=3000))
def test_any_bytes_have_a_media_type(data: bytes) -> None:
    assert "/" in identify(data)


@given(
    st.sampled_from([b"PK\x03\x04", b"PK\x05\x06", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"\x1f\x8b\x08"]),
    st.binary(max_size=2000),
)
def test_broken_directories_do_no_harm(beginning: bytes, rest: bytes) -> None:
    assert "/" in identify(beginning + rest)


@pytest.mark.parametrize(
    ("media_type", "textual"),
    [
        ("text/x-python", True),
        ("image/svg+xml", True),
        ("text/rtf", False),
        ("application/postscript", False),
        ("image/png", False),
    ],
)
def test_types_whose_bytes_are_their_text(media_type: str, textual: bool) -> None:
    assert is_textual(media_type) is textual
