"""A grey picture and a look at it -> the same picture as OCR reads it best: level, of a fit size, evenly lit."""

from PIL import Image, ImageChops, ImageFilter, ImageOps

from extraction.ocr.components import NUMPY, Numbers
from extraction.ocr.look import Look

BEST_SIZE = 22.0  # pixels of a letter, between the height of an x and that of a capital
ENLARGED_SIZE = 14.0  # more costs time and makes no letter clearer
SMALL, LARGE = 11.0, 45.0  # letters beyond these are scaled
MOST_ENLARGED = 3.0
UNSURE_PIXELS = 1_500_000  # enough for a picture that probably holds no letters
MOST_PIXELS = 10_000_000  # of an enlarged picture
NARROW = 0.7  # of their width: spaced letters are still read as well
_WORTH = 1.2  # times: less is not enlarged
LEVEL = 0.75  # degrees that OCR itself makes up for
_GROUND_SIDE = 250
_AROUND = 4  # pixels to each side
_GROUND_SPREAD = 30.0  # grey levels between the darkest and the lightest part of evenly lit paper
_WHITE = 255


def mended(grey: Image.Image, look: Look) -> Image.Image:
    """Lines of letters run level afterwards, or upside down: that only OCR itself can tell.

    Spaced letters are narrowed: the network steps along a line, at a height that is always the same, so a shorter line
    takes fewer steps.
    """
    is_level = abs(look.direction) <= LEVEL
    picture = _scaled(grey, look, NARROW if look.is_spaced and is_level else 1.0)
    if not look.has_lines:
        return picture
    if look.light:
        picture = ImageOps.invert(picture)
    picture = evenly_lit(picture)
    angle = look.direction
    if abs(angle) > 45:
        picture = picture.transpose(Image.Transpose.ROTATE_90)
        angle += -90 if angle > 0 else 90
    if abs(angle) > LEVEL:
        picture = picture.rotate(angle, Image.Resampling.BICUBIC, expand=True, fillcolor=_WHITE)
    return _resized(picture, NARROW, 1.0) if look.is_spaced and not is_level else picture


def turned(picture: Image.Image) -> Image.Image:
    return picture.transpose(Image.Transpose.ROTATE_180)


def _scaled(grey: Image.Image, look: Look, narrow: float) -> Image.Image:
    pixels = grey.width * grey.height
    if not look.is_text:
        return grey.reduce(round((pixels / UNSURE_PIXELS) ** 0.5)) if pixels > 2 * UNSURE_PIXELS else grey
    scale = 1.0
    if look.size > LARGE and (factor := int(look.size / BEST_SIZE)) > 1:
        grey = grey.reduce(factor)
    elif look.size < SMALL:
        scale = min(MOST_ENLARGED, ENLARGED_SIZE / look.size, (MOST_PIXELS / pixels) ** 0.5)
    if scale <= _WORTH:
        scale = 1.0
    return _resized(grey, narrow * scale, scale)


def _resized(picture: Image.Image, across: float, down: float) -> Image.Image:
    if across == down == 1.0:
        return picture
    size = max(1, round(picture.width * across)), max(1, round(picture.height * down))
    return picture.resize(size, Image.Resampling.BICUBIC if down > 1 else Image.Resampling.BILINEAR)


def evenly_lit(picture: Image.Image) -> Image.Image:
    """Takes away shadows: dark letters on ground that is not equally light everywhere."""
    factor = max(1, max(picture.size) // _GROUND_SIDE)
    small = picture.reduce(factor) if factor > 1 else picture
    ground = _lightest_around(small)
    if _is_even(ground):  # nearly always, and the median below takes most of the time
        return picture
    ground = ground.filter(ImageFilter.MedianFilter(9))
    if _is_even(ground):
        return picture
    ground = ground.filter(ImageFilter.GaussianBlur(4)).resize(picture.size, Image.Resampling.BILINEAR)
    # Where the ground is g and a mark m, m + (255 - g): the ground becomes white and differences stay.
    return ImageOps.autocontrast(ImageChops.add(picture, ImageOps.invert(ground)), cutoff=0.5)


def _lightest_around(small: Image.Image) -> Image.Image:
    """As MaxFilter(9) gives it, but across and down apart, which is ten times as quick."""
    numpy = NUMPY.load()
    pixels: Numbers = numpy.asarray(small)
    for axis in (0, 1):
        wide = numpy.pad(pixels, [(_AROUND, _AROUND) if one == axis else (0, 0) for one in (0, 1)], "edge")
        size = pixels.shape[axis]
        pixels = numpy.maximum.reduce([wide.take(range(by, by + size), axis) for by in range(2 * _AROUND + 1)])
    return Image.fromarray(pixels)


def _is_even(ground: Image.Image) -> bool:
    darkest, lightest = _extent(ground)
    return lightest - darkest < _GROUND_SPREAD and lightest > _WHITE / 2


def _extent(ground: Image.Image) -> tuple[int, int]:
    """The grey levels between which nearly all of the ground lies."""
    counts = ground.histogram()
    total, seen, darkest = sum(counts), 0, None
    for level, count in enumerate(counts):
        seen += count
        if darkest is None and seen > 0.03 * total:
            darkest = level
        if seen >= 0.97 * total:
            return darkest or 0, level
    return darkest or 0, _WHITE
