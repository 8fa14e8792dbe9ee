"""PDF files whose pages show nothing of the letter: it is in what an editor left behind or nobody draws."""

import io
import re
import zlib
from collections.abc import Callable, Iterator

from PIL import Image
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from benchmarks.honesty_cases.case import HARMLESS_LINES, LETTER, LINES, Case
from benchmarks.honesty_cases.letter_picture import harmless_picture, picture

Drawing = Callable[[Canvas], None]
_ESCAPED = LETTER.replace("(", "\\(").replace(")", "\\)").encode()
_STRING = b"(%s)" % _ESCAPED
_COMMANDS = b"BT /F1 12 Tf 72 720 Td 14 TL (%s) ' ET" % _ESCAPED.replace(b"\n", b") ' (")


def unseen_in_pdf() -> Iterator[Case]:
    shown = drawn(_typed(HARMLESS_LINES))
    yield from _versions(shown)
    yield from _objects(shown)
    yield from _drawings()
    yield from _kept(shown)
    yield from _encrypted()
    yield Case("changed twice.pdf", _with(_with(shown, [_stream(b"q Q")]), [b"(nothing)"]), leaks=False)
    yield Case("typed over a picture.pdf", drawn(lambda canvas: _over_picture(canvas, 0)), leaks=False)


def _versions(shown: bytes) -> Iterator[Case]:
    number = _number_of(rb"/Length", drawn(_typed(LINES)))
    yield Case("earlier version.pdf", _with(drawn(_typed(LINES)), [_stream(b"q Q")], number))
    pages = drawn(_typed(HARMLESS_LINES), _typed(LINES))
    second = re.findall(rb"(\d+) 0 R", re.search(rb"/Kids \[([^\]]*)\]", pages)[1])[1]  # type: ignore[index]
    removed = pages.replace(b" %s 0 R ]" % second, b" " * (len(second) + 5) + b"]").replace(b"/Count 2", b"/Count 1")
    yield Case("removed page.pdf", removed)
    scan = drawn(lambda canvas: _place(canvas, picture()))
    number = _number_of(rb"/Subtype /Image", scan)
    blank = b"/Type /XObject /Subtype /Image /Width 9 /Height 9 /ColorSpace /DeviceGray /BitsPerComponent 8"
    yield Case("replaced picture.pdf", _with(scan, [_stream(b"\xff" * 81, blank)], number))
    many = drawn(_typed(LINES))
    for _ in range(12):
        many = _with(many, [_stream(b"q Q")], _number_of(rb"/Length", drawn(_typed(LINES))))
    yield Case("changed often.pdf", many)
    yield Case("comment.pdf", shown.replace(b"\nxref\n", b"\n% " + LETTER.replace("\n", "\n% ").encode() + b"\nxref\n"))


def _objects(shown: bytes) -> Iterator[Case]:
    packed = zlib.compress(_COMMANDS)
    yield Case("unused stream.pdf", _with(shown, [_stream(_COMMANDS)]))
    yield Case("unused packed stream.pdf", _with(shown, [_stream(packed, b"/Filter /FlateDecode")]))
    yield Case("unused stream of an old filter.pdf", _with(shown, [_stream(_COMMANDS, b"/Filter /LZWDecode")]))
    yield Case("unused string.pdf", _with(shown, [_STRING]))
    wide = ("\ufeff" + LETTER).encode("utf-16-be").hex().encode()
    yield Case("tooltip in hexadecimal.pdf", _with(shown, [b"<< /FT /Tx /T (a) /TU <%s> >>" % wide]))
    script = b"<< /S /JavaScript /JS %d 0 R >>" % (_first_free(shown) + 1)
    yield Case("script.pdf", _with(shown, [script, _stream(b"/*" + LETTER.encode() + b"*/ app.beep(0);")]))
    held = _stream(b"90 0 << /Note %s >>" % _STRING, b"/Type /ObjStm /N 1 /First 5")
    yield Case("object stream.pdf", _with(shown, [held]))
    broken = _stream(b"no deflate", b"/Type /ObjStm /N 1 /First 5 /Filter /FlateDecode")
    yield Case("broken object stream.pdf", _with(shown, [broken]))
    attached = b"<< /Type /Filespec /F (note.txt) /EF << /F %d 0 R >> >>" % (_first_free(shown) + 1)
    yield Case("file of an annotation.pdf", _with(shown, [attached, _stream(LETTER.encode())]))
    yield Case("file of nothing.pdf", _with(shown, [_stream(LETTER.encode(), b"/Type /EmbeddedFile")]))


def _kept(shown: bytes) -> Iterator[Case]:
    """What a program keeps for itself, and what is drawn by something else than a page."""
    first = _first_free(shown)
    private = b"<< /PieceInfo << /Program << /Private %d 0 R >> >> >>" % (first + 1)
    yield Case("kept by a program.pdf", _with(shown, [private, _stream(LETTER.encode())]))
    yield Case("packed by a program.pdf", _with(shown, [private, _stream(zlib.compress(LETTER.encode()))]))
    box = b"/BBox [0 0 600 800] /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
    tile = b"/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /XStep 600 /YStep 800 " + box
    yield Case("tile.pdf", _with(shown, [_stream(_COMMANDS, tile)]))
    stamp = b"<< /Type /Annot /Subtype /Stamp /F 2 /AP << /N %d 0 R >> >>" % (first + 1)
    yield Case("hidden stamp.pdf", _with(shown, [stamp, _stream(_COMMANDS, b"/Subtype /Form " + box)]))


def _drawings() -> Iterator[Case]:
    letter = picture()
    yield Case("black boxes.pdf", drawn(lambda canvas: _over_picture(canvas, 1)))
    yield Case("beside the page.pdf", drawn(lambda canvas: _place(canvas, letter, left=700)))
    yield Case("undrawn form.pdf", drawn(_undrawn_form))
    yield Case("layer that is off.pdf", _in_layer(drawn(lambda canvas: _place(canvas, letter))))
    unused = drawn(lambda canvas: _place(canvas, letter))
    yield Case("unused picture.pdf", re.sub(rb"/Contents \d+ 0 R", lambda match: b" " * len(match[0]), unused))


def _encrypted() -> Iterator[Case]:
    """Anybody can open them; the owner's password protects nothing but printing."""
    for bits in (40, 128):
        lock = StandardEncryption("", ownerPassword="owner", canPrint=0, strength=bits)
        yield Case(f"undrawn form, {bits} bits.pdf", drawn(_undrawn_form, lock=lock))
    lock = StandardEncryption("", ownerPassword="owner", strength=128)
    yield Case("black boxes, encrypted.pdf", drawn(lambda canvas: _over_picture(canvas, 1), lock=lock))
    lock = StandardEncryption("", ownerPassword="owner", strength=128)
    typed = drawn(lambda canvas: _over_picture(canvas, 0), lock=lock)
    yield Case("typed over a picture, encrypted.pdf", typed, leaks=False)


def _in_layer(scan: bytes) -> bytes:
    number = _number_of(rb"/Subtype /Image", scan)
    body = re.search(rb"\n%d 0 obj\s(.*?)endobj" % number, scan, re.S)[1]  # type: ignore[index]
    layered = _with(scan, [body.replace(b"/Subtype", b"/OC 90 0 R /Subtype", 1)], number)
    catalogue = _number_of(rb"/Type /Catalog", scan)
    entries = re.search(rb"\n%d 0 obj\s<<(.*?)>>\s*endobj" % catalogue, scan, re.S)[1]  # type: ignore[index]
    layers = b"/OCProperties << /OCGs [90 0 R] /D << /OFF [90 0 R] >> >>"
    layered = _with(layered, [b"<< %s %s >>" % (entries, layers)], catalogue)
    return _with(layered, [b"<< /Type /OCG /Name (Layer) >>"], 90)


def drawn(*drawings: Drawing, lock: StandardEncryption | None = None) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, pageCompression=0, encrypt=lock)
    for draw in drawings:
        canvas.drawString(280, 30, "Page")
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def _typed(lines: tuple[str, ...]) -> Drawing:
    def draw(canvas: Canvas) -> None:
        for number, line in enumerate(lines):
            canvas.drawString(72, 760 - 18 * number, line)

    return draw


def _place(canvas: Canvas, shown: Image.Image, left: float = 50) -> None:
    canvas.drawImage(ImageReader(shown), left, 300, 480, 480 * shown.height / shown.width)


def _over_picture(canvas: Canvas, boxes: int) -> None:
    """Text over a harmless picture, or a box over every line of the letter."""
    shown = picture() if boxes else harmless_picture()
    _place(canvas, shown)
    canvas.drawString(60, 290, "A picture with a line below")
    if boxes:
        canvas.rect(50, 300, 480, 480 * shown.height / shown.width, fill=1)


def _undrawn_form(canvas: Canvas) -> None:
    canvas.beginForm("letter")
    _typed(LINES)(canvas)
    canvas.endForm()


def _stream(data: bytes, entries: bytes = b"") -> bytes:
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(data), entries, data)


def _first_free(data: bytes) -> int:
    return max(int(number) for number in re.findall(rb"(\d+) 0 obj", data)) + 1


def _number_of(entry: bytes, data: bytes) -> int:
    """Of the last object whose dictionary has the entry."""
    objects = re.findall(rb"(\d+) 0 obj\s(.*?)endobj", data, re.S)
    return int([number for number, body in objects if re.search(entry, body.partition(b"stream")[0])][-1])


def _with(data: bytes, bodies: list[bytes], first: int = 0) -> bytes:
    """A further version with these objects; `first` is the number of one that the first of them replaces."""
    out, table = data + b"\n", b""
    number = first or _first_free(data)
    for body in bodies:
        table += b"%d 1\n%010d 00000 n \n" % (number, len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
        number += 1
    root = re.findall(rb"/Root (\d+) 0 R", data)[-1]
    before = int(re.findall(rb"startxref\s+(\d+)", data)[-1])
    trailer = b"xref\n%strailer\n<< /Size %d /Root %s 0 R /Prev %d >>\nstartxref\n%d\n%%%%EOF\n"
    return out + trailer % (table, max(number, _first_free(out)), root, before, len(out))
