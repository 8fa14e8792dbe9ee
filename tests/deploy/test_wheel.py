"""The wheel holds every file of the rooms, and works in an environment of its own, as `uv tool install` makes it."""

import os
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = tuple(
    name.rstrip("*")
    for name in tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"]["find"][
        "include"
    ]
)
UV = str(Path(sys.executable).with_name("uv"))
NOTE = """Patient: Mary Jones, born 12 March 1961, MRN 4417293, phone 617-555-0142, mary.jones@example.org
Diagnosis: type 2 diabetes mellitus, hypertension. Takes metformin 500 mg and lisinopril. HbA1c 8.1 %.
"""


def files_of_rooms() -> list[str]:
    listed = ["git", "ls-files", "-z", "--", *ROOMS]
    return subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")[:-1]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from what git knows, in a folder of its own: building leaves files beside the sources."""
    folder = tmp_path_factory.mktemp("wheel")
    sources = folder / "sources"
    for name in (*files_of_rooms(), "pyproject.toml", "README.md"):
        (sources / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, sources / name)
    build = [UV, "build", "--quiet", "--wheel", "--no-build-isolation", "--python", sys.executable]
    subprocess.run([*build, "--out-dir", str(folder), str(sources)], check=True)
    (made,) = folder.glob("*.whl")
    return made


def test_the_wheel_holds_every_file_of_the_rooms(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = set(archive.namelist())
    assert set(files_of_rooms()) - held == set()
    assert {name.split("/")[0] for name in held if ".dist-info/" not in name} == set(ROOMS)


def test_an_installed_tool_scans(wheel: Path, tmp_path: Path) -> None:
    places = {"UV_TOOL_DIR": str(tmp_path / "tools"), "UV_TOOL_BIN_DIR": str(tmp_path / "bin")}
    environment = {**os.environ, **places, "HOME": str(tmp_path)}
    cache = subprocess.run([UV, "cache", "dir"], capture_output=True, text=True, check=True).stdout.strip()
    install = [UV, "tool", "install", "--quiet", "--python", sys.executable, "--cache-dir", cache]
    done = subprocess.run(
        [*install, "--constraints", str(ROOT / "requirements.txt"), str(wheel)],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    (tmp_path / "share").mkdir()
    (tmp_path / "share" / "note.txt").write_text(NOTE)
    program = tmp_path / "bin" / "leakscreen"
    assert not any((tmp_path / "tools" / "leakscreen").glob("lib/python*/site-packages/pytest"))
    ran = subprocess.run(
        [str(program), "scan", "share", "--out", "results", "--quiet", "--fail-on", "referral"],
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 1, ran.stdout + ran.stderr  # referred
    assert len(list((tmp_path / "results").glob("scan=*/report.html"))) == 1
