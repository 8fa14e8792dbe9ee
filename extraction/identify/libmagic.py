"""Bytes -> media type by libmagic, from the system or from the installed wheel."""

import ctypes
import functools
import importlib.util
import re
from pathlib import Path
from typing import Any

SAMPLE = 1 << 18
_MEDIA_TYPE = re.compile(r"[a-z0-9]+/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]{0,126}")


def bundled_folder() -> Path | None:
    """Where pylibmagic keeps its library; importing that package would patch ctypes for the whole process."""
    spec = importlib.util.find_spec("pylibmagic")
    return Path(spec.origin).parent if spec and spec.origin else None


@functools.cache
def _detector() -> Any:
    """The bundled library first, so that all machines agree; python-magic then finds it by its soname."""
    database = None
    folder = bundled_folder()
    if folder is not None:
        try:
            ctypes.CDLL(str(folder / "libmagic.so.1"), mode=ctypes.RTLD_GLOBAL)
            database = str(folder / "magic.mgc")
        except OSError:
            database = None
    import magic

    try:
        return magic.Magic(mime=True, magic_file=database)
    except magic.MagicException:
        return magic.Magic(mime=True)


def load() -> None:
    """Reads the database now: inside the sandbox it would be out of reach."""
    _detector()


def libmagic_media_type(data: bytes) -> str:
    """An unknown or odd answer is octet-stream; libmagic reports some faults as text."""
    try:
        answer = str(_detector().from_buffer(data[:SAMPLE]))
    except Exception:
        return "application/octet-stream"
    return answer.lower() if _MEDIA_TYPE.fullmatch(answer) else "application/octet-stream"
