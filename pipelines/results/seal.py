"""A unit's Parquet file, a manifest or a summary -> the same with a keyed seal, which shows every later change.

Without Arrow: a scan in which nothing changed copies records as bytes.
"""

import hashlib
import hmac
import json
import os
from collections.abc import Iterable
from typing import Any, BinaryIO

from core.errors import OutputError
from core.log import WARNING, log_event
from pipelines import storage
from pipelines.results.folder import UNIT_PREFIX, ScanFolder, as_json

SEAL = "leakscreen.seal"
BLANK = "0" * 64
_PURPOSE = b"leakscreen seal of results"
# As a Parquet footer holds the entry: the name, and a string of 64 characters.
_MARK = b"\x18" + bytes([len(SEAL)]) + SEAL.encode() + b"\x18" + bytes([len(BLANK)])
_FIELD, _UNITS = "seal", "units_seal"
_FOOTER_BYTES = 1 << 17
_BLOCK = 1 << 20
_FORMAT_WITH_PEOPLE = 4
_CHANGED = "was changed after it was written"


def key_of_seals(key: bytes) -> bytes:
    return hmac.digest(key, _PURPOSE, "sha256")


def place_of_seal(content: bytes | memoryview) -> int | None:
    at = bytes(content).rfind(_MARK)
    return at + len(_MARK) if at >= 0 else None


def with_seal(content: bytes | memoryview, key: bytes) -> bytes:
    """Of a Parquet file that has room for a seal."""
    at = place_of_seal(content)
    if at is None:
        raise ValueError("a Parquet file without room for a seal")
    return b"".join((content[:at], _digest(content, at, key).encode(), content[at + len(BLANK) :]))


def seal_file(file: BinaryIO, key: bytes) -> None:
    """The same for a file that is too large for the memory, in its place."""
    size = file.seek(0, os.SEEK_END)
    start = file.seek(max(0, size - _FOOTER_BYTES))
    in_footer = place_of_seal(file.read())
    if in_footer is None:
        raise ValueError("a Parquet file without room for a seal")
    at = start + in_footer
    digest = hmac.new(key, digestmod="sha256")
    file.seek(0)
    left = at
    while left and (block := file.read(min(left, _BLOCK))):
        digest.update(block)
        left -= len(block)
    digest.update(BLANK.encode())
    file.seek(at + len(BLANK))
    digest.update(file.read())
    file.seek(at)
    file.write(digest.hexdigest().encode())


def seal_in(content: bytes | memoryview) -> str:
    at = place_of_seal(content)
    return "" if at is None else bytes(content[at : at + len(BLANK)]).decode("ascii", "replace")


def is_intact(content: bytes | memoryview, key: bytes) -> bool:
    at = place_of_seal(content)
    return at is not None and hmac.compare_digest(_digest(content, at, key).encode(), seal_in(content).encode())


def _digest(content: bytes | memoryview, at: int, key: bytes) -> str:
    digest = hmac.new(key, content[:at], "sha256")
    digest.update(BLANK.encode())
    digest.update(content[at + len(BLANK) :])
    return digest.hexdigest()


def sealed_json(content: dict[str, Any], key: bytes) -> bytes:
    return as_json({**content, _FIELD: _json_digest(content, key)})


def sealed_summary(content: dict[str, Any], key: bytes, seals: Iterable[str]) -> bytes:
    """The seals of all units are in it, so that no unit can be left out or replaced by another."""
    return sealed_json({**content, _UNITS: _digest_of_units(seals)}, key)


def without_seals(content: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in content.items() if name not in (_FIELD, _UNITS)}


def _json_digest(content: dict[str, Any], key: bytes) -> str:
    plain = {name: value for name, value in content.items() if name != _FIELD}
    return hmac.digest(key, json.dumps(plain, sort_keys=True).encode(), "sha256").hex()


def _digest_of_units(seals: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(seals).encode()).hexdigest()


def has_seals(folder: ScanFolder) -> bool:
    """Results of older versions have none."""
    return _FIELD in folder.read_manifest()


def fault_in_manifest(folder: ScanFolder, manifest: dict[str, Any], key: bytes) -> str:
    return "" if _is_sealed(manifest, key) else f"{folder.manifest}: {_CHANGED}"


def require_seal(folder: ScanFolder, manifest: dict[str, Any], key: bytes) -> None:
    if fault := fault_in_manifest(folder, manifest, key):
        raise OutputError(f"{fault}; run a new scan")


def seals_of(folder: ScanFolder) -> list[str]:
    return [seal_of(uri) for uri in _sealed_files(folder)]


def _sealed_files(folder: ScanFolder) -> list[str]:
    records = [storage.join(folder.files, name) for name in folder.unit_names()]
    return records + [storage.join(folder.people, name) for name in folder.people_names()]


def seal_of(uri: str) -> str:
    """Footers stand at the end, and most are small."""
    with storage.open_read(uri) as handle:
        handle.seek(max(0, handle.seek(0, os.SEEK_END) - _FOOTER_BYTES))
        return seal_in(handle.read()) or seal_in(storage.read_whole(uri))


def forget_changed_units(folder: ScanFolder, key: bytes) -> None:
    """Units of an unfinished scan that were changed or damaged are deleted, so that their files are read again."""
    has_people = folder.read_manifest().get("format", 1) >= _FORMAT_WITH_PEOPLE
    for name in folder.unit_names():
        uri, people = storage.join(folder.files, name), storage.join(folder.people, name)
        if is_intact(storage.read_whole(uri), key) and (not has_people or _is_intact_file(people, key)):
            continue
        if not name.startswith(UNIT_PREFIX):  # nothing to read it from again
            raise OutputError(f"{uri}: {_CHANGED}; run a new scan")
        log_event("results.changed", f"leakscreen: {uri}: {_CHANGED}; its files are read again", level=WARNING)
        storage.delete(uri)


def _is_intact_file(uri: str, key: bytes) -> bool:
    return storage.exists(uri) and is_intact(storage.read_whole(uri), key)


def fault_in(folder: ScanFolder, key: bytes) -> str:
    """What was changed in a finished scan's folder, or empty."""
    manifest, summary = folder.read_manifest(), folder.read_summary()
    for uri, content in ((folder.manifest, manifest), (folder.summary, summary)):
        if not _is_sealed(content, key):
            return f"{uri}: {_CHANGED}"
    seals = []
    for uri in _sealed_files(folder):
        unit = storage.read_whole(uri)
        if not is_intact(unit, key):
            return f"{uri}: {_CHANGED}"
        seals.append(seal_in(unit))
    if summary.get(_UNITS) != _digest_of_units(seals):
        return f"{folder.files}: files were removed, added or exchanged"
    return ""


def _is_sealed(content: dict[str, Any], key: bytes) -> bool:
    return hmac.compare_digest(_json_digest(content, key), str(content.get(_FIELD, "")))
