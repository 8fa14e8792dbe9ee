"""Names of character sets -> the C library's converters for them, loaded before the sandbox closes."""

import ctypes

# Those that ReadStat asks for by these names. The C library keeps a converter in memory while a handle to it is open.
_NAMES = (
    *(f"WINDOWS-{number}" for number in range(1250, 1258)),
    *("ISO-8859-1", "ISO-8859-2", "ISO-8859-9", "ISO-8859-15", "MACROMAN", "CP437", "CP850"),
    *("SHIFT_JISX0213", "CP932", "CP936", "CP949", "CP950"),
)


def keep_converters() -> list[int]:
    """The open handles; none where the C library has no iconv of its own."""
    try:
        iconv_open = ctypes.CDLL(None).iconv_open
    except AttributeError:
        return []
    iconv_open.restype, iconv_open.argtypes = ctypes.c_ssize_t, (ctypes.c_char_p, ctypes.c_char_p)
    return [iconv_open(b"UTF-8", name.encode()) for name in _NAMES]
