"""Locked Word, Excel or PowerPoint file of 1997 to 2003 and passwords -> the same without its lock, if one fits."""

import contextlib
import io
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

from extraction.content import Content
from extraction.lazy_import import LazyModule
from extraction.limits.budget import Budget
from extraction.readers.ole.compound import Compound, compound_of

_KINDS = ("doc97", "ppt97", "xls97")
_MSOFFCRYPTO = LazyModule("msoffcrypto", *(f"msoffcrypto.format.{kind}" for kind in _KINDS))
_IN_MEMORY = SimpleNamespace(TemporaryFile=io.BytesIO)


def unlocked(content: Content, passwords: Iterable[str], budget: Budget) -> Compound | None:
    library: Any = _MSOFFCRYPTO.load()
    for kind in _KINDS:  # the library decrypts into a file on disk, which a parser process cannot make
        getattr(library.format, kind).tempfile = _IN_MEMORY
    for password in passwords:
        out = io.BytesIO()
        with contextlib.suppress(Exception):
            locked = library.OfficeFile(content.file())
            locked.load_key(password=password)
            locked.decrypt(out)
            return compound_of(out.getvalue(), budget)
    return None
