import tomllib
from pathlib import Path

from core.version import VERSION


def test_the_program_and_its_package_have_one_version() -> None:
    pyproject = Path(__file__).parents[2] / "pyproject.toml"
    assert tomllib.loads(pyproject.read_text(encoding="utf-8"))["project"]["version"] == VERSION
