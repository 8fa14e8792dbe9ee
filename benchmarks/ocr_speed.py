"""Pictures of a folder -> processor seconds and letters of two ways to read them, picture by picture in turns.

`python -m benchmarks.ocr_speed FOLDER [FOLDER ...]` reads each picture file, and each page of a PDF without text, by
plain tesseract and by the reader that looks first. `--older CHECKOUT` compares with the reader of another version
instead, each in a process of its own, from the open picture to its text, with that version's settings and its own
language data (`make setup` there first). A letter counts if tesseract is sure of its word. Where a text of the same
name lies beside a picture, its words that each way gives are counted too. `--plain-data` names other language data for
plain tesseract.
"""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pypdfium2 as pdfium
from PIL import Image, UnidentifiedImageError

HERE = Path(__file__).resolve()
MOST_PIXELS = 60_000_000
SECONDS = 60.0
SURE = 60  # per cent of confidence
_SCALE = 200 / 72
_WORD = "5"  # what a row of tesseract's table is about


@dataclass(frozen=True, slots=True)
class Place:
    """Which picture of a file, and the words that it is known to show."""

    path: Path
    number: int
    shown: Counter[str]


class Read(NamedTuple):
    seconds: float
    letters: int
    text: str


Way = Callable[[Place], Read]


def places(folder: Path) -> Iterator[Place]:
    """Each picture once."""
    seen: set[bytes] = set()
    for path in sorted(folder.rglob("*")):
        for number, picture in enumerate(_pictures_of(path) if path.is_file() else ()):
            digest = hashlib.sha256(picture.tobytes()).digest()
            if digest not in seen:
                seen.add(digest)
                text = path.with_suffix(".txt")
                yield Place(path, number, Counter(text.read_text().split() if text.is_file() else ()))


def _picture(place: Place) -> Image.Image:
    return next(picture for number, picture in enumerate(_pictures_of(place.path)) if number == place.number)


def _pictures_of(path: Path) -> Iterator[Image.Image]:
    if path.suffix.lower() == ".pdf":
        yield from _scanned_pages(path)
        return
    try:
        with Image.open(path) as picture:
            if picture.width * picture.height <= MOST_PIXELS:
                picture.load()
                yield picture
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


def plain(data: str) -> Way:
    from core.settings import OcrSettings
    from extraction.ocr.tesseract import Tesseract

    tesseract = Tesseract(OcrSettings(tessdata=data))
    tesseract.load()

    def read(place: Place) -> Read:
        picture = _picture(place).convert("L")
        started = time.process_time()
        recognised = tesseract.recognise(picture, SECONDS)
        return Read(time.process_time() - started, recognised.sure_letters, recognised.text)

    return read


def looking() -> Way:
    from core.settings import OcrSettings
    from extraction.ocr.reader import Ocr

    ocr = Ocr(OcrSettings(min_pixels=0))
    ocr.load()

    def read(place: Place) -> Read:
        picture = _picture(place).convert("L")
        started = time.process_time()
        reading = ocr.read(picture, f"{place.path}{place.number}".encode(), SECONDS)
        return Read(time.process_time() - started, reading.sure_letters, reading.text)

    return read


class Version:
    """The reader of a checkout, in a process of its own."""

    def __init__(self, checkout: Path) -> None:
        own = checkout / ".venv" / "bin" / "python"
        command = [str(own) if own.exists() else sys.executable, str(HERE), "--answer"]
        environ = {**os.environ, "PYTHONPATH": str(checkout)}
        self._process = subprocess.Popen(
            command, cwd=checkout, env=environ, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def __call__(self, place: Place) -> Read:
        assert self._process.stdin and self._process.stdout
        self._process.stdin.write(json.dumps([str(place.path), place.number]) + "\n")
        self._process.stdin.flush()
        return Read(*json.loads(self._process.stdout.readline()))

    def end(self) -> None:
        self._process.communicate()


def answer() -> None:
    """By the reader of whatever version the path of modules leads to."""
    import extraction.ocr
    from core.settings import OcrSettings

    module: Any = extraction.ocr
    if not hasattr(module, "PictureReader"):  # OCR became a package
        import extraction.ocr.reader as module
    ocr = module.Ocr(OcrSettings(seconds=10 * SECONDS))  # by the clock: others work on the machine too
    ocr.load()
    kept = ocr._api = _Kept(ocr._api) if hasattr(ocr, "_api") else None
    for line in sys.stdin:
        path, number = json.loads(line)
        picture = _picture(Place(Path(path), number, Counter()))
        started = time.process_time()
        reading = module.PictureReader(ocr, 10 * SECONDS).read(picture)
        spent = time.process_time() - started
        letters = kept.sure_letters() if kept is not None else reading.sure_letters
        print(json.dumps(Read(spent, letters, reading.text)), flush=True)


class _Kept:
    """Tesseract, whose results are kept until they are asked for: an older reader threw its confidence away."""

    def __init__(self, api: Any) -> None:
        self._api = api
        self._has_results = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._api, name)

    def Clear(self) -> None:  # noqa: N802, as the binding names it
        self._has_results = True

    def sure_letters(self) -> int:
        table = str(self._api.GetTSVText(0) or "") if self._has_results else ""
        self._api.Clear()
        self._has_results = False
        words = [row[11] for row in (line.split("\t", 11) for line in table.splitlines()) if _is_sure(row)]
        return sum(character.isalnum() for word in words for character in word)


def _is_sure(row: list[str]) -> bool:
    return row[0] == _WORD and float(row[10]) >= SURE


def measured(folder: Path, ways: dict[str, Way]) -> None:
    seconds, letters, words = (dict.fromkeys(ways, zero) for zero in (0.0, 0, 0))
    known, count = 0, 0
    for place in places(folder):
        count += 1
        known += place.shown.total()
        for name, way in ways.items():
            read = way(place)
            seconds[name] += read.seconds
            letters[name] += read.letters
            words[name] += (Counter(read.text.split()) & place.shown).total()
    print(f"{folder}: {count:,} pictures, {known:,} known words")
    first, *_ = seconds.values()
    for name in ways:
        ratio = f"{seconds[name] / first:8.2f} of its seconds" if first and name != next(iter(ways)) else ""
        print(f"  {name:<14}{seconds[name]:8.1f} s{letters[name]:10,} letters{words[name]:10,} known words{ratio}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--plain-data", default="", metavar="FOLDER")
    parser.add_argument("--older", type=Path, metavar="CHECKOUT")
    arguments = parser.parse_args()
    for folder in arguments.folders:
        if arguments.older:
            versions = {"older": Version(arguments.older.resolve()), "this": Version(HERE.parents[1])}
            measured(folder.resolve(), {**versions})
            for version in versions.values():
                version.end()
        else:
            measured(folder, {"plain": plain(arguments.plain_data), "with a look": looking()})


if __name__ == "__main__":
    Image.MAX_IMAGE_PIXELS = None
    if sys.argv[1:] == ["--answer"]:
        answer()
    else:
        main()
