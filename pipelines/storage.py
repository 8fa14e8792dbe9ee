"""Bytes <-> a local path or any Beam filesystem URI; whole files only, by temporary name and rename."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, cast

from core.atomic import atomic_file, write_atomically
from core.errors import OutputError

BEGINNING = ".beginning-"  # a folder so named was never finished being made, and may be deleted


def is_local(uri: str) -> bool:
    return "://" not in uri


def join(folder: str, *names: str) -> str:
    return "/".join((folder.rstrip("/"), *names)) if folder != "/" else "/" + "/".join(names)


def make_folder(uri: str) -> None:
    """Makes a folder, and for local ones lets only the owner in: results name files and people's folders."""
    try:
        if is_local(uri):
            os.makedirs(uri, mode=0o700, exist_ok=True)
        else:
            _beam().mkdirs(uri)
    except OSError as error:
        raise OutputError(f"{uri}: cannot be made: {_words(error)}; give --out a place that can be written") from None


def begin_folder(uri: str, files: dict[str, bytes]) -> None:
    """A new folder that has these files from its first moment on: a local one gets its name only when it has them."""
    if not is_local(uri):
        for name, content in files.items():
            write_whole(join(uri, name), content)
        return
    with whole_folder(uri) as draft:
        for name, content in files.items():
            write_whole(join(draft, name), content)


@contextmanager
def whole_folder(uri: str) -> Iterator[str]:
    """A local folder with subfolders for records, under a draft name until it is complete; an error leaves nothing."""
    parent, _, name = uri.rpartition("/")
    draft = join(parent, BEGINNING + name)
    try:
        for folder in (draft, join(draft, "files"), join(draft, "people")):
            make_folder(folder)
        yield draft
        os.rename(draft, uri)
    except BaseException:
        import shutil

        shutil.rmtree(draft, ignore_errors=True)
        raise


def link(source: str, target: str) -> None:
    """A hard link, or a copy if the file system has none; neither name is ever written to again."""
    try:
        os.link(source, target)
    except OSError:
        write_whole(target, read_whole(source))


def write_whole(uri: str, content: bytes | memoryview) -> None:
    """Either the whole content is there under its name afterwards, or nothing is."""
    if is_local(uri):
        with _as_one_sentence(uri):
            write_atomically(uri, content)
        return
    folder, _, name = uri.rpartition("/")
    temporary = f"{folder}/.{name}.{os.urandom(16).hex()}.tmp"
    with _beam().create(temporary, compression_type="uncompressed") as handle:
        handle.write(bytes(content))
    _beam().rename([temporary], [uri])


@contextmanager
def _as_one_sentence(uri: str) -> Iterator[None]:
    """A disk that is full, or a folder that cannot be written to, is one sentence."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"{uri}: cannot be written: {_words(error)}; what was there before is untouched") from None


@contextmanager
def whole_file(uri: str) -> Iterator[BinaryIO]:
    """A file to be written piece by piece, which gets its name when it is complete; an error leaves nothing."""
    if is_local(uri):
        with _as_one_sentence(uri), atomic_file(uri) as file:
            yield file
        return
    import tempfile

    with tempfile.TemporaryFile() as kept:
        yield kept
        kept.seek(0)
        write_whole(uri, kept.read())


def open_read(uri: str) -> BinaryIO:
    if is_local(uri):
        return open(uri, "rb")
    return cast(BinaryIO, _beam().open(uri, compression_type="uncompressed"))


@contextmanager
def open_mapped(uri: str) -> Iterator[Any]:
    """An Arrow source that is mapped where it is local, so that only what is looked at is read."""
    import pyarrow as pa

    if is_local(uri):
        with pa.memory_map(uri) as source:
            yield source
    else:
        with open_read(uri) as handle:
            yield handle


def read_whole(uri: str) -> bytes:
    with open_read(uri) as handle:
        return handle.read()


def exists(uri: str) -> bool:
    return os.path.exists(uri) if is_local(uri) else bool(_beam().exists(uri))


def delete(uri: str) -> None:
    if is_local(uri):
        os.unlink(uri)
    else:
        _beam().delete([uri])


def delete_folder(uri: str) -> None:
    """With all that is in it."""
    if is_local(uri):
        import shutil

        shutil.rmtree(uri, ignore_errors=True)
    elif _beam().match([join(uri, "**")])[0].metadata_list:
        _beam().delete([uri])


def names_in(folder: str) -> set[str]:
    """The names directly in a folder; empty where there is no such folder."""
    if is_local(folder):
        try:
            return set(os.listdir(folder))
        except FileNotFoundError:
            return set()
        except OSError as error:
            raise OutputError(f"{folder}: cannot be listed: {_words(error)}") from None
    matches: list[Any] = _beam().match([join(folder, "**")])
    prefix = folder.rstrip("/") + "/"
    return {entry.path.removeprefix(prefix).partition("/")[0] for entry in matches[0].metadata_list}


def _words(error: OSError) -> str:
    return (error.strerror or type(error).__name__).lower()


def _beam() -> Any:
    """Imported on first use: Beam takes seconds to import, and local results do without it."""
    from apache_beam.io.filesystems import FileSystems
    from apache_beam.options.pipeline_options import PipelineOptions

    if FileSystems._pipeline_options is None:  # stores want some before a pipeline brings its own
        FileSystems.set_options(PipelineOptions([]))
    return FileSystems
