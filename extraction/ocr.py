"""A picture -> the letters in it, by tesseract, within a time budget."""

import os
import sysconfig
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

from core.settings import OcrSettings

os.environ["OMP_THREAD_LIMIT"] = "1"  # read when the library is loaded; a parser process may not start threads

try:
    import tesserocr
except ImportError:
    tesserocr = None

OFF = "OCR is off"
FILE_SHARE = 0.75  # of the seconds of a file: the rest is for all that is not a picture
WORKING_PIXELS = 40_000_000  # larger pictures are scaled down: tesseract keeps several copies of a picture in memory
_SYSTEM_FOLDERS = (
    "/usr/share/tesseract-ocr/5/tessdata",
    "/usr/share/tessdata",
    "/usr/share/tesseract/tessdata",
    "/usr/local/share/tessdata",
)


@dataclass(frozen=True, slots=True, repr=False)
class Reading:
    """What was read of a picture; `fault` says why that is not all of it."""

    text: str
    fault: str = ""


class Ocr:
    """Tesseract, loaded for the first picture; `missing` says why no picture can be read, if so."""

    def __init__(self, settings: OcrSettings | None) -> None:
        self.settings = settings or OcrSettings(enabled="off")
        self._api: Any = None
        self._folder, self.missing = _found(self.settings)

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders that a parser process must be able to read."""
        return () if self.missing else (self._folder,)

    def load(self) -> None:
        if self.missing or self._api is not None:
            return
        try:
            self._api = tesserocr.PyTessBaseAPI(
                path=self._folder, lang=self.settings.language, oem=tesserocr.OEM.LSTM_ONLY
            )
        except RuntimeError:
            self.missing = "tesseract cannot load its language data"
        else:
            # The binding makes tesseract write to a file, which a parser process cannot open: tesseract would crash.
            self._api.SetVariable("debug_file", "")

    def read(self, picture: Image.Image, seconds: float) -> Reading:
        """Raises what Pillow raises for a picture that cannot be decoded."""
        fault = self._size_fault(picture.width * picture.height)
        if fault:
            return Reading("", fault)
        self.load()
        if self.missing:
            return Reading("", self.missing)
        try:
            self._api.SetImage(_readable(picture))
            finished = self._api.Recognize(max(1, int(seconds * 1000)))
            text = str(self._api.GetUTF8Text() or "")
        finally:
            self._api.Clear()
        return Reading(text.strip(), "" if finished else f"OCR time limit ({seconds:.3g} s)")

    def _size_fault(self, pixels: int) -> str:
        if pixels < self.settings.min_pixels:
            return "too small to hold letters"
        return f"picture size limit ({self.settings.max_pixels:,} pixels)" if pixels > self.settings.max_pixels else ""


class PictureReader:
    """Reads the pictures of one file, all of them together within a share of the file's seconds."""

    def __init__(self, ocr: Ocr, file_seconds: float) -> None:
        self._ocr = ocr
        self._allowed = self._left = file_seconds * FILE_SHARE

    @property
    def missing(self) -> str:
        return self._ocr.missing

    def renew(self) -> None:
        """For a member that is limited as a file of its own."""
        self._left = self._allowed

    def read(self, picture: Image.Image) -> Reading:
        seconds = min(self._ocr.settings.seconds, self._left)
        if seconds <= 0:
            return Reading("", f"OCR time limit ({self._allowed:g} s a file)")
        started = time.monotonic()
        try:
            return self._ocr.read(picture, seconds)
        finally:
            self._left -= time.monotonic() - started


def _readable(picture: Image.Image) -> Image.Image:
    """Grey on white: transparent areas would otherwise turn black."""
    pixels = picture.width * picture.height
    if pixels > WORKING_PIXELS:
        picture = picture.reduce(int((pixels / WORKING_PIXELS) ** 0.5) + 1)
    if picture.has_transparency_data:
        layered = picture.convert("RGBA")
        ground = Image.new("RGBA", layered.size, "white")
        ground.alpha_composite(layered)
        picture = ground
    return picture if picture.mode == "L" else picture.convert("L")


def _found(settings: OcrSettings) -> tuple[str, str]:
    if settings.enabled == "off":
        return "", OFF
    if tesserocr is None:
        return "", "tesseract is not installed"
    packaged = Path(sysconfig.get_path("data")) / "share" / "tessdata"
    folders = [Path(settings.tessdata)] if settings.tessdata else [packaged, *map(Path, _SYSTEM_FOLDERS)]
    languages = settings.language.split("+")
    for folder in folders:
        if all((folder / f"{language}.traineddata").is_file() for language in languages):
            return str(folder), ""
    return "", f"no tesseract data for {settings.language}"
