"""Lines of text -> a PDF of one typed page."""

import io

from reportlab.pdfgen.canvas import Canvas


def pdf(lines: tuple[str, ...]) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out)
    for number, line in enumerate(lines):
        canvas.drawString(72, 760 - 18 * number, line)
    canvas.save()
    return out.getvalue()
