"""The letter -> a picture of it, and its bytes in a picture format; noise, for pictures without letters."""

import io
from collections.abc import Sequence
from typing import Any

import numpy
from PIL import Image, ImageDraw, ImageFont

from benchmarks.honesty_cases.case import HARMLESS_LINES, LINES

_MARGIN, _STEP = 60, 52


def picture(lines: Sequence[str] = LINES, *, ink: int = 0, paper: int = 255, size: int = 30) -> Image.Image:
    step = _STEP * size // 30
    drawn = Image.new("L", (1000, 2 * _MARGIN + step * len(lines)), paper)
    for number, line in enumerate(lines):
        ImageDraw.Draw(drawn).text(
            (_MARGIN, _MARGIN + step * number), line, fill=ink, font=ImageFont.load_default(size)
        )
    return drawn


def harmless_picture() -> Image.Image:
    return picture(HARMLESS_LINES)


def packed(drawn: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    out = io.BytesIO()
    drawn.save(out, kind, **options)
    return out.getvalue()


def noise(width: int, height: int, sigma: float) -> Image.Image:
    """The same at every call, unlike Pillow's own: a file that is made twice is the same file."""
    levels = numpy.random.default_rng(0).normal(128, sigma, (height, width))
    return Image.fromarray(levels.clip(0, 255).astype("uint8"))
