"""The Python API does what the commands do, and costs nothing where it is not used."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import leakscreen
from core.errors import LeakscreenError

LETTER = """Patient: Margaret Okafor, born 12 March 1961, phone 416-555-0142, margaret.okafor@example.org
Diagnosis: type 2 diabetes mellitus, hypertension. Takes metformin 500 mg and lisinopril. HbA1c 8.1 %.
"""


@pytest.fixture(autouse=True)
def own_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEAKSCREEN_HMAC_KEY", "0123456789abcdef" * 4)


def test_a_scan_is_run_read_and_evaluated(tmp_path: Path) -> None:
    (tmp_path / "share").mkdir()
    (tmp_path / "share" / "letter.txt").write_text(LETTER)
    (tmp_path / "share" / "menu.txt").write_text("Monday: soup. Tuesday: pasta with tomatoes.\n")
    results = leakscreen.scan(tmp_path / "share", out=tmp_path / "out", settings={"scan.workers": 1})
    assert results.summary["referred"] == 1
    (referred,) = results.referred()
    assert referred["uri"].endswith("letter.txt")
    assert "Okafor" not in repr(list(results.rows()))
    read = leakscreen.read_results(tmp_path / "out")
    assert (read, Path(read.folder, "report.html").is_file()) == (results, True)
    labels = {row["uri"]: row["uri"].endswith("letter.txt") for row in read.rows(["uri"])}
    measured = leakscreen.evaluate(read, labels)
    tool = measured.rules[0]
    assert (tool.rule, tool.positive, tool.phi, measured.facts["labels"]) == ("referred", 1, 1, 2)


def test_a_text_is_screened_without_its_values() -> None:
    found = leakscreen.screen_text(LETTER)
    assert found.positive and found.counts["phone_number"] == 1
    assert LETTER[slice(*next(span[:2] for span in found.spans if span.characteristic == "phone_number"))] == (
        "416-555-0142"
    )
    assert "Okafor" not in repr(found) and "416-555" not in repr(found)
    assert not leakscreen.screen_text("Monday: soup.").positive


def test_a_wrong_request_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(LeakscreenError, match="nowhere"):
        leakscreen.scan(tmp_path / "nowhere", out=tmp_path / "out")
    assert not (tmp_path / "out").exists()
    with pytest.raises(LeakscreenError, match=r"scan\.wrokers"):
        leakscreen.scan(tmp_path, out=tmp_path / "out", settings={"scan.wrokers": 1})
    with pytest.raises(LeakscreenError):
        leakscreen.read_results(tmp_path)


def test_importing_the_package_loads_nothing_of_it() -> None:
    program = (
        "import sys, leakscreen; print(sorted(set(sys.modules) & {'leakscreen.api', 'numpy', 'pyarrow', 'django'}));"
        "print(callable(leakscreen.scan), 'leakscreen.api' in sys.modules); print(hasattr(leakscreen, 'nothing'))"
    )
    ran = subprocess.run([sys.executable, "-c", program], env=dict(os.environ), capture_output=True, text=True)
    assert ran.stdout.split("\n")[:3] == ["[]", "True True", "False"], ran.stderr
