"""A picture -> the letters, codes and faces in it, or why not; all pictures of a file within its seconds."""

import contextlib
import hashlib
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from PIL import ExifTags, Image

from core.settings import OcrSettings
from extraction.ocr.codes import codes_in
from extraction.ocr.components import NUMPY
from extraction.ocr.faces import Faces
from extraction.ocr.in_language import HARDLY_SURE, InItsLanguage
from extraction.ocr.languages import data_for
from extraction.ocr.look import Look, look_at
from extraction.ocr.tesseract import Recognised, Tesseract
from extraction.ocr.ways import best_way

FILE_SHARE = 0.75  # of the seconds of a file: the rest is for all that is not a picture
WORKING_PIXELS = 40_000_000  # larger pictures are scaled down: tesseract keeps several copies of a picture in memory
TINY = 600  # pixels: six letters of five by seven with gaps need more
NOT_LEGIBLE = "letters not legible"
WITHOUT_DATA = "letters read without tesseract data for "  # and the language that they are in
MOST_BLANK = 10_000  # pictures without letters that are remembered
MOST_REMEMBERED = 1_000  # pictures of one file
_READ_AT_ALL, _SEEN_AT_ALL = 0.3, 0.1  # sure letters a mark
_DEEP_MODES = ("I", "F")
_LEAST_SURE = 3  # letters
_NEIGHBOURHOOD = 6_000  # characters of a file that show the language of its pictures
_TURNS = {
    3: Image.Transpose.ROTATE_180,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


@dataclass(frozen=True, slots=True, repr=False)
class Reading:
    """What was read of a picture; `fault` says why that is not all of it."""

    text: str
    fault: str = ""
    codes: tuple[str, ...] = ()  # what QR, Data Matrix, PDF417 and Aztec codes in it say
    has_face: bool = False
    language: str = ""  # the language data, where another than the first was chosen
    sure_letters: int = 0  # letters and digits in words that tesseract is sure of

    @property
    def is_empty(self) -> bool:
        return not (self.text or self.fault or self.codes)

    @property
    def was_read(self) -> bool:
        """Whether it was read as far as that can be done here; `fault` may still say what is missing."""
        return not self.fault or is_shortfall(self.fault)


def is_shortfall(fault: str) -> bool:
    """Whether a picture was read and some of its letters may be missing or wrong."""
    return fault == NOT_LEGIBLE or fault.startswith(WITHOUT_DATA)


class Ocr:
    """Looks at a picture first, and recognises only what may hold letters; turned and skewed ones are mended."""

    def __init__(self, settings: OcrSettings | None) -> None:
        self.settings = settings or OcrSettings(enabled="off")
        self.faces = Faces(wanted=self.settings.faces)
        self.tesseract = Tesseract(self.settings)
        self._blank: dict[bytes, None] = {}  # hashes of pictures without letters, such as the logo of all letters

    @property
    def missing(self) -> str:
        return self.tesseract.missing

    @property
    def folders(self) -> tuple[str, ...]:
        """The folders that a parser process must be able to read."""
        return self.tesseract.folders

    def load(self) -> None:
        self.tesseract.load()

    def fault_of_size(self, pixels: int) -> str:
        """Why a picture is not even decoded."""
        if pixels < self.settings.min_pixels:
            return "too small to hold letters"
        return f"picture size limit ({self.settings.max_pixels:,} pixels)" if pixels > self.settings.max_pixels else ""

    def read(self, grey: Image.Image, digest: bytes, seconds: float, expected: str = "") -> Reading:
        """`expected` is the language data that the text around the picture asks for."""
        if digest in self._blank:
            return Reading("")
        look = look_at(grey)
        reading = Reading("")
        if look.may_hold_letters:
            codes = codes_in(grey)
            reading = replace(self._recognised(grey, look, seconds, expected), codes=codes)
        if reading.is_empty and len(self._blank) < MOST_BLANK:
            self._blank[digest] = None
        return reading

    def _recognised(self, grey: Image.Image, look: Look, seconds: float, expected: str) -> Reading:
        deadline = time.monotonic() + seconds
        if look.is_scene and not look.rows:
            return Reading("", self.missing)
        self.load()
        if self.missing:
            return Reading("", self.missing)
        recognise = InItsLanguage(self.tesseract, expected)
        best = _in_its_language(grey, look, deadline, recognise)
        if self.missing:
            return Reading("", self.missing)
        text, fault = _judged(best, look, WITHOUT_DATA + recognise.lacking if recognise.lacking else "")
        used = "" if recognise.language == self.tesseract.first else recognise.language
        if not best.finished:
            text, fault = best.text, f"OCR time limit ({seconds:.3g} s)"
        return Reading(text, fault, language=used, sure_letters=best.sure_letters)


def _judged(best: Recognised, look: Look, lacking: str) -> tuple[str, str]:
    """What counts as text, and what is missing."""
    read_share = best.sure_letters / look.marks
    if look.is_text:
        is_guess = read_share < _READ_AT_ALL or best.sure_share < HARDLY_SURE
        return best.text, NOT_LEGIBLE if is_guess and not look.is_oblique else lacking
    is_empty = best.sure_letters < _LEAST_SURE
    fault = NOT_LEGIBLE if look.is_perhaps_blurred and (is_empty or read_share < _SEEN_AT_ALL) else ""
    return "" if is_empty else best.sure_text, fault or ("" if is_empty else lacking)


def _in_its_language(grey: Image.Image, look: Look, deadline: float, recognise: InItsLanguage) -> Recognised:
    """Once more if only the whole shows that the words are of another language."""
    best = _best(recognise, grey, look, deadline)
    other = recognise.other_than(best)
    if not other:
        return best
    return recognise.better(best, _best(recognise.only(other), grey, look, deadline), other)


def _best(recognise: InItsLanguage, grey: Image.Image, look: Look, deadline: float) -> Recognised:
    best = best_way(recognise, grey, look, deadline)
    if look.has_lines and look.is_oblique and best.finished:
        best = best.joined(recognise(grey, max(0.1, deadline - time.monotonic())))
    return best


def is_tiny(pixels: int) -> bool:
    """Whether a picture is an icon, a bullet or a spacer that can hold no letters."""
    return pixels < TINY


class PictureReader:
    """Reads the pictures of one file, all of them together within a share of the file's seconds; equal ones once."""

    def __init__(self, ocr: Ocr, file_seconds: float) -> None:
        self._ocr = ocr
        self._allowed = self._left = file_seconds * FILE_SHARE
        self._read: dict[bytes, Reading] = {}  # of this file alone: texts of other files are not kept
        self._around: list[str] = []
        self._around_left = _NEIGHBOURHOOD

    @property
    def fault(self) -> str:
        """Why no further picture of the file is read."""
        return self._ocr.missing or ("" if self._left > 0 else f"OCR time limit ({self._allowed:g} s a file)")

    @property
    def most_pixels(self) -> int:
        return self._ocr.settings.max_pixels

    def fault_of_size(self, pixels: int) -> str:
        return self._ocr.fault_of_size(pixels)

    def renew(self) -> None:
        """For a member that is limited as a file of its own."""
        self._left = self._allowed

    def saw(self, text: str) -> None:
        """Text of the same file, or of other pictures in it: the next picture is probably in its language."""
        if self._around_left > 0 and text:
            self._around.append(text[: self._around_left])
            self._around_left -= len(text)

    def forget_surroundings(self) -> None:
        """For a member that has nothing to do with those before it."""
        self._around, self._around_left = [], _NEIGHBOURHOOD

    def read(self, picture: Image.Image) -> Reading:
        """Raises what Pillow raises for a picture that cannot be decoded."""
        if is_tiny(picture.width * picture.height):
            return Reading("")
        fault = self.fault_of_size(picture.width * picture.height)
        if fault or (self.fault and not self._ocr.faces.are_wanted):
            return Reading("", fault or self.fault)
        with self.timed():
            grey = readable(picture)
            digest = hashlib.sha256(grey.tobytes() + repr(grey.size).encode()).digest()
            if digest not in self._read:
                if len(self._read) >= MOST_REMEMBERED:
                    self._read.clear()
                self._read[digest] = replace(self._letters(grey, digest), has_face=self._ocr.faces.are_seen(grey))
            return self._read[digest]

    def _letters(self, grey: Image.Image, digest: bytes) -> Reading:
        if self.fault:
            return Reading("", self.fault)
        expected = data_for(self._around) if self._ocr.tesseract.is_auto else ""
        return self._ocr.read(grey, digest, min(self._ocr.settings.seconds, self._left), expected)

    @contextlib.contextmanager
    def timed(self) -> Iterator[None]:
        """What is done in here, such as drawing a page, counts as reading pictures."""
        started = time.monotonic()
        try:
            yield
        finally:
            self._left -= time.monotonic() - started


def readable(picture: Image.Image) -> Image.Image:
    """Grey and as its camera was held."""
    turn = _TURNS.get(_orientation(picture))
    grey = _grey(picture)
    return grey.transpose(turn) if turn is not None else grey


def _orientation(picture: Image.Image) -> int:
    try:
        return int(picture.getexif().get(ExifTags.Base.Orientation, 1))
    except Exception:  # a broken block says nothing about the pixels
        return 1


def _grey(picture: Image.Image) -> Image.Image:
    """On white: transparent areas would otherwise turn black."""
    pixels = picture.width * picture.height
    if pixels > WORKING_PIXELS:
        picture = picture.reduce(int((pixels / WORKING_PIXELS) ** 0.5) + 1)
    if picture.mode.startswith(_DEEP_MODES):
        return _shallow(picture)
    if picture.has_transparency_data:
        layered = picture.convert("RGBA")
        ground = Image.new("RGBA", layered.size, "white")
        ground.alpha_composite(layered)
        picture = ground
    return picture if picture.mode == "L" else picture.convert("L")


def _shallow(picture: Image.Image) -> Image.Image:
    """Spreads the levels that a picture of 16 or more bits has over 256; Pillow would cut them off."""
    numpy = NUMPY.load()
    levels = numpy.asarray(picture, dtype=numpy.float32)
    low, high = float(levels.min()), float(levels.max())
    scale = 255.0 / (high - low) if high > low else 0.0
    return Image.fromarray(((levels - low) * scale).astype(numpy.uint8))
