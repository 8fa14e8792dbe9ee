"""Runs the real command in a process of its own, with its own home, temporary folder and key."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds
import pytest

from leakscreen.demo import Planted, make_share

KEY = "0123456789abcdef" * 4


@dataclass(frozen=True, slots=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.out)
        return document


Run = Callable[..., Ran]


def run_leakscreen(
    home: Path,
    words: Sequence[str | Path],
    stdin: str = "",
    environ: Mapping[str, str] | None = None,
    prefix: Sequence[str] = (),
) -> Ran:
    (home / "tmp").mkdir(parents=True, exist_ok=True)
    clean = {name: value for name, value in os.environ.items() if not name.startswith("LEAKSCREEN_")}
    own = {
        "HOME": str(home),
        "TMPDIR": str(home / "tmp"),
        "LEAKSCREEN_HMAC_KEY": KEY,
        "XDG_CONFIG_HOME": str(home / "config"),
    }
    command = [*prefix, sys.executable, "-m", "leakscreen", *(str(word) for word in words)]
    settled = {**clean, **own, **(environ or {})}
    done = subprocess.run(command, input=stdin, capture_output=True, text=True, env=settled, cwd=home, timeout=300)
    return Ran(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


@pytest.fixture
def leakscreen(home: Path) -> Run:
    """leakscreen("scan", folder, ...) -> exit code and output."""

    def run(*words: str | Path, **how: Any) -> Ran:
        return run_leakscreen(home, words, **how)

    return run


def rows_of(out: Path) -> list[dict[str, Any]]:
    """All records below an output folder, in a fixed order."""
    files = sorted(str(file) for file in out.glob("scan=*/files/*.parquet"))
    return sorted(ds.dataset(files).to_table().to_pylist(maps_as_pydicts="lossy"), key=lambda row: row["uri"])


def stable(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows without what differs between two scans of the same files."""
    return [{name: value for name, value in row.items() if name != "scan_id"} for row in rows]


@pytest.fixture(scope="session")
def share(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Planted]]:
    folder = tmp_path_factory.mktemp("made") / "share"
    return folder, make_share(folder, files=80, seed=3, phi_share=0.05)


@pytest.fixture(scope="session")
def scanned(share: tuple[Path, list[Planted]], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output folder of one scan of the share by one worker; tests only look at it."""
    place = tmp_path_factory.mktemp("scanned")
    ran = run_leakscreen(place / "home", ("scan", share[0], "--out", place / "out", "--workers", "1", "--quiet"))
    assert ran.code == 3, ran.err  # the share holds files that nobody can read
    return place / "out"


@pytest.fixture
def without_root_powers() -> list[str]:
    """A prefix under which permissions count even for root."""
    if os.geteuid() != 0:
        return []
    setpriv = shutil.which("setpriv")
    assert setpriv, "setpriv (util-linux) is needed to test permissions as root"
    return [setpriv, "--bounding-set=-dac_override,-dac_read_search"]
