"""A change of extraction means a decision: either files are read again, or no file yields another text."""

from pathlib import Path

import pytest

from extraction.version import EXTRACTOR_VERSION
from tests.extraction import extraction_code


def test_the_version_was_considered_after_the_last_change() -> None:
    assert extraction_code.recorded() == (EXTRACTOR_VERSION, extraction_code.extraction_code()), extraction_code.__doc__


def code_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *modules: str) -> str:
    for room in ("core", "extraction"):
        (tmp_path / room).mkdir(exist_ok=True)
    for file in (tmp_path / "extraction").iterdir():
        file.unlink()
    for number, text in enumerate(modules):
        (tmp_path / "extraction" / f"m{number}.py").write_text(text)
    monkeypatch.setattr(extraction_code, "ROOT", tmp_path)
    return extraction_code.extraction_code()


BEFORE = """import re

def told(data: bytes) -> str:
    'Old.'
    found = data.decode("utf-8")
    return found.lower()

LIMIT = 3
"""


@pytest.mark.parametrize(
    ("modules", "same"),
    [
        ((BEFORE.replace("told", "text_of").replace("found", "text").replace("Old.", "New."),), True),
        (("LIMIT = 3\n", BEFORE.replace("LIMIT = 3\n", "# moved\n")), True),
        ((BEFORE.replace("utf-8", "latin-1"),), False),
        ((BEFORE.replace("lower", "upper"),), False),
        ((BEFORE.replace("= 3", "= 4"),), False),
        ((BEFORE.replace("return found.lower()", "return found.lower().strip()"),), False),
    ],
)
def test_names_and_places_do_not_count_and_deeds_do(
    modules: tuple[str, ...], same: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert (code_of(tmp_path, monkeypatch, *modules) == code_of(tmp_path, monkeypatch, BEFORE)) is same
