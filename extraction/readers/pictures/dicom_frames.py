"""The pixels of a DICOM dataset -> its frames and overlays as pictures."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from PIL import Image

from extraction.lazy_import import LazyModule

if TYPE_CHECKING:
    from pydicom import Dataset

PIXELS = LazyModule("pydicom.pixels", "pydicom.pixels.utils", "pydicom.pixels.decoders", "numpy")
NUMPY = LazyModule("numpy")
_PIXEL_KEYWORDS = ("PixelData", "FloatPixelData", "DoubleFloatPixelData")
_PALETTE = "PALETTE COLOR"
_FIRST_OVERLAY, _LAST_OVERLAY = 0x6000, 0x601E
_OVERLAY_DATA = 0x3000


def has_pixels(dataset: "Dataset") -> bool:
    return any(keyword in dataset for keyword in _PIXEL_KEYWORDS) or bool(_overlays(dataset))


def frame_size(dataset: "Dataset") -> int:
    """Pixels of one frame as the header states it."""
    return int(dataset.get("Rows") or 0) * int(dataset.get("Columns") or 0)


def frames(dataset: "Dataset") -> Iterator[Image.Image]:
    """Raises what pydicom raises for pixels that it cannot decode."""
    for group in _overlays(dataset):
        yield _picture(dataset.overlay_array(group) * 255)
    if not any(keyword in dataset for keyword in _PIXEL_KEYWORDS):
        return
    pixels = PIXELS.load()
    is_palette = str(dataset.get("PhotometricInterpretation", "")).strip() == _PALETTE
    for frame in pixels.iter_pixels(dataset):
        yield _picture(pixels.apply_color_lut(frame, dataset) if is_palette else frame)


def _overlays(dataset: "Dataset") -> list[int]:
    return [group for group in range(_FIRST_OVERLAY, _LAST_OVERLAY + 1, 2) if (group, _OVERLAY_DATA) in dataset]


def _picture(levels: Any) -> Image.Image:
    """Spreads deeper levels over 256: letters that were burned in are the lightest or darkest."""
    numpy = NUMPY.load()
    if levels.dtype != numpy.uint8:
        low, high = float(levels.min()), float(levels.max())
        scale = 255.0 / (high - low) if high > low else 0.0
        levels = ((levels.astype(numpy.float32) - low) * scale).astype(numpy.uint8)
    return Image.fromarray(numpy.ascontiguousarray(levels))
