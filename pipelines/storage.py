"""Bytes <-> a local path or any Beam filesystem URI; whole files only, by temporary name and rename."""

import os
import uuid
from pathlib import Path
from typing import Any, BinaryIO, cast

from apache_beam.io.filesystem import CompressionTypes
from apache_beam.io.filesystems import FileSystems

from core.errors import OutputError


def is_local(uri: str) -> bool:
    return "://" not in uri


def join(folder: str, *names: str) -> str:
    return cast(str, FileSystems.join(folder, *names))


def make_folder(uri: str) -> None:
    """Makes a folder, and for local ones lets only the owner in: results name files and people's folders."""
    try:
        if is_local(uri):
            Path(uri).mkdir(parents=True, exist_ok=True, mode=0o700)
        elif not FileSystems.exists(uri):
            FileSystems.mkdirs(uri)
    except OSError as error:
        raise OutputError(f"{uri}: cannot be made: {(error.strerror or type(error).__name__).lower()}") from None


def write_whole(uri: str, content: bytes | memoryview) -> None:
    """Either the whole content is there under its name afterwards, or nothing is."""
    folder, _, name = uri.rpartition("/")
    temporary = f"{folder}/.{name}.{uuid.uuid4().hex}.tmp"
    if is_local(uri):
        _write_local(uri, temporary, content)
        return
    with FileSystems.create(temporary, compression_type=CompressionTypes.UNCOMPRESSED) as handle:
        handle.write(bytes(content))
    FileSystems.rename([temporary], [uri])


def _write_local(uri: str, temporary: str, content: bytes | memoryview) -> None:
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as handle:
            handle.write(content)
            handle.flush()
            os.fsync(handle.fileno())
        Path(temporary).replace(uri)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def open_read(uri: str) -> BinaryIO:
    return cast(BinaryIO, FileSystems.open(uri, compression_type=CompressionTypes.UNCOMPRESSED))


def read_whole(uri: str) -> bytes:
    with open_read(uri) as handle:
        return handle.read()


def exists(uri: str) -> bool:
    return bool(FileSystems.exists(uri))


def names_in(folder: str) -> set[str]:
    """The names directly in a folder; empty where there is no such folder."""
    if is_local(folder):
        try:
            return {entry.name for entry in os.scandir(folder)}
        except FileNotFoundError:
            return set()
        except OSError as error:
            raise OutputError(f"{folder}: cannot be listed: {(error.strerror or type(error).__name__).lower()}") from None
    matches: list[Any] = FileSystems.match([join(folder, "**")])
    prefix = folder.rstrip("/") + "/"
    return {entry.path.removeprefix(prefix).partition("/")[0] for entry in matches[0].metadata_list}
