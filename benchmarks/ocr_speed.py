"""Pictures of a folder -> processor seconds and letters of plain tesseract and of the reader that looks first.

`python -m benchmarks.ocr_speed FOLDER [FOLDER ...]` reads each picture file, and each page of a PDF without text, both
ways, one after the other. A letter counts if tesseract is sure of its word. Where a text of the same name lies beside a
picture, its words that each way gives are counted too. `--plain-data` names other language data for plain tesseract.
"""

import argparse
import hashlib
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pypdfium2 as pdfium
from PIL import Image, UnidentifiedImageError

from core.settings import OcrSettings
from extraction.ocr.reader import Ocr
from extraction.ocr.tesseract import Tesseract

MOST_PIXELS = 60_000_000
SECONDS = 60.0
_SCALE = 200 / 72


def pictures(folder: Path) -> Iterator[tuple[Image.Image, Counter[str]]]:
    """In grey, each once, with the words that it is known to show."""
    seen: set[bytes] = set()
    for path in sorted(folder.rglob("*")):
        for picture in _pictures_of(path) if path.is_file() else ():
            digest = hashlib.sha256(picture.tobytes()).digest()
            if digest not in seen:
                seen.add(digest)
                text = path.with_suffix(".txt")
                yield picture, Counter(text.read_text().split() if text.is_file() else ())


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


def measured(folder: Path, plain_data: str) -> None:
    plain = Tesseract(OcrSettings(tessdata=plain_data))
    looking = Ocr(OcrSettings(min_pixels=0))
    plain.load()
    looking.load()
    seconds, letters, words, known, count = [0.0, 0.0], [0, 0], [0, 0], 0, 0
    for count, (picture, shown) in enumerate(pictures(folder), 1):
        started = time.process_time()
        first = plain.recognise(picture, SECONDS)
        middle = time.process_time()
        second = looking.read(picture, str(count).encode(), SECONDS)
        seconds = [seconds[0] + middle - started, seconds[1] + time.process_time() - middle]
        letters = [letters[0] + first.sure_letters, letters[1] + second.sure_letters]
        words = [words[0] + _shared(first.text, shown), words[1] + _shared(second.text, shown)]
        known += shown.total()
    print(f"{folder}: {count:,} pictures, {known:,} known words")
    for name, spent, read, right in zip(("plain", "with a look"), seconds, letters, words, strict=True):
        print(f"  {name:<14}{spent:8.1f} s{read:10,} letters{right:10,} known words")


def _shared(text: str, shown: Counter[str]) -> int:
    return (Counter(text.split()) & shown).total()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--plain-data", default="", metavar="FOLDER")
    Image.MAX_IMAGE_PIXELS = None
    arguments = parser.parse_args()
    for folder in arguments.folders:
        measured(folder, arguments.plain_data)


if __name__ == "__main__":
    main()
