"""A picture -> its words as runs; words that change are covered by boxes, and nothing but pixels is kept."""

import io
from collections.abc import Mapping, Sequence

from PIL import Image, ImageDraw, ImageOps, UnidentifiedImageError

from deidentification.formats.opened import BROKEN, TOO_LARGE, RefusedError
from deidentification.formats.words_in_pictures import Word, code_boxes, covering, runs_of, words_in
from deidentification.view import Run

_MOST_PIXELS = 60_000_000
_FILL = (238, 238, 238)  # light and without a border, which tesseract would take for letters
_ENLARGED_BELOW = 1_000  # pixels of the shorter side: tesseract reads small letters badly
_FORMATS = {"image/jpeg": "JPEG", "image/png": "PNG", "image/tiff": "TIFF", "image/bmp": "BMP"}


class OpenedPicture:
    """All frames but the first are left out: of an animation or a fax in pages they would need boxes of their own."""

    is_prose = True

    def __init__(self, picture: Image.Image, media_type: str) -> None:
        self._picture = picture
        self._format = _FORMATS.get(media_type, "PNG")
        self._words = read(picture)
        runs, self._places = runs_of(self._words, "picture")
        self.runs: Sequence[Run] = tuple(runs)

    def rewritten(self, new: Mapping[int, str]) -> bytes:
        boxes = covering(self._words, {self._places[at] for at in new if self._places[at] >= 0})
        covered = with_boxes(self._picture, [*boxes, *code_boxes(self._picture)])
        file = io.BytesIO()
        covered.save(file, self._format)
        return file.getvalue()


def open_picture(data: bytes, media_type: str) -> OpenedPicture:
    return OpenedPicture(decoded(data), media_type)


def decoded(data: bytes) -> Image.Image:
    """Upright and in plain colours, without anything that a file may carry beside its pixels."""
    try:
        picture = Image.open(io.BytesIO(data))
        if picture.width * picture.height > _MOST_PIXELS or getattr(picture, "n_frames", 1) > 1:
            raise RefusedError(TOO_LARGE)
        upright = ImageOps.exif_transpose(picture)
        plain = Image.new("RGB", upright.size, "white")
        whole = upright.convert("RGBA")
        plain.paste(whole, mask=whole.getchannel("A"))
    except RefusedError:
        raise
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError):
        raise RefusedError(BROKEN) from None
    return plain


def read(picture: Image.Image) -> list[Word]:
    """Small pictures are read enlarged; boxes are those of the picture itself."""
    factor = 3 if min(picture.size) < _ENLARGED_BELOW and picture.width * picture.height < _MOST_PIXELS // 9 else 1
    larger = picture.resize((picture.width * factor, picture.height * factor), Image.Resampling.BICUBIC)
    words = words_in(larger if factor > 1 else picture)
    return [word._replace(box=_smaller(word.box, factor)) for word in words]


def with_boxes(picture: Image.Image, boxes: Sequence[tuple[int, int, int, int]]) -> Image.Image:
    covered = picture.copy()
    draw = ImageDraw.Draw(covered)
    for box in boxes:
        draw.rectangle(box, fill=_FILL)
    return covered


def _smaller(box: tuple[int, int, int, int], factor: int) -> tuple[int, int, int, int]:
    left, top, right, bottom = box
    return left // factor, top // factor, -(-right // factor), -(-bottom // factor)
