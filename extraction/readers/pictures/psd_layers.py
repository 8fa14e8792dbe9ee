"""The bytes of a Photoshop file -> its layers as grey pictures, hidden ones too: Pillow reads only what all show."""

import struct
import zlib
from collections.abc import Iterator

from PIL import Image, ImageChops

from extraction.ocr.components import NUMPY, Numbers

_DEPTH, _MODE, _SECTIONS = 22, 24, 26  # places in the header
_CMYK = 4
_RECORD = struct.Struct(">iiiiH")
_CHANNEL = struct.Struct(">hI")
_AFTER_CHANNELS = 12  # bytes of blending
_ALPHA = -1
_RAW, _PACKED_BITS, _DEFLATED, _PREDICTED = range(4)


def layers_of(data: bytes, most_pixels: int) -> Iterator[Image.Image | None]:
    """None for a layer that is too large, or stored in a way that is not known here."""
    place = _SECTIONS
    for _ in range(2):  # colours, resources
        place += 4 + _number(data, place)
    if _number(data, place) < 4 or not _number(data, place + 4):
        return
    (count,) = struct.unpack_from(">h", data, place + 8)
    place += 10
    records: list[tuple[tuple[int, int], list[tuple[int, int]]]] = []
    for _ in range(abs(count)):
        top, left, bottom, right, channels = _RECORD.unpack_from(data, place)
        place += _RECORD.size
        records.append(
            ((right - left, bottom - top), [_CHANNEL.unpack_from(data, place + 6 * one) for one in range(channels)])
        )
        place += _CHANNEL.size * channels + _AFTER_CHANNELS
        place += 4 + _number(data, place)
    depth, mode = struct.unpack_from(">HH", data, _DEPTH)
    for size, listed in records:
        parts = {}
        for number, length in listed:
            parts[number] = data[place : place + length]
            place += length
        if min(size) > 0:
            is_known = depth == 8 and size[0] * size[1] <= most_pixels
            yield _grey(parts, size, is_cmyk=mode == _CMYK) if is_known else None


def _number(data: bytes, place: int) -> int:
    return int(struct.unpack_from(">I", data, place)[0])


def _grey(parts: dict[int, bytes], size: tuple[int, int], *, is_cmyk: bool) -> Image.Image | None:
    """On white, where the layer is transparent."""
    planes = {number: _plane(part, size) for number, part in parts.items() if number >= _ALPHA}
    colours = [planes[number] for number in sorted(planes) if number >= 0]
    if not colours or any(plane is None for plane in planes.values()):
        return None
    grey = colours[0]
    if len(colours) >= 3:
        grey = Image.merge("RGB", colours[:3]).convert("L")  # type: ignore[arg-type]
    if is_cmyk and len(colours) > 3:
        grey = ImageChops.darker(grey, colours[3])  # type: ignore[arg-type]
    alpha = planes.get(_ALPHA)
    return Image.composite(grey, Image.new("L", size, 255), alpha) if alpha and grey else grey


def _plane(part: bytes, size: tuple[int, int]) -> Image.Image | None:
    width, height = size
    (method,), body = struct.unpack_from(">H", part), part[2:]
    if method == _RAW:
        return Image.frombytes("L", size, body[: width * height])
    if method == _PACKED_BITS:
        return Image.frombytes("L", size, body[2 * height :], "packbits", "L")
    if method not in (_DEFLATED, _PREDICTED):
        return None
    pixels = zlib.decompressobj().decompress(body, width * height)
    if method == _DEFLATED:
        return Image.frombytes("L", size, pixels)
    numpy = NUMPY.load()
    steps: Numbers = numpy.frombuffer(pixels, numpy.uint8).reshape(height, width)
    return Image.fromarray(numpy.cumsum(steps, axis=1, dtype=numpy.uint8))
