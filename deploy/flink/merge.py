"""Jars -> one jar with their contents, byte for byte the same wherever it is made.

Flink fetches each jar of a job separately, from the launcher and for every task manager, and waits a tenth of a second
each time; one jar makes a job start sooner.
"""

import struct
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

_MANIFEST = "META-INF/MANIFEST.MF"
_SERVICES = "META-INF/services/"
_LEFT_OUT = (_MANIFEST, "META-INF/INDEX.LIST")
_SIGNED = (".SF", ".RSA", ".DSA")
_LOCAL_HEADER = struct.Struct("<26xHH")
_HAS_DESCRIPTOR = 0x08
_UNIX = 3


def merge(jars: Sequence[Path], target: Path, main: str) -> None:
    """In their order: of two entries of one name the first counts, as on a class path, but services are all kept."""
    services: dict[str, bytes] = {}
    temporary = target.with_suffix(".tmp")
    with zipfile.ZipFile(temporary, "w") as merged:
        _add(merged, _MANIFEST, f"Manifest-Version: 1.0\r\nMain-Class: {main}\r\nMulti-Release: true\r\n\r\n".encode())
        for jar in jars:
            with zipfile.ZipFile(jar) as source, jar.open("rb") as raw:
                for entry in source.infolist():
                    if entry.filename.startswith(_SERVICES) and not entry.is_dir():
                        services[entry.filename] = services.get(entry.filename, b"") + source.read(entry) + b"\n"
                    elif _wanted(entry) and entry.filename not in merged.NameToInfo:
                        _copy(raw, entry, merged)
        for name, lines in services.items():
            _add(merged, name, lines)
    temporary.replace(target)


def _wanted(entry: zipfile.ZipInfo) -> bool:
    return not entry.is_dir() and entry.filename not in _LEFT_OUT and not entry.filename.endswith(_SIGNED)


def _add(merged: zipfile.ZipFile, name: str, content: bytes) -> None:
    entry = zipfile.ZipInfo(name)
    entry.create_system, entry.external_attr = _UNIX, 0o600 << 16
    merged.writestr(entry, content)


def _copy(raw: IO[bytes], entry: zipfile.ZipInfo, merged: Any) -> None:
    """As it lies there: packing it again would take seconds, and another zlib would pack it into other bytes."""
    raw.seek(entry.header_offset)
    name, extra = _LOCAL_HEADER.unpack(raw.read(_LOCAL_HEADER.size))
    raw.seek(name + extra, 1)
    content = raw.read(entry.compress_size)
    entry.header_offset = merged.fp.tell()
    entry.flag_bits &= ~_HAS_DESCRIPTOR
    entry.extra = b""
    merged.fp.write(entry.FileHeader(zip64=False))
    merged.fp.write(content)
    merged.start_dir = merged.fp.tell()
    merged.filelist.append(entry)
    merged.NameToInfo[entry.filename] = entry
