"""A picture of level lines -> its first lines, by which its language is recognised, and the rest."""

from PIL import Image

from extraction.ocr.components import NUMPY, Numbers

LEAST_LINES = 4
LEAST_EDGES = 400  # some forty letters
LONGEST = 0.6  # share of the picture's edges: more saves nothing
_EDGE = 48  # grey levels from one pixel to the next
_FRAME = 0.4  # share of the rows in which a frame has an edge
_SPECKS = 4  # edges in a row without letters: those of a frame around a part
_LEAST_GAP = 3  # pixels
_LOWEST = 5  # pixels of a line
_CROSSED = 0.15  # share of the lines
_MIDDLE = (0.2, 0.8)  # of the width


def head_and_rest(picture: Image.Image) -> tuple[Image.Image, Image.Image] | None:
    """Cut where no line of letters is; not through columns of text, which are read one after the other."""
    numpy = NUMPY.load()
    pixels: Numbers = numpy.asarray(picture)
    left, right = pixels[:, :-1], pixels[:, 1:]
    edges: Numbers = numpy.maximum(left, right) - numpy.minimum(left, right) > _EDGE
    edges[:, edges.mean(axis=0) > _FRAME] = False
    counts = edges.sum(axis=1)
    steps = numpy.diff((counts > _SPECKS).astype(numpy.int8), prepend=0, append=0)
    tops, bottoms = numpy.flatnonzero(steps == 1), numpy.flatnonzero(steps == -1)
    heights = bottoms - tops
    is_line = heights >= _LOWEST
    if is_line.sum() < 2 * LEAST_LINES:
        return None
    line = float(numpy.median(heights[is_line]))
    least = line if _has_columns(edges, tops[is_line], line) else _LEAST_GAP
    upto, lines = numpy.cumsum(counts), numpy.cumsum(is_line)[:-1]
    before, gaps = upto[bottoms[:-1] - 1], tops[1:] - bottoms[:-1]
    fits = (gaps >= least) & (lines >= LEAST_LINES) & (before >= LEAST_EDGES) & (before <= LONGEST * upto[-1])
    if not fits.any():
        return None
    first = int(fits.argmax())
    cut = int(bottoms[first] + tops[first + 1]) // 2
    return picture.crop((0, 0, picture.width, cut)), picture.crop((0, cut, picture.width, picture.height))


def _has_columns(edges: Numbers, tops: Numbers, line: float) -> bool:
    """Whether a gap between columns, as wide as a line is high, runs down through nearly all lines."""
    numpy = NUMPY.load()
    crossed = numpy.logical_or.reduceat(edges, tops, axis=0).mean(axis=0)
    width = len(crossed)
    free = crossed[int(_MIDDLE[0] * width) : int(_MIDDLE[1] * width)] < _CROSSED
    steps = numpy.diff(free.astype(numpy.int8), prepend=0, append=0)
    runs = numpy.flatnonzero(steps == -1) - numpy.flatnonzero(steps == 1)
    return bool(len(runs) and runs.max() >= line)
