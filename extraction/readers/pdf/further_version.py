"""PDF bytes, numbers of its pages, its pictures and forms -> the file with a further version that shows just these."""

import re
from dataclasses import dataclass

from extraction.readers.pdf.raw_objects import RawObject

_START = re.compile(rb"startxref\s+(\d{1,12})")


@dataclass(frozen=True, slots=True, repr=False)
class Drawing:
    """A picture, which fills one unit by one until it is enlarged, or a form, which has a size of its own."""

    raw: RawObject
    box: str  # left, bottom, right and top of the page that shows it
    matrix: str


def version_of(data: bytes, first: int, pages: list[int], drawings: list[Drawing]) -> bytes:
    """`first` is a number that no object has. Drawings are copied, since a newer one may have the same number."""
    kids = list(pages)
    added: dict[int, bytes] = {}
    for drawing in drawings:
        page = first + 2 + len(added)
        kids.append(page)
        added[page] = (
            f"<< /Type /Page /Parent {first + 1} 0 R /MediaBox [{drawing.box}] /Contents {page + 1} 0 R "
            f"/Resources << /XObject << /X {page + 2} 0 R >> >> >>"
        ).encode()
        added[page + 1] = _stream(b"<< >>", f"q {drawing.matrix} cm /X Do Q".encode())
        added[page + 2] = _stream(drawing.raw.head, data[drawing.raw.start : drawing.raw.end])
    listed = " ".join(f"{number} 0 R" for number in kids)
    added[first] = f"<< /Type /Catalog /Pages {first + 1} 0 R >>".encode()
    added[first + 1] = f"<< /Type /Pages /Kids [{listed}] /Count {len(kids)} >>".encode()
    return _with_objects(data, added, first)


def _stream(head: bytes, content: bytes) -> bytes:
    return head + b"\nstream\n" + content + b"\nendstream"


def _with_objects(data: bytes, added: dict[int, bytes], root: int) -> bytes:
    out = [data, b"\n"]
    place = len(data) + 1
    table = ""
    for number, body in sorted(added.items()):
        entry = b"%d 0 obj\n%s\nendobj\n" % (number, body)
        table += f"{number} 1\n{place:010} 00000 n \n"
        out.append(entry)
        place += len(entry)
    before = _START.match(data, max(0, data.rfind(b"startxref")))
    link = f"/Prev {int(before[1])}" if before else ""
    trailer = f"trailer << /Size {max(added) + 1} /Root {root} 0 R {link} >>\nstartxref\n{place}\n%%EOF\n"
    return b"".join(out) + f"xref\n{table}{trailer}".encode()
