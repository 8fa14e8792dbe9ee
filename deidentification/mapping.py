"""Which value became which replacement -> an encrypted file, and back; it is written only if somebody asks for it."""

import json
from collections.abc import Mapping
from pathlib import Path

from core.atomic import write_atomically
from core.errors import OutputError
from screening.privacy import sealed

PASSPHRASE_IN_ENV = "LEAKSCREEN_MAPPING_PASSPHRASE"  # noqa: S105 - the name, not the passphrase
_MARK = b"leakscreen mapping 1\n"


def passphrase_of(environ: Mapping[str, str]) -> str:
    return sealed.passphrase_of(environ, PASSPHRASE_IN_ENV, "a mapping")


def write_mapping(path: Path, mapping: Mapping[tuple[str, str], str], passphrase: str) -> None:
    rows = [[characteristic, value, made] for (characteristic, value), made in sorted(mapping.items())]
    try:
        write_atomically(path, sealed.seal(json.dumps(rows).encode(), passphrase, _MARK))
    except OSError as error:
        raise OutputError(f"{path}: cannot be written: {(error.strerror or type(error).__name__).lower()}") from None


def read_mapping(path: Path, passphrase: str) -> list[tuple[str, str, str]]:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise OutputError(f"{path}: cannot be read: {(error.strerror or type(error).__name__).lower()}") from None
    if not content.startswith(_MARK):
        raise OutputError(f"{path}: no mapping of leakscreen")
    try:
        rows = json.loads(sealed.unseal(content, passphrase, _MARK))
    except sealed.SealError as error:
        raise OutputError(f"{path}: {error}") from None
    return [(characteristic, value, made) for characteristic, value, made in rows]
