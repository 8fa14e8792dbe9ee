"""A picture or a page -> its grey pixels as text that can leave the sandbox, and back.

Pixels leave it and no file does: whoever shows them makes the file, so that nothing outside parses what a hostile
document may have written.
"""

import base64
import re

from PIL import Image

from core.records import Segment
from extraction.ocr.reader import readable

LONGEST_SIDE = 1_600  # pixels: small print of a page can still be read
_DRAWN = re.compile(r"([0-9]{1,4}) ([0-9]{1,4}) ([0-9]{1,6}) ([0-9]{1,6}) ([A-Za-z0-9+/]*={0,2})")
_PLACE = "drawn"


def drawn(picture: Image.Image, page: int, pages: int) -> Segment:
    grey = readable(picture).convert("L")
    grey.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    pixels = base64.b64encode(grey.tobytes()).decode("ascii")
    return Segment(_PLACE, f"{grey.width} {grey.height} {page} {pages} {pixels}")


def pixels_of(text: str) -> tuple[Image.Image, int, int] | None:
    """The picture, its page and the number of pages; None of anything else: what a child sends is not trusted."""
    parts = _DRAWN.fullmatch(text)
    if parts is None:
        return None
    width, height, page, pages = (int(part) for part in parts.groups()[:4])
    if not (0 < width <= LONGEST_SIDE and 0 < height <= LONGEST_SIDE):
        return None
    try:
        data = base64.b64decode(parts[5], validate=True)
    except ValueError:
        return None
    if len(data) != width * height:
        return None
    return Image.frombytes("L", (width, height), data), page, pages
