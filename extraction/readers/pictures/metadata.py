"""A picture file -> the text in its metadata: EXIF, IPTC, XMP, comments, text chunks, position."""

from collections.abc import Callable, Iterable, Iterator

from PIL import ExifTags, Image, ImageFile, IptcImagePlugin

from extraction.readers.pictures.png_chunks import is_profile, png_exif, png_texts
from extraction.readers.text.decode import decode
from extraction.readers.xml.xmp import xmp_packets, xmp_text

LONGEST = 100_000
_PACKET_CHUNK = "XML:com.adobe.xmp"
# Packets of other kinds, maker notes, padding.
_NO_WORD_TAGS = frozenset({700, 33723, 34377, 34675, 37500, 50341, 59932})
_WINDOWS_TAGS = range(0x9C9B, 0x9CA0)
_USER_COMMENT = 0x9286
_POSITION = {1: "N", 2: (), 3: "E", 4: ()}


def metadata_text(picture: Image.Image | None, data: bytes) -> str:
    """One line per value, each once; a broken block does not affect the others."""
    texts: dict[str, None] = {}
    for read in _readers(picture, data):
        try:
            texts.update(dict.fromkeys(read()))
        except MemoryError:
            raise
        except Exception:  # noqa: S112 -- one broken block must not hide the others
            continue
    for packet in xmp_packets(data):
        texts.update(dict.fromkeys(xmp_text(packet).splitlines()))
    return "\n".join(value[:LONGEST] for value in texts if value.strip())


def exif_text(packed: bytes) -> str:
    """The text of a separate EXIF block, as in pictures that cannot be opened."""
    exif = Image.Exif()
    if not packed:
        return ""
    try:
        exif.load(packed)
        return "\n".join(dict.fromkeys(_exif_values(exif)))
    except MemoryError:
        raise
    except Exception:
        return ""


def _readers(picture: Image.Image | None, data: bytes) -> list[Callable[[], Iterator[str]]]:
    """Pillow would decode a whole PNG to find the chunks after its pixels."""
    if picture is None:
        return []
    if picture.format == "PNG":
        return [lambda: _from_png(data), lambda: iter((exif_text(png_exif(data)),))]
    return [lambda: _from_info(picture), lambda: _from_exif(picture), lambda: _from_iptc(picture)]


def _from_png(data: bytes) -> Iterator[str]:
    for name, text in png_texts(data):
        if name == _PACKET_CHUNK:
            yield xmp_text(text.encode())
        elif not is_profile(name) and (words := _words(text)):
            yield f"{name}: {words}"


def _from_info(picture: Image.Image) -> Iterator[str]:
    """Comments of GIF and JPEG."""
    yield _words(picture.info.get("comment"))


def _from_exif(picture: Image.Image) -> Iterator[str]:
    yield from _exif_values(picture.getexif())


def _exif_values(exif: Image.Exif) -> Iterator[str]:
    yield from _tag_values(exif.items())
    yield from _tag_values(exif.get_ifd(ExifTags.IFD.Exif).items())
    position = exif.get_ifd(ExifTags.IFD.GPSInfo)
    yield from _tag_values((number, value) for number, value in position.items() if number not in _POSITION)
    yield _position(position)


def _tag_values(tags: Iterable[tuple[int, object]]) -> Iterator[str]:
    for number, value in tags:
        if number in _NO_WORD_TAGS:
            continue
        if number in _WINDOWS_TAGS and isinstance(value, bytes):
            yield value.decode("utf-16-le", "replace").strip("\0 ")
        elif number == _USER_COMMENT and isinstance(value, bytes):
            yield _words(value[8:].removesuffix(b"\0")) or _words(value)
        else:
            yield _words(value)


def _words(value: object) -> str:
    """Only text with at least one letter: lens and clock numbers are skipped."""
    if isinstance(value, bytes):
        value = decode(value[:LONGEST])
    if not isinstance(value, str):
        return ""
    value = value.strip("\0 \r\n")
    odd = sum(not character.isprintable() and character not in "\r\n\t" for character in value)
    return value if odd * 10 <= len(value) and any(character.isalnum() for character in value) else ""


def _position(tags: dict[int, object]) -> str:
    latitude, longitude = (_degrees(tags.get(number), tags.get(number - 1)) for number in (2, 4))
    return f"GPS position {latitude:.5f}, {longitude:.5f}" if latitude is not None and longitude is not None else ""


def _degrees(parts: object, side: object) -> float | None:
    if not isinstance(parts, tuple | list) or len(parts) != 3:
        return None
    try:
        degrees, minutes, seconds = (float(part) for part in parts)
    except (TypeError, ValueError, ZeroDivisionError):
        return None
    total = degrees + minutes / 60 + seconds / 3600
    return -total if side in ("S", "W") else total


def _from_iptc(picture: Image.Image) -> Iterator[str]:
    if not isinstance(picture, ImageFile.ImageFile):
        return
    for (record, _), value in (IptcImagePlugin.getiptcinfo(picture) or {}).items():
        if record == 2:
            for part in value if isinstance(value, list) else [value]:
                yield _words(part)
