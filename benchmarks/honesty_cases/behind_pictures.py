"""Pictures that show something else: the letter is in a hidden layer, a thumbnail, a second picture or outlines."""

import io
import struct
from collections.abc import Iterator

from PIL import Image

from benchmarks.honesty_cases.case import LETTER, Case
from benchmarks.honesty_cases.letter_picture import harmless_picture, packed, picture

_JPEG_START = 2  # bytes
_SECOND, _SMALL = 14, 56  # places in the block of a camera: its second directory, the small picture


def behind_pictures() -> Iterator[Case]:
    letter, sea = picture(), Image.new("RGB", (1000, 640), "navy")
    yield Case("hidden layer.psd", _photoshop(Image.new("L", letter.size, 255), letter))
    yield Case("one layer.psd", _photoshop(letter))
    yield Case("thumbnail.jpg", _with_thumbnail(packed(sea, "JPEG"), packed(letter.resize((900, 560)), "JPEG")))
    yield Case("second.mpo", _second(sea, letter.convert("RGB")))
    yield Case("second.avif", packed(sea, "AVIF", save_all=True, append_images=[letter.convert("RGB")]))
    yield Case("comment.gif", packed(Image.new("P", (64, 64)), "GIF", comment=LETTER.encode()))
    yield Case("description.tif", packed(Image.new("L", (64, 64)), "TIFF", tiffinfo={270: LETTER}))
    yield Case("outlines.svg", _outlines(picture(size=20)))
    yield Case("harmless layer.psd", _photoshop(harmless_picture(), harmless_picture()), leaks=False)
    yield Case("logo.svg", _svg("M1 1h9v9h-9z" * 20), leaks=False)


def _photoshop(shown: Image.Image, hidden: Image.Image | None = None) -> bytes:
    """Grey, of 8 bits; the layer is marked as one that is not shown."""
    layers = b""
    if hidden is not None:
        pixels = b"\0\0" + hidden.tobytes()
        record = struct.pack(">iiiiHhI", 0, 0, hidden.height, hidden.width, 1, 0, len(pixels))
        record += b"8BIMnorm" + bytes([255, 0, 2, 0]) + struct.pack(">I", 16) + bytes(8) + b"\5layer\0\0"
        info = struct.pack(">h", 1) + record + pixels
        info += bytes(len(info) % 2)
        layers = struct.pack(">I", len(info)) + info + bytes(4)
    header = b"8BPS\0\1" + bytes(6) + struct.pack(">HIIHH", 1, shown.height, shown.width, 8, 1) + bytes(8)
    return header + struct.pack(">I", len(layers)) + layers + b"\0\0" + shown.convert("L").tobytes()


def _with_thumbnail(shown: bytes, small: bytes) -> bytes:
    directory = ((0x103, 3, 6), (0x201, 4, _SMALL), (0x202, 4, len(small)))
    block = b"II*\0" + struct.pack("<IHI", 8, 0, _SECOND) + struct.pack("<H", len(directory))
    block += b"".join(struct.pack("<HHII", tag, kind, 1, value) for tag, kind, value in directory) + bytes(4)
    segment = b"Exif\0\0" + block + small
    marked = b"\xff\xe1" + struct.pack(">H", len(segment) + 2) + segment
    return shown[:_JPEG_START] + marked + shown[_JPEG_START:]


def _second(first: Image.Image, second: Image.Image) -> bytes:
    out = io.BytesIO()
    first.save(out, "MPO", save_all=True, append_images=[second])
    return out.getvalue()


def _outlines(drawn: Image.Image) -> bytes:
    """A bar for each run of ink."""
    ink = drawn.convert("1").load()
    bars: list[str] = []
    for row in range(drawn.height):
        start = None
        for column in range(drawn.width):
            is_ink = not ink[column, row]  # type: ignore[index]
            if is_ink and start is None:
                start = column
            elif not is_ink and start is not None:
                bars.append(f"M{start} {row}h{column - start}v1h{start - column}z")
                start = None
    return _svg("".join(bars))


def _svg(path: str) -> bytes:
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="400"><path d="{path}"/></svg>'.encode()
