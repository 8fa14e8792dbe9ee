"""A grey picture -> a cheap look at it: how many marks could be letters, how large they are and how their lines run."""

import math
from dataclasses import dataclass, replace
from typing import Any

from PIL import Image, ImageFilter

from extraction.ocr.components import NUMPY, Boxes, Numbers, components
from extraction.ocr.rows import MOST_ROWS, Row, rows_of

LOOKED_AT = 1_500_000  # pixels; a larger picture is reduced
LEAST_CONTRAST, MOST_CONTRAST = 8.0, 40.0  # grey levels between a mark and its surroundings
LIGHTEST_GROUND = 215  # for light marks
SMALLEST, LEAST_AREA = 4, 5  # pixels of a mark
SLIMMEST = 14  # how many times longer than wide a mark may be
LEAST_OBLIQUE = 80  # marks; fewer that run neither across nor down are rather a drawing
ASKED_FIRST, ASKED = 150, 500  # marks whose neighbours are looked for
NO_ORDER = 0.2  # so few neighbours in line are chance
BIN = 3  # degrees
_NEIGHBOURS = 2
_NEAR = 4.0  # times the size of a mark
_ALIKE = (0.5, 2.2)  # of the median size
_SECTOR = 12.0  # degrees around the coarse direction in which the exact one is sought
_STEP = 0.5
_STEP_OF_HEIGHT = 0.2  # of the size of a mark: by so much a tall letter exceeds a small one
_MORE_BELOW = 1.25
_ALL_ALIKE = 0.1
_FEW_KINDS = 4
_LEAST_INK = 0.005  # share of a row
_LEAST_BAND = 6  # pixels
_MOST_BANDS = 0.7
_SAME_PLACE = 8  # pixels
_LEAST_BANDS = 4
_MANY = 40  # marks
_SHADE, _ONE_SHADE = 4, 0.25  # grey levels, share of the pixels
_EVERY = 5  # so many rows and columns apart is a sample of pixels
_PAPER = 200  # grey level
_SPACED = 1.2  # heights; letters of which many touch are wider


@dataclass(frozen=True, slots=True)
class Look:
    """`marks` are alike in size; `direction` is that of their lines, in degrees clockwise from horizontal."""

    marks: int = 0
    size: float = 0.0  # pixels of the picture, before it was reduced
    direction: float = 0.0
    order: float = 0.0  # share of neighbours that lie in this direction: 0.15 in a photograph, over 0.4 in a text
    light: bool = False  # light marks on dark ground
    heads_down: bool = False  # probably: OCR itself can tell
    all_alike: bool = False  # as the dots of a dotted line are
    width: float = 0.0  # of a mark, in heights: below 1 unless letters touch
    bands: int = 0  # rows of ink, alike in height and each in several pieces, with nothing between them
    rows: tuple[Row, ...] = ()  # that may be words, where most marks are in no line
    is_drawn: bool = False  # much of it is of one shade, as in a map or a chart

    @property
    def may_hold_letters(self) -> bool:
        return self.marks > 0

    @property
    def has_lines(self) -> bool:
        """Whether enough marks are in line to tell how the picture must be turned."""
        return self.is_in_line and self._may_be_letters

    @property
    def is_in_line(self) -> bool:
        return (self.marks >= 40 and self.order >= 0.28) or (self.marks >= 12 and self.order >= 0.4)

    @property
    def _may_be_letters(self) -> bool:
        return not self.all_alike and (self.marks >= LEAST_OBLIQUE or not self.is_oblique)

    @property
    def is_oblique(self) -> bool:
        """Whether the lines run neither across nor down, as labels of a chart do: there may be others that do."""
        return 20 < abs(self.direction) < 70

    @property
    def is_perhaps_blurred(self) -> bool:
        """Whether marks that are too few for letters may be words whose letters ran together."""
        return (self.has_lines and self.marks >= 30 and abs(self.direction) < 20) or self.bands >= _LEAST_BANDS

    @property
    def is_spaced(self) -> bool:
        """Whether there is a gap between many letters: then they can still be read if they are made narrower."""
        return self.is_text and 0 < self.width <= _SPACED

    @property
    def is_scene(self) -> bool:
        """Whether there are many marks in no order, as in a photograph: at most some of them are letters."""
        has_many = self.marks >= _MANY and len(self.rows) <= MOST_ROWS
        return has_many and not (self.has_lines or self.is_drawn or self.bands >= _LEAST_BANDS)

    @property
    def is_text(self) -> bool:
        """Whether the marks are surely lines of letters: then what cannot be read of them is missing."""
        is_ordered = (self.marks >= 40 and self.order >= 0.4) or (self.marks >= 12 and self.order >= 0.6)
        return is_ordered and self._may_be_letters


def look_at(grey: Image.Image) -> Look:
    factor = math.ceil((grey.width * grey.height / LOOKED_AT) ** 0.5)
    small = grey.reduce(factor) if factor > 1 else grey
    masks = _masks(small)
    marks = [_letter_like(components(mask), min(mask.shape)) for mask in masks]
    looks = [_look(boxes, factor, light) for light, boxes in enumerate(marks)]
    best = max(looks, key=lambda look: (look.is_text, look.marks * look.order, look.marks))
    if best.light and looks[0].is_in_line and _is_light(small):
        best = looks[0]
    if best.has_lines:
        return best
    rows = [
        row
        for light, boxes in enumerate(marks)
        if boxes is not None
        for row in rows_of(boxes, factor, light=bool(light))
    ]
    return replace(best, bands=_bands(masks[0]), rows=tuple(rows), is_drawn=_is_drawn(small))


def _is_light(small: Image.Image) -> bool:
    """Whether most of it is paper: what is light between large dark letters is no mark."""
    numpy = NUMPY.load()
    return bool(numpy.median(numpy.asarray(small)[::_EVERY, ::_EVERY]) > _PAPER)


def _masks(small: Image.Image) -> tuple[Numbers, Numbers]:
    """Where the picture is darker, and where it is lighter, than its surroundings."""
    numpy = NUMPY.load()
    radius = max(4, min(25, min(small.size) // 8))
    ground = numpy.asarray(small.filter(ImageFilter.BoxBlur(radius)), dtype=numpy.int16)
    difference = ground - numpy.asarray(small, dtype=numpy.int16)
    noise = float(numpy.median(numpy.abs(difference[::_EVERY, ::_EVERY])))
    contrast = min(MOST_CONTRAST, max(LEAST_CONTRAST, 3 * noise))
    # Between thin lines on white paper the paper is lighter than its surroundings as well.
    return difference > contrast, (difference < -contrast) & (ground < LIGHTEST_GROUND)


def _look(boxes: Boxes | None, factor: int, light: int) -> Look:
    numpy = NUMPY.load()
    if boxes is None or not len(boxes):
        return Look()
    sizes = numpy.sqrt((boxes.right - boxes.left) * (boxes.bottom - boxes.top))
    size = float(numpy.median(sizes))
    boxes = boxes.where((sizes > _ALIKE[0] * size) & (sizes < _ALIKE[1] * size))
    pairs = _neighbours(boxes, size, ASKED_FIRST)
    coarse, order = _direction(boxes, *pairs) if pairs is not None else (0.0, 0.0)
    if pairs is None or order < NO_ORDER:
        return Look(len(boxes), size * factor, coarse, order, bool(light))
    pairs = _neighbours(boxes, size, ASKED)
    if pairs is None:
        return Look(len(boxes), size * factor, light=bool(light))
    coarse, order = _direction(boxes, *pairs)
    look = Look(len(boxes), size * factor, coarse, order, bool(light))
    if not look.is_in_line:  # then nobody asks how exactly the lines run
        return look
    direction = _exact(boxes, size, coarse)
    return replace(
        look,
        direction=direction,
        heads_down=_heads_down(boxes, *pairs, direction, size),
        all_alike=_are_all_alike(boxes),
        width=_width(boxes, direction),
    )


def _is_drawn(small: Image.Image) -> bool:
    counts = small.histogram()
    shades = [sum(counts[level : level + _SHADE]) for level in range(0, len(counts), _SHADE)]
    return max(shades) >= _ONE_SHADE * small.width * small.height


def _bands(mask: Numbers) -> int:
    """How many lines of text there may be whose letters ran together; 0 if the rows of ink are unlike each other."""
    numpy = NUMPY.load()
    starts, ends = _runs(mask.mean(axis=1) > _LEAST_INK)
    heights = ends - starts
    if not len(heights):
        return 0
    height = numpy.median(heights)
    alike = (heights > _ALIKE[0] * height) & (heights < _ALIKE[1] * height)
    cuts = [_runs(mask[top:bottom].any(axis=0))[0] // _SAME_PLACE for top, bottom in zip(starts, ends, strict=True)]
    in_pieces = sum(len(pieces) > 1 for pieces in cuts)
    is_table = len({pieces.tobytes() for pieces in cuts}) <= len(cuts) / 2
    is_text = height >= _LEAST_BAND and alike.mean() >= _MOST_BANDS and in_pieces >= _MOST_BANDS * len(heights)
    return int(alike.sum()) if is_text and not is_table else 0


def _runs(present: Any) -> tuple[Numbers, Numbers]:
    numpy = NUMPY.load()
    steps = numpy.diff(present.astype(numpy.int8), prepend=0, append=0)
    return numpy.flatnonzero(steps == 1), numpy.flatnonzero(steps == -1)


def _letter_like(boxes: Boxes | None, side: int) -> Boxes | None:
    if boxes is None:
        return None
    numpy = NUMPY.load()
    width, height = boxes.right - boxes.left, boxes.bottom - boxes.top
    longer, shorter = numpy.maximum(width, height), numpy.minimum(width, height)
    fits = (longer >= SMALLEST) & (longer <= max(60, side * 0.6)) & (longer <= SLIMMEST * shorter)
    return boxes.where(fits & (boxes.area >= LEAST_AREA))


def _width(boxes: Boxes, direction: float) -> float:
    numpy = NUMPY.load()
    across, down = boxes.right - boxes.left, boxes.bottom - boxes.top
    width, height = (across, down) if abs(direction) <= 45 else (down, across)
    return float(numpy.median(width) / numpy.percentile(height, 60))


def _are_all_alike(boxes: Boxes) -> bool:
    """The dots of a dotted line, the cells of a table; letters have many widths and heights."""
    numpy = NUMPY.load()
    width, height = boxes.right - boxes.left, boxes.bottom - boxes.top
    shapes = (width / height).clip(0.1, 10)
    kinds = len(numpy.unique(width // 2 * 10_000 + height // 2))
    return bool(shapes.std() < _ALL_ALIKE * shapes.mean()) or kinds <= _FEW_KINDS


def _neighbours(boxes: Boxes, size: float, most: int) -> tuple[Numbers, Numbers] | None:
    """Pairs of marks next to each other, or None if most marks stand alone."""
    numpy = NUMPY.load()
    count = len(boxes)
    if count < 3:
        return None
    asked = numpy.unique(numpy.linspace(0, count - 1, min(count, most)).astype(int))
    across, down = boxes.across, boxes.down
    distance = (across[None, :] - across[asked][:, None]) ** 2 + (down[None, :] - down[asked][:, None]) ** 2
    distance[numpy.arange(len(asked)), asked] = math.inf
    nearest = numpy.argpartition(distance, _NEIGHBOURS - 1, axis=1)[:, :_NEIGHBOURS]
    near = numpy.take_along_axis(distance, nearest, 1).ravel() < (_NEAR * size) ** 2
    if near.sum() < len(asked):
        return None
    return numpy.repeat(asked, _NEIGHBOURS)[near], nearest.ravel()[near]


def _direction(boxes: Boxes, first: Numbers, second: Numbers) -> tuple[float, float]:
    """In which direction most marks have their neighbours, and for which share of them this is so."""
    numpy = NUMPY.load()
    steps = boxes.down[second] - boxes.down[first], boxes.across[second] - boxes.across[first]
    angles = numpy.degrees(numpy.arctan2(*steps)) % 180
    counts = numpy.bincount((angles // BIN).astype(int) % (180 // BIN), minlength=180 // BIN)
    around = sum(numpy.roll(counts, shift) for shift in range(-2, 3))
    peak = int(around.argmax())
    return _signed((peak + 0.5) * BIN), float(around[peak] / len(angles))


def _heads_down(boxes: Boxes, first: Numbers, second: Numbers, direction: float, size: float) -> bool:
    """Small letters vary above (b, d, h, t) more than below (g, p): if it is the other way round, they are turned."""
    numpy = NUMPY.load()
    upper, lower, along = boxes.top, boxes.bottom, boxes.across
    if abs(direction) > 45:  # as the picture will be after a quarter turn
        upper, lower, along = -boxes.right, -boxes.left, boxes.down
        direction += -90 if direction > 0 else 90
    slope = (along[second] - along[first]) * math.tan(math.radians(direction))
    step = max(1.0, _STEP_OF_HEIGHT * size)
    above = numpy.abs(upper[second] - upper[first] - slope)
    below = numpy.abs(lower[second] - lower[first] - slope)
    line = numpy.minimum(above, below) < step
    ups, downs = ((line & (edge >= step)).sum() for edge in (above, below))
    return bool(downs > _MORE_BELOW * ups + 2)


def _signed(angle: float) -> float:
    return angle - 180 if angle > 90 else angle


def _exact(boxes: Boxes, size: float, coarse: float) -> float:
    """The direction in which the marks fall into the fewest, fullest lines."""
    numpy = NUMPY.load()
    best, most = coarse, -1.0
    for angle in numpy.arange(coarse - _SECTOR, coarse + _SECTOR + _STEP, _STEP):
        sine, cosine = math.sin(math.radians(angle)), math.cos(math.radians(angle))
        heights = (boxes.down * cosine - boxes.across * sine) / max(1.0, size / 3)
        counts: Any = numpy.bincount((heights - heights.min()).astype(int))
        fullness = float((counts * counts).sum())
        if fullness > most:
            best, most = float(angle), fullness
    return _signed(best % 180)
