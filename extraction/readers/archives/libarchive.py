"""Archive of any kind that libarchive reads -> its entries, one after the other, in one pass."""

import ctypes
import functools
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO

SONAME = "libarchive.so.13"
BLOCK = 1 << 18
_END, _WARNING, _FATAL = 1, -20, -30
_REGULAR = 0o100000
_RAW = 0x90000
_SUPPORT = "archive_read_support_"
_SEEK_MODES = frozenset({0, 1, 2})
# No format that names files of the machine (mtree), no filter that starts a program (grzip, lrzip, lzop).
# Raw only behind a filter: it accepts any bytes, so a damaged archive would contain itself.
ARCHIVES = tuple(f"format_{name}" for name in ("7zip", "rar", "rar5", "cab", "iso9660", "cpio", "ar", "lha", "tar"))
PACKED = (
    "filter_compress",
    "filter_lzip",
    "filter_lz4",
    "format_tar",
    "format_cpio",
    "format_iso9660",
    "format_empty",
    "format_raw",
)

_READ = ctypes.CFUNCTYPE(ctypes.c_ssize_t, ctypes.c_void_p, ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p))
_SEEK = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int)
_SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "archive_version_string": (ctypes.c_char_p, ()),
    "archive_read_new": (ctypes.c_void_p, ()),
    "archive_read_free": (ctypes.c_int, (ctypes.c_void_p,)),
    "archive_read_set_read_callback": (ctypes.c_int, (ctypes.c_void_p, _READ)),
    "archive_read_set_seek_callback": (ctypes.c_int, (ctypes.c_void_p, _SEEK)),
    "archive_read_set_callback_data": (ctypes.c_int, (ctypes.c_void_p, ctypes.c_void_p)),
    "archive_read_open1": (ctypes.c_int, (ctypes.c_void_p,)),
    "archive_read_next_header": (ctypes.c_int, (ctypes.c_void_p, ctypes.POINTER(ctypes.c_void_p))),
    "archive_read_data_block": (
        ctypes.c_int,
        (
            ctypes.c_void_p,
            ctypes.POINTER(ctypes.c_void_p),
            ctypes.POINTER(ctypes.c_size_t),
            ctypes.POINTER(ctypes.c_int64),
        ),
    ),
    "archive_filter_count": (ctypes.c_int, (ctypes.c_void_p,)),
    "archive_format": (ctypes.c_int, (ctypes.c_void_p,)),
    "archive_read_has_encrypted_entries": (ctypes.c_int, (ctypes.c_void_p,)),
    "archive_entry_pathname_utf8": (ctypes.c_char_p, (ctypes.c_void_p,)),
    "archive_entry_pathname": (ctypes.c_char_p, (ctypes.c_void_p,)),
    "archive_entry_hardlink": (ctypes.c_char_p, (ctypes.c_void_p,)),
    "archive_entry_filetype": (ctypes.c_uint, (ctypes.c_void_p,)),
    "archive_entry_size": (ctypes.c_int64, (ctypes.c_void_p,)),
    "archive_entry_is_data_encrypted": (ctypes.c_int, (ctypes.c_void_p,)),
}


class ArchiveError(Exception):
    """The archive is damaged, or of a kind or method that this libarchive does not read."""


@functools.cache
def library() -> ctypes.CDLL | None:
    """None if the machine has no libarchive."""
    try:
        loaded = ctypes.CDLL(SONAME)
        for name, (result, arguments) in _SIGNATURES.items():
            function = getattr(loaded, name)
            function.restype, function.argtypes = result, arguments
        for name in {*ARCHIVES, *PACKED}:
            getattr(loaded, _SUPPORT + name).argtypes = (ctypes.c_void_p,)
    except (OSError, AttributeError):
        return None
    return loaded


def version() -> str:
    loaded = library()
    return loaded.archive_version_string().decode() if loaded is not None else ""


class Archive:
    """Reads from a file by callbacks, so that nothing but the opened file is touched; call `close` at the end."""

    def __init__(self, loaded: ctypes.CDLL, file: BinaryIO, kinds: tuple[str, ...]) -> None:
        self._library = loaded
        self._file = file
        self._block = b""
        self.has_warned = False  # a checksum was wrong, say
        self._callbacks = (_READ(self._read), _SEEK(self._seek))
        self._handle = ctypes.c_void_p(loaded.archive_read_new())
        for name in kinds:
            getattr(loaded, _SUPPORT + name)(self._handle)
        loaded.archive_read_set_read_callback(self._handle, self._callbacks[0])
        loaded.archive_read_set_seek_callback(self._handle, self._callbacks[1])
        loaded.archive_read_set_callback_data(self._handle, None)

    def _read(self, handle: int, data: int, place: Any) -> int:
        try:
            self._block = self._file.read(BLOCK)
        except Exception:
            return -1
        place[0] = ctypes.cast(ctypes.c_char_p(self._block), ctypes.c_void_p)
        return len(self._block)

    def _seek(self, handle: int, data: int, offset: int, whence: int) -> int:
        try:
            return self._file.seek(offset, whence) if whence in _SEEK_MODES else _FATAL
        except Exception:
            return _FATAL

    def entries(self) -> Iterator["Entry"]:
        """An entry can be read only until the next one is requested."""
        if self._library.archive_read_open1(self._handle) < _WARNING:
            raise ArchiveError
        header = ctypes.c_void_p()
        while (result := self._library.archive_read_next_header(self._handle, ctypes.byref(header))) != _END:
            if result < _WARNING:
                raise ArchiveError
            if self.is_one_stream and self._library.archive_filter_count(self._handle) < 2:
                raise ArchiveError  # nothing was decompressed: the entry is the file itself
            yield Entry(self._library, header, self.read)

    def read(self, count: int) -> bytes:
        """The next block of the entry, of any length: holes of sparse files are left out, not filled."""
        place, length, offset = ctypes.c_void_p(), ctypes.c_size_t(), ctypes.c_int64()
        while not length.value:
            result = self._library.archive_read_data_block(
                self._handle, ctypes.byref(place), ctypes.byref(length), ctypes.byref(offset)
            )
            if result == _END:
                return b""
            if result < _WARNING:
                raise ArchiveError
            self.has_warned |= result < 0
        return ctypes.string_at(place, length.value)

    @property
    def is_one_stream(self) -> bool:
        """Whether the compressed content is not a known archive: its one entry has no name."""
        return bool(self._library.archive_format(self._handle) == _RAW)

    @property
    def is_encrypted(self) -> bool:
        return bool(self._library.archive_read_has_encrypted_entries(self._handle) > 0)

    def close(self) -> None:
        self._library.archive_read_free(self._handle)
        self._handle = ctypes.c_void_p()


class Entry:
    """What a header says; none of it is trusted."""

    def __init__(self, loaded: ctypes.CDLL, header: ctypes.c_void_p, read: Callable[[int], bytes]) -> None:
        name = loaded.archive_entry_pathname_utf8(header) or loaded.archive_entry_pathname(header) or b""
        self.name: str = name.decode("utf-8", "surrogateescape")
        kind = loaded.archive_entry_filetype(header)
        self.is_file = kind in (_REGULAR, 0) and not loaded.archive_entry_hardlink(header)
        self.is_encrypted = bool(loaded.archive_entry_is_data_encrypted(header) > 0)
        self.size: int = max(0, loaded.archive_entry_size(header))
        self.read = read
