"""Named texts and arrays <-> one model file: versioned, hashed, without pickle, and with stable bytes."""

import hashlib
import io
import json
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.errors import ModelError

MAGIC = b"leakscreen-health-model"
VERSION = 3
LARGEST_CONTENT = 64_000_000
_FIXED_DATE = (1980, 1, 1, 0, 0, 0)  # a date of today would change the hash of an unchanged model


@dataclass(frozen=True, slots=True)
class ModelContent:
    """What a model file holds: settings, the vocabulary as lines, and arrays of numbers."""

    settings: Mapping[str, Any]
    lines: tuple[str, ...]
    arrays: Mapping[str, NDArray[Any]]


def pack(content: ModelContent) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        _add(archive, "settings.json", json.dumps(dict(content.settings), sort_keys=True).encode())
        _add(archive, "vocabulary.tsv", "\n".join(content.lines).encode())
        for name in sorted(content.arrays):
            array = io.BytesIO()
            np.lib.format.write_array(
                array, np.ascontiguousarray(content.arrays[name]), version=(1, 0), allow_pickle=False
            )
            _add(archive, f"{name}.npy", array.getvalue())
    payload = stream.getvalue()
    return b"%s %d %s\n%s" % (MAGIC, VERSION, hashlib.sha256(payload).hexdigest().encode(), payload)


def _add(archive: zipfile.ZipFile, name: str, raw: bytes) -> None:
    archive.writestr(zipfile.ZipInfo(name, _FIXED_DATE), raw, zipfile.ZIP_DEFLATED, compresslevel=9)


def unpack(raw: bytes) -> ModelContent:
    """Reads a model file, or says in a ModelError why it cannot be used."""
    payload = _checked_payload(raw)
    try:
        with zipfile.ZipFile(io.BytesIO(payload)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > LARGEST_CONTENT:
                raise ModelError(f"the health model is larger than {LARGEST_CONTENT} bytes when unpacked")
            arrays = {
                name.removesuffix(".npy"): np.lib.format.read_array(io.BytesIO(archive.read(name)), allow_pickle=False)
                for name in archive.namelist()
                if name.endswith(".npy")
            }
            lines = archive.read("vocabulary.tsv").decode().split("\n")
            return ModelContent(json.loads(archive.read("settings.json")), tuple(lines), arrays)
    except (zipfile.BadZipFile, zlib.error, KeyError, ValueError, EOFError) as error:
        raise ModelError(
            f"the health model cannot be read ({type(error).__name__}); train it again or use the one that is shipped"
        ) from None


def _checked_payload(raw: bytes) -> bytes:
    head, _, payload = raw.partition(b"\n")
    fields = head.split(b" ")
    if len(fields) != 3 or fields[0] != MAGIC:
        raise ModelError("this is not a leakscreen health model; make one with `leakscreen train health`")
    if fields[1] != str(VERSION).encode():
        version = fields[1][:12].decode("ascii", "replace")
        raise ModelError(
            f"the health model has format version {version}, but this leakscreen reads version {VERSION};"
            " train it again"
        )
    if hashlib.sha256(payload).hexdigest().encode() != fields[2]:
        raise ModelError(
            "the health model is corrupt: its content does not match its hash; copy it again or train it again"
        )
    return payload
