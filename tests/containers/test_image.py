"""The image, built from this checkout and run as it is deployed: no rights, read-only root, no network."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds
import pytest

from tests.containers.engine import HARDENED, IMAGE, KEY, ROOT, Engine

pytestmark = pytest.mark.containers
USER = 10001
NOTE = """Patient: Mary Jones, born 12 March 1961, MRN 4417293, phone 617-555-0142, mary.jones@example.org
Diagnosis: type 2 diabetes mellitus, hypertension. Takes metformin 500 mg and lisinopril. HbA1c 8.1 %.
"""
LARGEST_IMAGE, LONGEST_START = 900_000_000, 3.0
COMPARED = [
    "uri",
    "status",
    "reason",
    "media_type",
    "chars",
    "pii_bits",
    "screened_positive",
    "health_positive",
    "referred",
]
# Each start has a new folder for what an earlier one would have kept.
CPU_SECONDS = """
import os, resource, shutil, subprocess
best = 1e9
for number in range(3):
    os.environ["XDG_CACHE_HOME"] = f"/tmp/cache{number}"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["leakscreen", "scan", "/srv/share", "--out", "/tmp/results", "--quiet"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    shutil.rmtree("/tmp/results")
print(best)
"""
WITHOUT_BYTECODE = """
import json, sys
from pathlib import Path
import apache_beam, pyarrow.parquet
import classifiers.health, extraction.registry, leakscreen.commands.scan, pipelines.launch, screening.screen
cached = {name: getattr(module, "__cached__", None) for name, module in sys.modules.items()}
print(json.dumps([name for name, file in cached.items() if file and not Path(file).exists()]))
"""


@pytest.fixture(scope="module")
def share(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Real files of many formats, and a leak."""
    folder = tmp_path_factory.mktemp("container") / "share"
    copy_samples(folder)
    (folder / "note.txt").write_text(NOTE)
    folder.parent.chmod(0o755)
    return folder


def copy_samples(folder: Path) -> None:
    """Bombs are cut off by processor time, so their records differ from run to run; the image has no extra `disks`."""
    shutil.copytree(ROOT / "tests" / "samples", folder, ignore=shutil.ignore_patterns("results", "bomb*", "disks"))


@pytest.fixture
def state(tmp_path: Path) -> Path:
    (tmp_path / "state").mkdir()
    os.chown(tmp_path / "state", USER, USER)
    readable_by_all(tmp_path)
    return tmp_path / "state"


def readable_by_all(folder: Path) -> None:
    for each in (folder, folder.parent, folder.parent.parent):
        each.chmod(each.stat().st_mode | 0o055)


def test_it_is_small_and_holds_no_compiler(engine: Engine) -> None:
    ((size),) = (each["Size"] for each in engine("image", "inspect", IMAGE, check=True).json)
    assert size < LARGEST_IMAGE
    found = engine.run("-c", "for each in cc gcc c++ ld as make pip uv; do command -v $each; done; true", entry="sh")
    assert (found.code, found.out) == (0, "")


def test_hostile_files_can_be_parsed_safely(engine: Engine) -> None:
    ran = engine.run("doctor", "--json")
    assert ran.code == 0 and ran.json["ok"], ran.out + ran.err
    assert all(deed["refused"] for deed in ran.json["deeds"])


def records(results: Path) -> list[dict[str, Any]]:
    (scan,) = results.glob("scan=*")
    rows: list[dict[str, Any]] = ds.dataset(scan / "files").to_table(columns=COMPARED).to_pylist()
    return sorted(rows, key=lambda row: row["uri"])


def test_a_scan_gives_the_records_that_it_gives_outside(engine: Engine, share: Path, state: Path) -> None:
    """Nothing that was left out of the image is missed by any reader, and what is written belongs to its user."""
    mounts = (f"--volume={share}:{share}:ro", f"--volume={state}:/var/lib/leakscreen")
    words = ["scan", str(share), "--out"]
    ran = engine.run(*words, "/var/lib/leakscreen/results", "--quiet", options=mounts)
    assert ran.code == 3, ran.err  # some samples are locked
    outside = subprocess.run(
        [sys.executable, "-m", "leakscreen", *words, str(state.parent / "outside"), "--quiet"],
        env={**os.environ, "LEAKSCREEN_HMAC_KEY": KEY, "HOME": str(state.parent)},
        cwd=ROOT,
    )
    assert outside.returncode == 3
    inside = records(state / "results")
    assert inside == records(state.parent / "outside")
    assert {row["uri"] for row in inside if row["referred"]} >= {str(share / "note.txt")}
    owners = {(path.stat().st_uid, path.stat().st_gid) for path in state.rglob("*")}
    assert owners == {(USER, USER)}


@pytest.fixture
def serving(engine: Engine, state: Path) -> Iterator[str]:
    name = f"leakscreen-test-{os.getpid()}"
    manager = ("--env=LEAKSCREEN_MANAGER=mia", "--env=LEAKSCREEN_MANAGER_PASSWORD=correct horse battery")
    mount = f"--volume={state}:/var/lib/leakscreen"
    engine(
        "run", "--detach", f"--name={name}", "--network=none", *HARDENED, *manager, mount, IMAGE, "serve", check=True
    )
    try:
        yield name
    finally:
        engine("rm", "--force", name)


def ask(engine: Engine, name: str, path: str) -> str:
    code = f"import urllib.request as u; print(u.urlopen('http://127.0.0.1:8765{path}', timeout=5).read().decode())"
    return engine("exec", name, "python", "-c", code).out.strip()


def test_the_service_answers_and_stops_when_it_is_told_to(engine: Engine, serving: str, state: Path) -> None:
    until = time.monotonic() + 60
    while ask(engine, serving, "/readyz") != "ready":
        assert time.monotonic() < until, engine("logs", serving).err
        time.sleep(0.5)
    assert ask(engine, serving, "/healthz") == "ok"
    engine("kill", f"--signal={signal.SIGTERM.name}", serving, check=True)
    assert engine("wait", serving, seconds=60).out.strip() == "0"
    written = set(engine("diff", serving).out.splitlines())  # outside the volume and /tmp
    assert written <= {"C /etc"}  # where the engine itself puts its list of hosts
    assert {path.name for path in state.iterdir()} == {".local"}


def test_a_start_compiles_nothing(engine: Engine) -> None:
    ran = engine.run("-c", WITHOUT_BYTECODE, entry="python")
    assert ran.code == 0 and ran.json == [], ran.out + ran.err


def test_one_file_takes_few_seconds_from_a_cold_start(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "note.txt").write_text(NOTE)
    readable_by_all(tmp_path)
    ran = engine.run("-c", CPU_SECONDS, entry="python", options=[f"--volume={tmp_path}:/srv/share:ro"])
    assert ran.code == 0, ran.err
    assert float(ran.out) < LONGEST_START
