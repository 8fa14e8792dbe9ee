"""Windows metafile (WMF, EMF, EMF+) -> the texts that its records draw, its bitmaps, and how many outlines it has."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from extraction.readers.pictures.bitmaps import bitmap_file

EMF_MARK = b" EMF"
EMF_MARK_PLACE = 40
PLACEABLE = b"\xd7\xcd\xc6\x9a"
MOST_RECORDS = 500_000
MOST_BITMAPS = 200
_TEXT_NARROW, _TEXT_WIDE, _TEXT_SMALL, _COMMENT = 83, 84, 108, 70
_BITMAPS = {76: 84, 77: 84, 114: 84, 116: 84, 80: 48, 81: 48}  # record -> where the places of header and pixels stand
_OUTLINES = frozenset({2, 3, 4, 5, 6, 7, 8, 54, 55, 56, 85, 86, 87, 88, 89, 90, 91, 92})
_PLUS = b"EMF+"
_PLUS_STRING, _PLUS_GLYPHS, _PLUS_OBJECT, _PLUS_IMAGE = 0x401C, 0x4036, 0x4008, 5
_OLD_TEXT, _OLD_TEXT_IN_BOX = 0x0521, 0x0A32
_OLD_BITMAPS = {0x0940: 22, 0x0B41: 26, 0x0D33: 24, 0x0F43: 28}
_OLD_OUTLINES = frozenset({0x0324, 0x0325, 0x0538, 0x0213})
_BOX_OPTIONS = 6


@dataclass(slots=True, repr=False)
class Metafile:
    pieces: list[tuple[int, str]] = field(default_factory=list)  # height in the picture, text
    bitmaps: list[bytes] = field(default_factory=list)
    outlines: int = 0
    is_cut: bool = False

    @property
    def text(self) -> str:
        """Pieces at the same height, one after the other, are one line."""
        lines: list[str] = []
        height: int | None = None
        for place, piece in self.pieces:
            if place == height:
                lines[-1] += piece if len(piece) == 1 or lines[-1].endswith(" ") else f" {piece}"
            else:
                lines.append(piece)
            height = place
        return "\n".join(lines)


def read_metafile(data: bytes) -> Metafile:
    metafile = Metafile()
    if data[EMF_MARK_PLACE : EMF_MARK_PLACE + 4] == EMF_MARK:
        _read_enhanced(data, metafile)
    else:
        _read_old(data, metafile)
    return metafile


def _read_enhanced(data: bytes, metafile: Metafile) -> None:
    for kind, start, end in _enhanced_records(data, metafile):
        try:
            if kind in (_TEXT_NARROW, _TEXT_WIDE):
                height, count, place = struct.unpack_from("<iII", data, start + 40)
                width = 2 if kind == _TEXT_WIDE else 1
                text = data[start + place : min(end, start + place + count * width)]
                metafile.pieces.append((height, text.decode("utf-16-le" if width == 2 else "cp1252", "replace")))
            elif kind == _TEXT_SMALL:
                metafile.pieces.append(_small_text(data[start:end]))
            elif kind in _BITMAPS:
                header, header_size, pixels, pixels_size = struct.unpack_from("<IIII", data, start + _BITMAPS[kind])
                if header_size and pixels_size:
                    parts = ((header, header_size), (pixels, pixels_size))
                    bitmap = b"".join(data[start + place : min(end, start + place + size)] for place, size in parts)
                    _keep(metafile, bitmap_file(bitmap))
            elif kind == _COMMENT and data[start + 12 : start + 16] == _PLUS:
                _read_plus(data[start + 16 : end], metafile)
            elif kind in _OUTLINES:
                metafile.outlines += 1
        except struct.error:
            metafile.is_cut = True


def _enhanced_records(data: bytes, metafile: Metafile) -> Iterator[tuple[int, int, int]]:
    place = 0
    for _ in range(MOST_RECORDS):
        if place + 8 > len(data):
            break
        kind, size = struct.unpack_from("<II", data, place)
        if size < 8 or place + size > len(data):
            break
        yield kind, place, place + size
        place += size
        if kind == 14:  # the end
            return
    metafile.is_cut = True


def _small_text(record: bytes) -> tuple[int, str]:
    height, count, options = struct.unpack_from("<iII", record, 12)
    place = 36 if options & 0x100 else 52
    if options & 0x200:
        return height, record[place : place + count].decode("cp1252", "replace")
    return height, record[place : place + 2 * count].decode("utf-16-le", "replace")


def _read_plus(data: bytes, metafile: Metafile) -> None:
    place = 0
    while place + 12 <= len(data):
        kind, flags, size, length = struct.unpack_from("<HHII", data, place)
        body = data[place + 12 : place + 12 + length]
        if kind == _PLUS_STRING:
            (count,) = struct.unpack_from("<I", body, 8)
            metafile.pieces.append((-place, body[28 : 28 + 2 * count].decode("utf-16-le", "replace")))
        elif kind == _PLUS_GLYPHS and struct.unpack_from("<I", body, 4)[0] & 1:
            (count,) = struct.unpack_from("<I", body, 12)
            metafile.pieces.append((-place, body[16 : 16 + 2 * count].decode("utf-16-le", "replace")))
        elif kind == _PLUS_OBJECT and flags >> 8 & 0x7F == _PLUS_IMAGE and body[24:28] == b"\1\0\0\0":
            _keep(metafile, body[28:])
        place += max(12, size)


def _read_old(data: bytes, metafile: Metafile) -> None:
    place = (22 if data.startswith(PLACEABLE) else 0) + 18
    for _ in range(MOST_RECORDS):
        if place + 6 > len(data):
            break
        words, kind = struct.unpack_from("<IH", data, place)
        end = place + 2 * words
        if words < 3 or end > len(data):
            break
        record = data[place:end]
        place = end
        if kind == 0:
            return
        if kind == _OLD_TEXT:
            (count,) = struct.unpack_from("<H", record, 6)
            (height,) = struct.unpack_from("<h", record.ljust(16, b"\0"), 8 + count + count % 2)
            metafile.pieces.append((height, record[8 : 8 + count].decode("cp1252", "replace")))
        elif kind == _OLD_TEXT_IN_BOX and len(record) >= 14:
            height, _, count, options = struct.unpack_from("<hhHH", record, 6)
            start = 22 if options & _BOX_OPTIONS else 14
            metafile.pieces.append((height, record[start : start + count].decode("cp1252", "replace")))
        elif kind in _OLD_BITMAPS:
            _keep(metafile, bitmap_file(record[_OLD_BITMAPS[kind] :]))
        elif kind in _OLD_OUTLINES:
            metafile.outlines += 1
    metafile.is_cut = True


def _keep(metafile: Metafile, bitmap: bytes) -> None:
    if len(metafile.bitmaps) < MOST_BITMAPS:
        metafile.bitmaps.append(bitmap)
    else:
        metafile.is_cut = True
