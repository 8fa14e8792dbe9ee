"""Pictures of a folder -> processor seconds and letters of plain tesseract and of the reader that looks first.

`python -m benchmarks.ocr_speed FOLDER [FOLDER ...]` reads each picture file, and each page of a PDF without text, both
ways, one after the other. A letter counts if tesseract is sure of its word.
"""

import argparse
import hashlib
import time
from collections.abc import Iterator
from pathlib import Path

import pypdfium2 as pdfium
from PIL import Image, UnidentifiedImageError

from core.settings import OcrSettings
from extraction.ocr.reader import Ocr
from extraction.ocr.tesseract import Recognised, Tesseract

MOST_PIXELS = 60_000_000
SECONDS = 60.0
_SCALE = 200 / 72


class Counting(Tesseract):
    """Remembers the best that it recognised of the picture it was asked for."""

    best = Recognised()

    def recognise(self, picture: Image.Image, seconds: float) -> Recognised:
        recognised = super().recognise(picture, seconds)
        if recognised.sure_letters > self.best.sure_letters:
            self.best = recognised
        return recognised


def pictures(folder: Path) -> Iterator[Image.Image]:
    """In grey, each once."""
    seen: set[bytes] = set()
    for path in sorted(folder.rglob("*")):
        for picture in _pictures_of(path) if path.is_file() else ():
            digest = hashlib.sha256(picture.tobytes()).digest()
            if digest not in seen:
                seen.add(digest)
                yield picture


def _pictures_of(path: Path) -> Iterator[Image.Image]:
    if path.suffix.lower() == ".pdf":
        yield from _scanned_pages(path)
        return
    try:
        with Image.open(path) as picture:
            if picture.width * picture.height <= MOST_PIXELS:
                yield picture.convert("L")
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError):
        return


def _scanned_pages(path: Path) -> Iterator[Image.Image]:
    try:
        document = pdfium.PdfDocument(path)
    except pdfium.PdfiumError:
        return
    for page in document:
        is_small = page.get_width() * page.get_height() * _SCALE**2 <= MOST_PIXELS
        if is_small and not page.get_textpage().get_text_range().strip():
            yield page.render(scale=_SCALE, grayscale=True).to_pil()


def measured(folder: Path) -> None:
    plain = Tesseract(OcrSettings())
    looking, counting = Ocr(OcrSettings(min_pixels=0)), Counting(OcrSettings())
    looking._tesseract = counting
    plain.load()
    counting.load()
    seconds, letters, count = [0.0, 0.0], [0, 0], 0
    for count, picture in enumerate(pictures(folder), 1):
        started = time.process_time()
        letters[0] += plain.recognise(picture, SECONDS).sure_letters
        middle = time.process_time()
        counting.best = Recognised()
        looking.read(picture, str(count).encode(), SECONDS)
        letters[1] += counting.best.sure_letters
        seconds = [seconds[0] + middle - started, seconds[1] + time.process_time() - middle]
    print(f"{folder}: {count:,} pictures")
    for name, spent, read in zip(("plain", "with a look"), seconds, letters, strict=True):
        print(f"  {name:<14}{spent:8.1f} s{read:10,} letters")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    Image.MAX_IMAGE_PIXELS = None
    for folder in parser.parse_args().folders:
        measured(folder)


if __name__ == "__main__":
    main()
