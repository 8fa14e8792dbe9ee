"""Marks in a picture that is mostly no text -> the rows of them that may be words, cut out for OCR.

A label in a photograph is a small part of it. OCR of the whole photograph takes long and mostly overlooks the label.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PIL import Image, ImageFilter, ImageOps

from extraction.ocr.components import NUMPY, Boxes, Numbers

LOWEST, HIGHEST = 7.0, 160.0  # pixels of a mark, in the picture that is looked at
LEAST_MARKS = 5
MOST_ROWS = 60
_STEP = 1.45  # between one range of heights and the next; each reaches over two steps
_GAP = (-0.25, 1.1)  # between two marks, in heights
_LEVEL = 0.16  # how much the feet of neighbours may differ, in heights
_WIDEST = 2.0  # heights
_LEAST_LEVEL = 0.75  # share of marks with their feet on the line
_LEAST_WIDTHS = 3  # letters are of several widths
_BESIDE, _ABOVE = 2.0, 0.5  # what is cut out around the marks, in heights
_BEST_HEIGHT = 26.0
_MOST_ENLARGED = 4.0
_MARGIN = 24
_FULL, _LEAST_FULL = 99, 20  # the percentile of darkness that becomes black, and the least such darkness
_WHITE = 255


@dataclass(frozen=True, slots=True)
class Row:
    """Where it is, and how high its marks are, in pixels of the whole picture."""

    left: float
    top: float
    right: float
    bottom: float
    height: float
    light: bool

    def scaled(self, factor: int) -> "Row":
        left, top, right, bottom = (side * factor for side in (self.left, self.top, self.right, self.bottom))
        return Row(left, top, right, bottom, self.height * factor, self.light)

    def overlaps(self, other: "Row") -> bool:
        is_beside = self.right <= other.left or other.right <= self.left
        return not is_beside and self.top < other.bottom and other.top < self.bottom

    def joined(self, other: "Row") -> "Row":
        left, top = min(self.left, other.left), min(self.top, other.top)
        right, bottom = max(self.right, other.right), max(self.bottom, other.bottom)
        return Row(left, top, right, bottom, max(self.height, other.height), self.light)


def rows_of(boxes: Boxes, factor: int, *, light: bool) -> list[Row]:
    """Marks of about one height, side by side, with their feet on a line; `factor`: how far the picture was reduced."""
    heights, widths = boxes.bottom - boxes.top, boxes.right - boxes.left
    rows: list[Row] = []
    low = LOWEST
    while low < HIGHEST:
        fits = (heights >= low) & (heights < low * _STEP**2) & (widths < _WIDEST * low * _STEP)
        low *= _STEP
        if fits.sum() >= LEAST_MARKS:
            for left, top, right, bottom in _chains(boxes.where(fits), low):
                beside, above = _BESIDE * low, _ABOVE * low
                row = Row(left - beside, top - above, right + beside, bottom + above, low, light)
                rows.append(row.scaled(factor))
    return _merged(rows)


def _chains(boxes: Boxes, height: float) -> Iterator[tuple[float, float, float, float]]:
    """In bands as high as a mark, once more shifted by half: a row that one cut divides is whole in the other."""
    numpy = NUMPY.load()
    for shift in (0.0, 0.5):
        bands = numpy.floor(boxes.bottom / height + shift)
        order = numpy.lexsort((boxes.left, bands))
        bands, marks = bands[order], boxes.where(order)
        gaps = marks.left[1:] - marks.right[:-1]
        linked = (bands[1:] == bands[:-1]) & (gaps > _GAP[0] * height) & (gaps < _GAP[1] * height)
        linked &= numpy.abs(marks.bottom[1:] - marks.bottom[:-1]) <= _LEVEL * height + 1
        steps = numpy.diff(linked.astype(numpy.int8), prepend=0, append=0)
        for first, last in zip(numpy.flatnonzero(steps == 1), numpy.flatnonzero(steps == -1), strict=True):
            row = marks.where(slice(first, last + 1))
            if len(row) >= LEAST_MARKS and _are_letters(row, height):
                yield float(row.left[0]), float(row.top.min()), float(row.right[-1]), float(row.bottom.max())


def _are_letters(row: Boxes, height: float) -> bool:
    numpy = NUMPY.load()
    level = numpy.abs(row.bottom - numpy.median(row.bottom)) <= _LEVEL * height / 2 + 1
    widths = numpy.unique((row.right - row.left) // max(1.0, height / 8))
    return bool(level.mean() >= _LEAST_LEVEL) and len(widths) >= _LEAST_WIDTHS


def _merged(rows: list[Row]) -> list[Row]:
    merged: list[Row] = []
    for row in sorted(rows, key=lambda one: one.top):
        joined = row
        for other in [one for one in merged if one.overlaps(row)]:
            merged.remove(other)
            joined = joined.joined(other)
        merged.append(joined)
    return merged


def cut_out(grey: Image.Image, rows: Sequence[Row]) -> Image.Image:
    """All rows below each other, dark on white and of a fit size."""
    parts = [_part(grey, row) for row in rows]
    width = max(part.width for part in parts) + 2 * _MARGIN
    picture = Image.new("L", (width, sum(part.height + _MARGIN for part in parts) + _MARGIN), _WHITE)
    top = _MARGIN
    for part in parts:
        picture.paste(part, (_MARGIN, top))
        top += part.height + _MARGIN
    return picture


def _part(grey: Image.Image, row: Row) -> Image.Image:
    left, top = max(0, int(row.left)), max(0, int(row.top))
    part = grey.crop((left, top, min(grey.width, int(row.right) + 1), min(grey.height, int(row.bottom) + 1)))
    part = _darker_than_around(ImageOps.invert(part) if row.light else part, row.height)
    scale = min(_MOST_ENLARGED, _BEST_HEIGHT / row.height)
    size = max(1, round(part.width * scale)), max(1, round(part.height * scale))
    return part.resize(size, Image.Resampling.BICUBIC, reducing_gap=2.0)


def _darker_than_around(part: Image.Image, height: float) -> Image.Image:
    """Only what is darker than its surroundings stays: not the photograph beside a label."""
    numpy = NUMPY.load()
    around: Numbers = numpy.asarray(part.filter(ImageFilter.BoxBlur(height)), dtype=numpy.int16)
    darkness = (around - numpy.asarray(part, dtype=numpy.int16)).clip(0)
    scale = _WHITE / max(_LEAST_FULL, float(numpy.percentile(darkness, _FULL)))
    return Image.fromarray((_WHITE - (darkness * scale).clip(0, _WHITE)).astype(numpy.uint8))
