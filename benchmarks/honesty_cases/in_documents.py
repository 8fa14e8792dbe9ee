"""A picture of the letter inside documents and mails that say nothing else."""

import base64
import io
import struct
import zipfile
from collections.abc import Iterator, Mapping
from email.message import EmailMessage

import docx
import openpyxl
import pptx
from openpyxl.drawing.image import Image as SheetPicture
from PIL import Image

from benchmarks.honesty_cases.case import LINES, Case
from benchmarks.honesty_cases.letter_picture import harmless_picture, packed, picture
from extraction.readers.ole.compound_writer import write_compound

_WORDS = "See the picture below."
_ODF = "application/vnd.oasis.opendocument."
_ODF_BODIES = {"odt": "text", "ods": "spreadsheet", "odp": "presentation", "odg": "graphics"}


def in_documents() -> Iterator[Case]:
    letter = packed(picture())
    photo = packed(picture().convert("RGB"), "JPEG", quality=80)
    yield from (Case(name, data) for name, data in _documents(letter).items())
    yield Case("photo.docx", _docx(photo))
    yield Case("photo.rtf", _rtf(photo, rb"\jpegblip"))
    yield Case("shape.rtf", b"{\\rtf1 " + _WORDS.encode() + b"{\\*\\shppict" + _pict(letter, rb"\pngblip") + b"}}")
    yield Case("binary.rtf", _rtf_binary(letter))
    yield Case("bitmap.rtf", _rtf(packed(picture(), "BMP")[14:], rb"\dibitmap0"))
    yield from (Case(name, data) for name, data in _metafiles(picture()).items())
    yield Case("metafile.docx", _with_part(_docx(letter), "word/media/image1.png", emf_text()))
    yield Case("preview.docx", _with_part(_docx(packed(harmless_picture())), "docProps/thumbnail.emf", emf_text()))
    small = packed(picture().resize((667, 376)).convert("RGB"), "JPEG")
    yield Case("preview.pptx", _with_part(_pptx(packed(harmless_picture())), "docProps/thumbnail.jpeg", small))
    yield Case(
        "preview.odt", _with_part(_opendocument(packed(harmless_picture()), "odt"), "Thumbnails/thumbnail.png", letter)
    )
    yield Case("metafile.rtf", _rtf(_wmf_text(), rb"\wmetafile8"))
    for name, data in _documents(packed(harmless_picture())).items():
        yield Case(f"harmless {name}", data, leaks=False)


def _documents(letter: bytes) -> dict[str, bytes]:
    return {
        "picture.docx": _docx(letter),
        "header.docx": _docx(letter, in_header=True),
        "picture.pptx": _pptx(letter),
        "picture.xlsx": _xlsx(letter),
        **{f"picture.{kind}": _opendocument(letter, kind) for kind in _ODF_BODIES},
        "flat.fodt": _flat(letter),
        "picture.epub": _epub(letter),
        "picture.rtf": _rtf(letter, rb"\pngblip"),
        "inline.eml": _mail(letter),
        "uri.eml": _mail_with_uri(letter),
        "attached.msg": _msg(letter, attached=True),
        "uri.msg": _msg(letter, attached=False),
        "page.html": _html(letter).encode(),
        "raster.svg": _svg(letter),
    }


def _metafiles(drawn: Image.Image) -> dict[str, bytes]:
    return {
        "text.emf": emf_text(),
        "bitmap.emf": _emf_bitmap(packed(drawn, "BMP")[14:]),
        "outlines.emf": _emf(*[_emf_record(3, bytes(60))] * 200),
        "text.wmf": _wmf_text(),
    }


def _emf_record(kind: int, body: bytes) -> bytes:
    body += bytes(-len(body) % 4)
    return struct.pack("<II", kind, 8 + len(body)) + body


def _emf(*records: bytes) -> bytes:
    header = _emf_record(1, bytes(32) + b" EMF" + bytes(64))
    return header + b"".join(records) + _emf_record(14, bytes(12))


def emf_text() -> bytes:
    records = []
    for number, line in enumerate(LINES):
        text = line.encode("utf-16-le")
        place = struct.pack("<iiIIIIIIII", 10, 20 * number, len(line), 76, 0, 0, 0, 0, 0, 0)
        records.append(_emf_record(84, bytes(28) + place + text))
    return _emf(*records)


def _emf_bitmap(bitmap: bytes) -> bytes:
    head = 40 + 4 * 256
    places = struct.pack("<IIII", 80, head, 80 + head, len(bitmap) - head)
    return _emf(_emf_record(81, bytes(40) + places + bytes(16) + bitmap))


def _wmf_text() -> bytes:
    records = []
    for number, line in enumerate(LINES):
        text = line.encode() + bytes(len(line) % 2)
        body = struct.pack("<hhHH", 20 * number, 10, len(line), 0) + text
        records.append(struct.pack("<IH", 3 + len(body) // 2, 0x0A32) + body)
    end = struct.pack("<IH", 3, 0)
    size = 9 + sum(len(record) for record in [*records, end]) // 2
    return struct.pack("<HHHIHIH", 1, 9, 0x300, size, 0, max(map(len, records)) // 2, 0) + b"".join(records) + end


def _with_part(package: bytes, name: str, data: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(package)) as archive:
        return _zip({**{entry: archive.read(entry) for entry in archive.namelist()}, name: data})


def _docx(letter: bytes, *, in_header: bool = False) -> bytes:
    document = docx.Document()
    document.add_paragraph(_WORDS)
    if in_header:
        document.sections[0].header.paragraphs[0].add_run().add_picture(io.BytesIO(letter), width=5_000_000)
    else:
        document.add_picture(io.BytesIO(letter), width=5_000_000)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def _pptx(letter: bytes) -> bytes:
    slides = pptx.Presentation()
    slide = slides.slides.add_slide(slides.slide_layouts[5])
    slide.shapes.title.text = _WORDS
    slide.shapes.add_picture(io.BytesIO(letter), 0, 0)
    out = io.BytesIO()
    slides.save(out)
    return out.getvalue()


def _xlsx(letter: bytes) -> bytes:
    book = openpyxl.Workbook()
    book.active["A1"] = _WORDS
    book.active.add_image(SheetPicture(io.BytesIO(letter)), "B2")
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _zip(entries: Mapping[str, bytes | str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in entries.items():
            archive.writestr(name, data, zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _office_xml(kind: str, inside: str, root: str = "document-content") -> str:
    body = _ODF_BODIES[kind]
    names = " ".join(
        f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for short, name in (("office", "office"), ("text", "text"), ("draw", "drawing"))
    )
    return (
        f'<?xml version="1.0"?><office:{root} {names} xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'office:mimetype="{_ODF}{body}"><office:body><office:{body}><text:p>{_WORDS}{inside}</text:p></office:{body}>'
        f"</office:body></office:{root}>"
    )


def _opendocument(letter: bytes, kind: str) -> bytes:
    place = '<draw:frame><draw:image xlink:href="Pictures/1.png"/></draw:frame>'
    manifest = '<manifest xmlns="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>'
    return _zip(
        {
            "mimetype": _ODF + _ODF_BODIES[kind],
            "content.xml": _office_xml(kind, place),
            "Pictures/1.png": letter,
            "META-INF/manifest.xml": manifest,
        }
    )


def _flat(letter: bytes) -> bytes:
    data = base64.encodebytes(letter).decode()
    inside = f"<draw:frame><draw:image><office:binary-data>{data}</office:binary-data></draw:image></draw:frame>"
    return _office_xml("odt", inside, "document").encode()


def _epub(letter: bytes) -> bytes:
    container = '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>'
    book = (
        '<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest><item id="a" href="a.xhtml"/></manifest>'
        '<spine><itemref idref="a"/></spine></package>'
    )
    return _zip(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": container,
            "OPS/book.opf": book,
            "OPS/a.xhtml": f'<html><body><p>{_WORDS}</p><img src="images/1.png"/></body></html>',
            "OPS/images/1.png": letter,
        }
    )


def _pict(letter: bytes, kind: bytes) -> bytes:
    digits = letter.hex()
    lines = "\n".join(digits[start : start + 128] for start in range(0, len(digits), 128))
    return b"{\\pict" + kind + b"\\picw1000\\pich600{\\*\\blipuid 0123456789abcdef}\n" + lines.encode() + b"}"


def _rtf(letter: bytes, kind: bytes) -> bytes:
    return b"{\\rtf1\\ansi " + _WORDS.encode() + b"\\par " + _pict(letter, kind) + b"}"


def _rtf_binary(letter: bytes) -> bytes:
    return b"{\\rtf1\\ansi " + _WORDS.encode() + b"{\\pict\\pngblip\\bin%d " % len(letter) + letter + b"}}"


def _html(letter: bytes) -> str:
    data = base64.b64encode(letter).decode()
    return f'<html><body><p>{_WORDS}</p><img src="data:image/png;base64,{data}"></body></html>'


def _mail(letter: bytes) -> bytes:
    mail = EmailMessage()
    mail["Subject"] = "As promised"
    mail.set_content(_WORDS)
    mail.add_alternative(f'<p>{_WORDS}</p><img src="cid:one">', subtype="html")
    mail.get_payload()[1].add_related(letter, "image", "png", cid="<one>")  # type: ignore[union-attr, index]
    return mail.as_bytes()


def _mail_with_uri(letter: bytes) -> bytes:
    mail = EmailMessage()
    mail["Subject"] = "As promised"
    mail.set_content(_html(letter), subtype="html")
    return mail.as_bytes()


def _svg(letter: bytes) -> bytes:
    data = base64.b64encode(letter).decode()
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="1000" height="700">'
        f'<text x="5" y="9">{_WORDS}</text><image xlink:href="data:image/png;base64,{data}"/></svg>'
    ).encode()


def _msg(letter: bytes, *, attached: bool) -> bytes:
    body = _WORDS if attached else ""
    streams: dict[tuple[str, ...], bytes] = {
        ("__properties_version1.0",): bytes(32),
        ("__substg1.0_001A001F",): "IPM.Note".encode("utf-16-le"),
        ("__substg1.0_0037001F",): "As promised".encode("utf-16-le"),
        ("__substg1.0_1000001F",): body.encode("utf-16-le"),
    }
    if attached:
        streams["__attach_version1.0_#00000000", "__properties_version1.0"] = bytes(8)
        streams["__attach_version1.0_#00000000", "__substg1.0_37010102"] = letter
    else:
        streams["__substg1.0_10130102",] = _html(letter).encode()
    return write_compound(streams)
