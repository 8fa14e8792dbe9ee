"""Bytes of any kind -> the runs of letters in them, narrow and wide."""

import re

_NARROW = re.compile(rb"(?:[\t\x20-\x7e]|[\xc3-\xc5][\x80-\xbf]){6,}")
_WIDE = re.compile(rb"(?:[\t\x20-\x7e\xa0-\xff]\x00|[\x01-\x7f]\x01){6,}")
_WIDE_BIG_ENDIAN = re.compile(rb"(?:\x00[\t\x20-\x7e\xa0-\xff]|\x01[\x01-\x7f]){6,}")


def narrow_runs(data: bytes, before: int | None = None) -> str:
    """Those that begin before a place, one a line."""
    return _runs(_NARROW, "utf-8", data, before)


def wide_runs(data: bytes, before: int | None = None) -> str:
    """Wide text read in the wrong byte order is wide text again, except at the ends of its runs."""
    return max(_runs(_WIDE, "utf-16-le", data, before), _runs(_WIDE_BIG_ENDIAN, "utf-16-be", data, before), key=len)


def _runs(pattern: re.Pattern[bytes], encoding: str, data: bytes, before: int | None) -> str:
    return "\n".join(
        match.group().decode(encoding, "replace")
        for match in pattern.finditer(data)
        if before is None or match.start() < before
    )
