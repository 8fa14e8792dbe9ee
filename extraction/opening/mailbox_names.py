"""Names of IMAP folders in the server's modified UTF-7 -> text with one `/` between levels."""

import base64
import re

_SHIFTED = re.compile(rb"&([A-Za-z0-9+,]*)-")


def decoded(name: bytes) -> str:
    """RFC 3501, 5.1.3; a name that does not keep to it is taken as UTF-8."""
    try:
        return _SHIFTED.sub(_from_base64, name).decode("utf-8", "surrogateescape")
    except ValueError:
        return name.decode("utf-8", "surrogateescape")


def _from_base64(shifted: re.Match[bytes]) -> bytes:
    if not shifted[1]:
        return b"&"
    packed = shifted[1].replace(b",", b"/")
    return base64.b64decode(packed + b"=" * (-len(packed) % 4)).decode("utf-16-be").encode()


def key_of_folder(name: str, mark: str) -> str:
    """A server may part levels by another character, and then have names with `/` in them: these are escaped."""
    return "/".join(level.replace("/", "%2F") for level in (name.split(mark) if mark else [name]))
