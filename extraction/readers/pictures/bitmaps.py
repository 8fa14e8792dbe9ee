"""The bitmap of a clipboard or metafile, which lacks the header of a file -> a BMP file."""

import struct

_FILE_HEADER = 14
_OLD_HEADER = 12
_MASKS = 3  # compression by bit masks, which follow the header


def bitmap_file(bitmap: bytes) -> bytes:
    """Adds the header that says where the pixels begin: behind the colours."""
    if len(bitmap) < 40:
        return bitmap
    (size,) = struct.unpack_from("<I", bitmap)
    if size == _OLD_HEADER:
        (bits,) = struct.unpack_from("<H", bitmap, 10)
        colours = 3 * (1 << bits) if bits <= 8 else 0
    else:
        bits, compression = struct.unpack_from("<HI", bitmap, 14)
        (used,) = struct.unpack_from("<I", bitmap, 32)
        colours = 4 * (used or (1 << bits if bits <= 8 else 0)) + (12 if compression == _MASKS and size == 40 else 0)
    return b"BM" + struct.pack("<IHHI", _FILE_HEADER + len(bitmap), 0, 0, _FILE_HEADER + size + colours) + bitmap
