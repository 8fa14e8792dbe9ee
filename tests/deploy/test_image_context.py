"""What is sent to the builder of the image, and what is taken out of it again."""

import compileall
import re
import shutil
import sysconfig
from pathlib import Path

import olefile
import pytest
from docker.utils.build import exclude_paths

from deploy.image import slim

ROOT = Path(__file__).parents[2]
PACKAGES = Path(sysconfig.get_path("purelib"))
SECRET = (
    "deploy/compose/secrets.env",
    "deploy/compose/mail-tls/mail.key",
    "deploy/compose/mail.env",
    "deploy/flink/own.jar",
    ".flink-jars/server.jar",
    ".git/config",
    "core/secrets.env",
    "leakscreen-results/scan=1/manifest.json",
    "leakscreen.toml",
    "sbom.json",
)


def test_only_what_is_copied_goes_to_the_builder(tmp_path: Path) -> None:
    copied = {
        name
        for file in (ROOT / "Dockerfile", ROOT / "deploy/flink/Dockerfile")
        for line in re.findall(r"^COPY (?!--from)(.*) \S+$", file.read_text(encoding="utf-8"), re.MULTILINE)
        for name in line.split()
    }
    for name in copied:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_dir():
            (tmp_path / name).mkdir(exist_ok=True)
            (tmp_path / name / "module.py").touch()
        else:
            (tmp_path / name).touch()
    for name in (*SECRET, "tests/samples/a.txt", "core/__pycache__/a.pyc"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    patterns = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]
    sent = {name for name in exclude_paths(str(tmp_path), patterns) if (tmp_path / name).is_file()}
    wanted = {f"{name}/module.py" if (ROOT / name).is_dir() else name for name in copied}
    assert sent == wanted


@pytest.mark.parametrize("pattern", slim.LEFT_OUT)
def test_every_pattern_of_what_is_left_out_matches_something(pattern: str) -> None:
    assert next(PACKAGES.glob(pattern), None), pattern


@pytest.mark.parametrize("language", [folder.name for folder in (ROOT / "review/locale").iterdir()])
def test_translations_of_the_pages_stay(language: str) -> None:
    """Django's own words, months among them, are needed in the same languages."""
    gone = {path for pattern in slim.LEFT_OUT if "locale" in pattern for path in PACKAGES.glob(pattern)}
    kept = PACKAGES / "django/conf/locale" / language / "LC_MESSAGES/django.mo"
    assert kept.exists() and gone and not gone & {kept, *kept.parents}


def test_all_that_is_compiled_can_be_compiled(tmp_path: Path) -> None:
    """olefile has a module in Python 2, which ended the build."""
    folder = Path(shutil.copytree(Path(olefile.__file__).parent, tmp_path / "olefile"))
    assert compileall.compile_dir(folder, quiet=2, rx=slim.NOT_COMPILED)
    if any(folder.glob("olefile2.py")):
        assert not compileall.compile_dir(folder, quiet=2, force=True)


def test_three_copies_of_a_library_become_one(tmp_path: Path) -> None:
    for name in ("libx.so", "libx.so.25", "libx.so.25.1.0"):
        (tmp_path / name).write_bytes(b"library")
    (tmp_path / "liby.so").write_bytes(b"other")
    slim.one_of_each(tmp_path)
    assert {path.name: path.is_symlink() for path in tmp_path.iterdir()} == {
        "libx.so": True,
        "libx.so.25": True,
        "libx.so.25.1.0": False,
        "liby.so": False,
    }
    assert (tmp_path / "libx.so").read_bytes() == b"library"
