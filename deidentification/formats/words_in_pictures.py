"""A picture -> its words with the boxes around them, as tesseract reads it, and the boxes of two-dimensional codes."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from PIL import Image

from deidentification.formats.opened import NO_OCR, RefusedError
from deidentification.view import Run
from extraction.ocr.languages import data_for
from extraction.ocr.reader import Ocr
from extraction.ocr.tesseract import Tesseract

_WORD = "5"  # what a row of the table of results is about
_SECONDS = 60.0
_REACH = 0.7  # of the height of a word, to its left and right
_RISE = 0.15  # and above and below: descenders and accents
_LEAST_RISE = 2  # pixels
_ocr: list[Ocr] = []  # of this process


Box = tuple[int, int, int, int]


class Word(NamedTuple):
    text: str
    line: tuple[str, ...]
    box: Box


def use_ocr(ocr: Ocr) -> None:
    _ocr[:] = [ocr]


def words_in(picture: Image.Image) -> list[Word]:
    """Raises RefusedError where the picture cannot be read: what nobody read, nobody can remove."""
    tesseract = _ocr[0].tesseract
    tesseract.load()
    if tesseract.missing:
        raise RefusedError(NO_OCR)
    grey = picture.convert("L")
    words = _words(tesseract, grey, tesseract.first)
    language = data_for((" ".join(word.text for word in words),)) if tesseract.is_auto else ""
    if language and language != tesseract.first and tesseract.has(language):
        tesseract.load(language)
        words = _words(tesseract, grey, language)
    return words


def _words(tesseract: Tesseract, grey: Image.Image, language: str) -> list[Word]:
    rows, finished = tesseract.table(grey, _SECONDS, language)
    if not finished:
        raise RefusedError(NO_OCR)
    return [Word(row[11], tuple(row[1:5]), _box(row)) for row in rows if row[0] == _WORD and row[11].strip()]


def code_boxes(picture: Image.Image) -> list[Box]:
    import zxingcpp

    boxes = []
    for code in zxingcpp.read_barcodes(picture.convert("L")):
        corners = [getattr(code.position, name) for name in ("top_left", "top_right", "bottom_right", "bottom_left")]
        xs, ys = [corner.x for corner in corners], [corner.y for corner in corners]
        boxes.append((min(xs), min(ys), max(xs), max(ys)))
    return boxes


def covering(words: Sequence[Word], changed: Collection[int]) -> list[Box]:
    """Boxes around changed words, widened into the gaps beside them: tesseract cuts letters at the edges."""
    boxes = []
    for at in sorted(changed):
        left, top, right, bottom = words[at].box
        reach, rise = round((bottom - top) * _REACH), max(_LEAST_RISE, round((bottom - top) * _RISE))
        low, high = left - reach, right + reach
        if at > 0 and words[at - 1].line == words[at].line and at - 1 not in changed:
            low = max(low, min(left, words[at - 1].box[2] + 1))
        if at + 1 < len(words) and words[at + 1].line == words[at].line and at + 1 not in changed:
            high = min(high, max(right, words[at + 1].box[0] - 1))
        boxes.append((low, top - rise, high, bottom + rise))
    return boxes


def runs_of(words: list[Word], where: str) -> tuple[list[Run], list[int]]:
    """A run for each word with its place in `words`, or -1 for what separates them."""
    runs, places = [], []
    before: tuple[str, ...] | None = None
    for at, word in enumerate(words):
        if before is not None:
            gap = " " if before == word.line else "\n" if before[:-1] == word.line[:-1] else "\n\n"
            runs.append(Run(gap, is_fixed=True))
            places.append(-1)
        runs.append(Run(word.text, where=where))
        places.append(at)
        before = word.line
    return runs, places


def _box(row: list[str]) -> Box:
    left, top, width, height = (int(number) for number in row[6:10])
    return left, top, left + width, top + height
