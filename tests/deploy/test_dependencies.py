"""The packages that are installed are those that are pinned, under free licences; known faults are found."""

import json
import zipfile
from pathlib import Path

import pytest
from packaging.version import Version

from deploy import dependencies


def test_the_pinned_packages_have_no_fault(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OSV_DATABASE", raising=False)
    assert dependencies.main() == 0, capsys.readouterr().out
    assert "vulnerabilities were not looked up" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("version", "is_affected"), [("1.0", False), ("1.2", True), ("1.4.9", True), ("1.5", False), ("3.0", True)]
)
def test_a_range_of_versions(version: str, is_affected: bool) -> None:
    events = [{"introduced": "1.2"}, {"fixed": "1.5"}, {"introduced": "2.9"}]
    affected = {"ranges": [{"type": "ECOSYSTEM", "events": events}], "versions": ["0.1"]}
    assert dependencies.is_affected(Version(version), affected) == is_affected
    assert dependencies.is_affected(Version("0.1"), affected)


def test_a_vulnerable_package_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = {"id": "PYSEC-1", "affected": [{"package": {"name": "Django"}, "ranges": []}]}
    entry["affected"][0]["ranges"] = [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}]}]  # type: ignore[index]
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("PYSEC-1.json", json.dumps(entry))
    monkeypatch.setenv("OSV_DATABASE", str(tmp_path / "all.zip"))
    assert dependencies.main() == 1
    assert "django" in capsys.readouterr().out
