"""The command line is quick to ask for help, and its reference is up to date."""

import subprocess
import sys
from pathlib import Path

import pytest

from leakscreen.reference import reference, sample_settings
from leakscreen.results_reference import with_columns

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("words", [["--help"], ["scan", "--help"], ["rules", "--help"]])
def test_help_imports_nothing_heavy(words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "leakscreen", *words], capture_output=True, text=True, check=True
    )
    imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in done.stderr.splitlines()}
    assert "typer" in imported
    assert not imported & {
        "apache_beam",
        "numpy",
        "pyarrow",
        "rich",
        "sklearn",
        "scipy",
        "hyperscan",
        "faker",
        "django",
    }


def test_the_reference_is_up_to_date() -> None:
    assert (ROOT / "docs" / "reference.md").read_text(encoding="utf-8") == reference(), "run `make docs`"
    assert (ROOT / "deploy" / "leakscreen.toml").read_text(encoding="utf-8") == sample_settings(), "run `make docs`"
    results = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
    assert results == with_columns(results), "run `make docs`"


@pytest.mark.parametrize("words", [["nonsense"], ["scan", "--nonsense"], []])
def test_usage_errors_exit_with_2(words: list[str]) -> None:
    done = subprocess.run([sys.executable, "-m", "leakscreen", *words], capture_output=True, text=True)
    assert done.returncode == 2
