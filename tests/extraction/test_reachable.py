"""Every format is reachable: identification yields one of its media types, and the registry leads to the format."""

import ast
import pkgutil
from pathlib import Path
from typing import Any

import pytest

import extraction.formats
import extraction.identify
from extraction import media_types
from extraction.identify.libmagic import bundled_folder
from extraction.registry import Registry

FORMATS = sorted(entry.name for entry in pkgutil.iter_modules(extraction.formats.__path__))


@pytest.fixture(scope="module")
def registry() -> Registry:
    return Registry()


@pytest.fixture(scope="module")
def yielded() -> set[str]:
    """The media types that our own checks name, in their sources: as texts, or by their name in media_types."""
    types: set[str] = set()
    for path in extraction.identify.__path__:
        for file in Path(path).glob("*.py"):
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    types.add(node.value)
                elif isinstance(node, ast.Name) and isinstance(getattr(media_types, node.id, None), str):
                    types.add(getattr(media_types, node.id))
    return types


@pytest.fixture(scope="module")
def libmagic_database() -> bytes:
    folder = bundled_folder()
    assert folder is not None
    return (folder / "magic.mgc").read_bytes().lower()


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_is_reachable(name: str, registry: Registry, yielded: set[str], libmagic_database: bytes) -> None:
    declared: Any = __import__(f"extraction.formats.{name}", fromlist=["MEDIA_TYPES"]).MEDIA_TYPES
    reachable = {entry for entry in declared if entry in yielded or entry.encode() + b"\0" in libmagic_database}
    assert reachable, f"neither extraction/identify nor libmagic yields {', '.join(sorted(declared))}"
    found = {getattr(registry.find(entry), "__name__", "") for entry in reachable}
    assert found == {f"extraction.formats.{name}"}
