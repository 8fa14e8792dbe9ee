"""Pixels that a confined child drew -> a picture within the page of the reveal, which nobody stores."""

import base64
import io
from dataclasses import dataclass
from typing import NoReturn

from extraction.formats.image import MEDIA_TYPES as PICTURES
from extraction.formats.pdf import MEDIA_TYPES as PAGES
from extraction.readers.pictures.drawing import LONGEST_SIDE, pixels_of

MOST_DRAWN = 2 * LONGEST_SIDE * LONGEST_SIDE  # characters: pixels are written in four thirds as many
_QUICKLY = 3  # of nine: the picture goes once through the wire


@dataclass(frozen=True, slots=True, repr=False)
class DrawnPage:
    number: int
    pages: int
    address: str  # data:image/png;...
    width: int
    height: int

    def __reduce__(self) -> NoReturn:
        raise TypeError("a DrawnPage holds content, which must not leave the page")


def can_be_drawn(media_type: str) -> bool:
    return media_type in PAGES or media_type in PICTURES


def page_of(text: str) -> DrawnPage | None:
    found = pixels_of(text)
    if found is None:
        return None
    picture, number, pages = found
    file = io.BytesIO()
    picture.save(file, "PNG", compress_level=_QUICKLY)
    address = "data:image/png;base64," + base64.b64encode(file.getvalue()).decode("ascii")
    return DrawnPage(number, pages, address, picture.width, picture.height)
