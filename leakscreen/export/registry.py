"""The modules of formats/ -> the names of the export formats, and for a name its writer."""

import importlib
import pkgutil
from collections.abc import Iterable
from typing import Any, BinaryIO, Protocol, cast

from leakscreen.export import formats
from leakscreen.export.rows import ExportedScan, Row


class Format(Protocol):
    """What a module in formats/ has to have."""

    def write(self, rows: Iterable[Row], scan: ExportedScan, sink: BinaryIO) -> Any: ...


def format_names() -> tuple[str, ...]:
    """Found without importing any of them, so that the command line starts quickly."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(formats.__path__)))


def load_format(name: str) -> Format:
    return cast(Format, importlib.import_module(f"{formats.__name__}.{name}"))
