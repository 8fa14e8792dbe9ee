"""The directory of a zip or OLE file -> the media type of the document that it is."""

import re
import struct
from collections.abc import Iterator

from extraction.media_types import DOCX, ENCRYPTED_OFFICE, EPUB, EXCEL, OLE, OPENDOCUMENT, PPTX, XLSB, XLSX, ZIP

MOST_ENTRIES = 4_000
_OOXML_FOLDERS = (("word/", DOCX), ("ppt/", PPTX), ("visio/", "application/vnd.ms-visio.drawing"))
_OLE_STREAMS = (
    ("encryptedpackage", ENCRYPTED_OFFICE),
    ("worddocument", "application/msword"),
    ("powerpoint document", "application/vnd.ms-powerpoint"),
    ("workbook", EXCEL),
    ("book", EXCEL),
    ("__properties_version1.0", "application/vnd.ms-outlook"),
    ("visiodocument", "application/vnd.visio"),
    ("quill", "application/x-mspublisher"),
)


def zip_media_type(data: bytes) -> str:
    stated = _stated_type(data)
    if stated:
        return stated
    names = set(_central_names(data)) or set(_local_names(data))
    folded = {name.lower().replace("\\", "/").lstrip("/") for name in names}
    if "[content_types].xml" in folded or "_rels/.rels" in folded:
        if "xl/workbook.bin" in folded:
            return XLSB
        if any(name.startswith("xl/") for name in folded):
            return XLSX
        for folder, media_type in _OOXML_FOLDERS:
            if any(name.startswith(folder) for name in folded):
                return media_type
    if "designmap.xml" in folded:
        return "application/vnd.adobe.indesign-idml-package"
    if "meta-inf/container.xml" in folded:
        return EPUB
    if "content.xml" in folded and "meta-inf/manifest.xml" in folded:
        return OPENDOCUMENT
    if "meta-inf/manifest.mf" in folded:
        return "application/java-archive"
    return ZIP


def _stated_type(data: bytes) -> str:
    """OpenDocument and EPUB put a stored entry `mimetype` first."""
    if data[30:38] != b"mimetype" or len(data) < 38:
        return ""
    length = min(int.from_bytes(data[18:22], "little"), 100)
    extra = int.from_bytes(data[28:30], "little")
    start = 38 + extra
    stated = re.match(rb"[a-z]+/[a-z0-9.+-]+", data[start : start + (length or 100)])
    return stated.group().decode() if stated else ""


def _central_names(data: bytes) -> Iterator[str]:
    end = data.rfind(b"PK\x05\x06", max(0, len(data) - 66_000))
    if end < 0 or len(data) < end + 22:
        return
    size, offset = struct.unpack_from("<II", data, end + 12)
    start = end - size if end - size >= 0 else offset
    for _ in range(MOST_ENTRIES):
        if data[start : start + 4] != b"PK\x01\x02" or len(data) < start + 46:
            return
        name, extra, comment = struct.unpack_from("<HHH", data, start + 28)
        yield data[start + 46 : start + 46 + name].decode("cp437")
        start += 46 + name + extra + comment


def _local_names(data: bytes) -> Iterator[str]:
    """For archives cut off before their directory."""
    for count, match in enumerate(re.finditer(rb"PK\x03\x04", data)):
        start = match.start()
        if count >= MOST_ENTRIES or len(data) < start + 30:
            return
        length = int.from_bytes(data[start + 26 : start + 28], "little")
        yield data[start + 30 : start + 30 + length].decode("cp437")


def ole_media_type(data: bytes) -> str:
    """By the top level of the directory: deeper levels may hold embedded documents of other types."""
    entries = list(_ole_entries(data))
    names = {name.lower() for name in _top_names(entries)} or {entry[0].lower() for entry in entries}
    for stream, media_type in _OLE_STREAMS:
        if stream in names:
            return media_type
    return OLE


def _top_names(entries: list[tuple[str, int, int, int]]) -> Iterator[str]:
    waiting = [entries[0][3]] if entries else []
    seen = {0}
    while waiting:
        number = waiting.pop()
        if number not in seen and number < len(entries):
            seen.add(number)
            name, left, right, _ = entries[number]
            yield name
            waiting += [left, right]


def _ole_entries(data: bytes) -> Iterator[tuple[str, int, int, int]]:
    """Name, left sibling, right sibling and first child of each entry; the last three are indexes into this list."""
    if len(data) < 512:
        return
    sector_size = 1 << max(7, min(int.from_bytes(data[30:32], "little"), 16))
    fat_sectors = struct.unpack_from("<109I", data, 76)
    sector = int.from_bytes(data[48:52], "little")
    for _ in range(MOST_ENTRIES * 128 // sector_size + 1):
        start = (sector + 1) * sector_size
        block = data[start : start + sector_size]
        for entry in range(0, len(block) - 127, 128):
            length = int.from_bytes(block[entry + 64 : entry + 66], "little")
            name = block[entry : entry + length - 2].decode("utf-16-le", "replace") if 2 <= length <= 64 else ""
            yield name, *struct.unpack_from("<III", block, entry + 68)
        following = _next_sector(data, fat_sectors, sector, sector_size)
        if following is None or not block:
            return
        sector = following


def _next_sector(data: bytes, fat_sectors: tuple[int, ...], sector: int, sector_size: int) -> int | None:
    index, place = divmod(sector, sector_size // 4)
    if index >= len(fat_sectors) or fat_sectors[index] >= 0xFFFFFFFA:
        return None
    start = (fat_sectors[index] + 1) * sector_size + place * 4
    following = int.from_bytes(data[start : start + 4], "little")
    return following if start + 4 <= len(data) and following < 0xFFFFFFFA else None
