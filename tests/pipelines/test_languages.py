"""A file in a language that the models do not know is complete, but never clear."""

import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from benchmarks.honesty_cases.case import HARMLESS
from leakscreen.cli.app import app

POLISH = (
    "Sala jest otwarta od rana. Proszę przynieść stoły oraz chleb na piknik, który odbędzie się po koncercie. "
    "Nie ma miejsca dla samochodów, ale autobus jedzie do centrum przez cały dzień. To był dobry rok."
)


def scan(source: Path, out: Path) -> tuple[int, dict[str, object]]:
    ran = CliRunner().invoke(app, ["scan", str(source), "--out", str(out), "--quiet", "--workers", "1", "--json"])
    return ran.exit_code, json.loads(ran.stdout)


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LEAKSCREEN_HMAC_KEY", "ab" * 32)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


def test_a_file_in_another_language_is_not_clear(tmp_path: Path) -> None:
    source = tmp_path / "share"
    source.mkdir()
    (source / "known.txt").write_text(HARMLESS)
    code, summary = scan(source, tmp_path / "first")
    assert (code, summary["not_judged"], summary["language"]) == (0, 0, {"en": 1})
    (source / "other.txt").write_text(POLISH)
    code, summary = scan(source, tmp_path / "second")
    assert (code, summary["not_judged"], summary["language"]) == (3, 1, {"en": 1, "pl": 1})
    assert summary["reasons"] == {"complete": {"language not judged (pl)": 1}}
    (unit,) = (tmp_path / "second").glob("scan=*/files/*.parquet")
    rows = {Path(row["uri"]).name: row for row in pq.read_table(unit).to_pylist()}
    assert (rows["other.txt"]["status"], rows["other.txt"]["judged"]) == ("complete", False)
    assert (rows["known.txt"]["language"], rows["known.txt"]["judged"]) == ("en", True)
    (report,) = (tmp_path / "second").glob("scan=*/report.html")
    page = report.read_text()
    assert "read, but not judged" in page and "other.txt" in page
