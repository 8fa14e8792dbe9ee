"""A picture of level lines -> the strip of it with the most letters, by which a cheap trial judges the whole."""

from PIL import Image

from extraction.ocr.components import NUMPY, Numbers

SHARE = 6  # of the picture, at least
LINES = 12.0  # sizes of a letter
WORTH = 3  # a strip that is not this much lower than the picture saves nothing
_EDGE = 48  # grey levels from one pixel to the next


def strip_of(picture: Image.Image, letter: float) -> tuple[Image.Image, float]:
    """And which share of the picture's edges it has; the whole picture if a strip would hardly be smaller."""
    height = max(picture.height // SHARE, round(LINES * letter))
    if height * WORTH > picture.height:
        return picture, 1.0
    numpy = NUMPY.load()
    pixels: Numbers = numpy.asarray(picture, dtype=numpy.int16)
    edges = (numpy.abs(numpy.diff(pixels, axis=1)) > _EDGE).sum(axis=1)
    upto = numpy.concatenate(([0], numpy.cumsum(edges)))
    within = upto[height:] - upto[:-height]
    top = int(within.argmax())
    return picture.crop((0, top, picture.width, top + height)), float(within[top] / max(1, upto[-1]))
