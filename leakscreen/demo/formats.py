"""A draft -> the bytes of a document in one format; the same draft gives the same bytes."""

import csv
import html
import io
import re
import zipfile
from collections.abc import Callable
from datetime import datetime
from itertools import groupby
from typing import Any

from leakscreen.demo.draft import Draft, Heading, Paragraph, Table, as_text

_STAMP = datetime(2020, 1, 1)
_ZIP_STAMP = (2020, 1, 1, 0, 0, 0)
_MODIFIED = re.compile(rb"(<dcterms:modified[^>]*>)[^<]*(</dcterms:modified>)")
_LINES_PER_SLIDE = 8


def render(draft: Draft, form: str) -> bytes:
    return _WRITERS[form](draft)


def render_locked(draft: Draft) -> bytes:
    """A PDF that opens only with a password."""
    from reportlab.lib.pdfencrypt import StandardEncryption

    return _pdf(draft, StandardEncryption("correct horse", strength=40))


def pack(members: list[tuple[str, bytes]]) -> bytes:
    """A zip whose members all carry one fixed time, so that it depends on nothing but them."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            entry = zipfile.ZipInfo(name, _ZIP_STAMP)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return buffer.getvalue()


def _repack(office: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(office)) as archive:
        members = [(name, archive.read(name)) for name in archive.namelist()]
    return pack([(name, _MODIFIED.sub(rb"\g<1>2020-01-01T00:00:00Z\g<2>", content)) for name, content in members])


def _text(draft: Draft) -> bytes:
    return as_text(draft).encode()


def _csv(draft: Draft) -> bytes:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    for table in draft.tables:
        writer.writerows(table.rows)
    return buffer.getvalue().encode()


def _html(draft: Draft) -> bytes:
    title = html.escape(draft.title)
    body = [f"<h1>{title}</h1>"]
    for part in draft.parts:
        if isinstance(part, Heading):
            body.append(f"<h2>{html.escape(part.text)}</h2>")
        elif isinstance(part, Paragraph):
            body.append(f"<p>{html.escape(part.text)}</p>")
        else:
            cells = ("".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in part.rows)
            body.append("<table>" + "".join(f"<tr>{row}</tr>\n" for row in cells) + "</table>")
    page = f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>\n<body>\n'
    return (page + "\n".join(body) + "\n</body></html>\n").encode()


def _docx(draft: Draft) -> bytes:
    import docx

    document = docx.Document()
    document.core_properties.created = document.core_properties.modified = _STAMP
    document.add_heading(draft.title, 0)
    for part in draft.parts:
        if isinstance(part, Heading):
            document.add_heading(part.text, 2)
        elif isinstance(part, Paragraph):
            document.add_paragraph(part.text)
        else:
            grid = document.add_table(len(part.rows), len(part.rows[0]))
            for cell, text in zip(grid._cells, (text for row in part.rows for text in row), strict=True):
                cell.text = text
    buffer = io.BytesIO()
    document.save(buffer)
    return _repack(buffer.getvalue())


def _pdf(draft: Draft, encrypt: Any = None) -> bytes:
    from reportlab.lib.pagesizes import A4, landscape
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph as Flow
    from reportlab.platypus import SimpleDocTemplate
    from reportlab.platypus import Table as Grid

    styles = getSampleStyleSheet()
    flow = [Flow(html.escape(draft.title), styles["Title"])]
    for part in draft.parts:
        if isinstance(part, Table):
            rows = [[Flow(html.escape(cell), styles["BodyText"]) for cell in row] for row in part.rows]
            flow.append(Grid(rows))
        else:
            flow.append(Flow(html.escape(part.text), styles["Heading2" if isinstance(part, Heading) else "BodyText"]))
    buffer = io.BytesIO()
    wide = any(len(table.rows[0]) > 5 for table in draft.tables)
    SimpleDocTemplate(
        buffer, pagesize=landscape(A4) if wide else A4, invariant=1, title=draft.title, encrypt=encrypt
    ).build(flow)
    return buffer.getvalue()


def _xlsx(draft: Draft) -> bytes:
    import openpyxl

    workbook = openpyxl.Workbook(write_only=True)
    workbook.properties.created = _STAMP
    sheet = workbook.create_sheet(re.sub(r"[^\w ]", "", draft.title)[:31] or "Sheet1")
    for part in draft.parts:
        if isinstance(part, Table):
            for row in part.rows:
                sheet.append(row)
        else:
            sheet.append((part.text,))
    buffer = io.BytesIO()
    workbook.save(buffer)
    return _repack(buffer.getvalue())


def _pptx(draft: Draft) -> bytes:
    import pptx

    deck = pptx.Presentation()
    deck.core_properties.created = deck.core_properties.modified = _STAMP
    deck.slides.add_slide(deck.slide_layouts[0]).shapes.title.text = draft.title
    for title, lines in _slides(draft):
        for start in range(0, len(lines), _LINES_PER_SLIDE):
            slide = deck.slides.add_slide(deck.slide_layouts[1])
            slide.shapes.title.text = title
            slide.placeholders[1].text = "\n".join(lines[start : start + _LINES_PER_SLIDE])
    buffer = io.BytesIO()
    deck.save(buffer)
    return _repack(buffer.getvalue())


def _slides(draft: Draft) -> list[tuple[str, list[str]]]:
    titled: list[tuple[str, str]] = []
    title = draft.title
    for part in draft.parts:
        if isinstance(part, Heading):
            title = part.text
        elif isinstance(part, Paragraph):
            titled.append((title, part.text))
        else:
            titled += [(title, ": ".join(row)) for row in part.rows]
    return [(key, [line for _, line in lines]) for key, lines in groupby(titled, key=lambda pair: pair[0])]


_WRITERS: dict[str, Callable[[Draft], bytes]] = {
    "txt": _text,
    "py": _text,
    "log": _text,
    "ini": _text,
    "csv": _csv,
    "html": _html,
    "docx": _docx,
    "pdf": _pdf,
    "xlsx": _xlsx,
    "pptx": _pptx,
}
