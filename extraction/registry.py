"""Media type -> the format that extracts its text."""

import importlib
import pkgutil
from collections.abc import Iterable
from types import ModuleType
from typing import cast

import extraction.formats
from extraction.format import Format, Need
from extraction.media_types import UNKNOWN, ZIP, is_textual


class Registry:
    """Every module under extraction/formats, and plugins named by their dotted path, which take precedence."""

    def __init__(self, plugins: Iterable[str] = ()) -> None:
        names = [
            f"{extraction.formats.__name__}.{entry.name}" for entry in pkgutil.iter_modules(extraction.formats.__path__)
        ]
        modules: list[ModuleType] = [importlib.import_module(name) for name in [*names, *plugins]]
        self._modules = modules
        self._formats: dict[str, Format] = {}
        for module in modules:
            entry = cast(Format, module)
            for media_type in entry.MEDIA_TYPES:
                self._formats[media_type] = entry

    def find(self, media_type: str) -> Format | None:
        extractor = self._formats.get(media_type)
        if extractor is None and is_textual(media_type):
            return self._formats["text/plain"]
        if extractor is None and media_type.endswith("+zip"):
            return self._formats[ZIP]
        return extractor

    @property
    def needs(self) -> list[Need]:
        """The optional parts that formats can use, each once, by name."""
        declared: set[Need] = {need for module in self._modules for need in getattr(module, "NEEDS", ())}
        return sorted(declared, key=lambda need: need.name)

    @property
    def text(self) -> Format:
        return self._formats["text/plain"]

    @property
    def binary(self) -> Format:
        """For types without an extractor whose bytes may still contain text."""
        return self._formats[UNKNOWN]


_WITHOUT_TEXT = ("image/", "audio/", "video/", "font/")
_WITHOUT_TEXT_MARKS = ("font", "compress", "archive", "zip", "-rar", "zstd", "lzma", "lz4", "encrypted")


def is_without_text(media_type: str) -> bool:
    """Types whose bytes contain words only by chance: pictures, sound, film, fonts, compressed data."""
    return media_type.startswith(_WITHOUT_TEXT) or any(mark in media_type for mark in _WITHOUT_TEXT_MARKS)
