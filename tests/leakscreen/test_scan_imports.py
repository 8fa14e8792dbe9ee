"""A scan loads what it works with, and nothing of training, statistics, the made share or the web service."""

import os
import subprocess
import sys
from pathlib import Path

NOT_FOR_A_SCAN = {
    "apache_beam",  # of one unit: see below
    "django",
    "docx",
    "faker",
    "openpyxl",
    "pptx",
    "reportlab",
    "scipy.linalg",
    "scipy.optimize",
    "scipy.spatial",
    "scipy.stats",
    "sklearn",
}
# Runs at the start of the launcher and of every worker; parser processes have no environment and load only readers.
WATCH = """
import os, sys

class Watch:
    def find_spec(self, name, path=None, target=None):
        with open(os.environ["IMPORT_LOG"], "a") as log:
            log.write(name + "\\n")

if "IMPORT_LOG" in os.environ:
    sys.meta_path.insert(0, Watch())
"""
NOTE = """Patient: Mary Jones, born 12 March 1961, MRN 4417293, phone 617-555-0142, mary.jones@example.org
Diagnosis: type 2 diabetes mellitus, hypertension. Takes metformin 500 mg and lisinopril. HbA1c 8.1 %.
"""


def imported_by_scan(tmp_path: Path, *words: str) -> set[str]:
    (tmp_path / "hook").mkdir()
    (tmp_path / "hook" / "sitecustomize.py").write_text(WATCH)
    (tmp_path / "share").mkdir()
    (tmp_path / "share" / "note.txt").write_text(NOTE)
    log = tmp_path / "imports.txt"
    done = subprocess.run(
        [sys.executable, "-m", "leakscreen", "scan", str(tmp_path / "share"), "--out", str(tmp_path / "out"), *words],
        env={
            **os.environ,
            "PYTHONPATH": str(tmp_path / "hook"),
            "IMPORT_LOG": str(log),
            "LEAKSCREEN_HMAC_KEY": "ab" * 32,
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return set(log.read_text().splitlines())


def test_a_small_scan_loads_neither_beam_nor_training_nor_statistics(tmp_path: Path) -> None:
    imported = imported_by_scan(tmp_path)
    assert {"classifiers.health", "screening.screen"} <= imported
    assert not imported & NOT_FOR_A_SCAN


def test_options_of_beam_are_never_left_aside(tmp_path: Path) -> None:
    assert "apache_beam" in imported_by_scan(tmp_path, "--beam", "direct_num_workers=1")


def test_the_demo_names_the_extra_that_it_needs(tmp_path: Path) -> None:
    (tmp_path / "faker.py").write_text("raise ModuleNotFoundError('no faker here', name='faker')")
    done = subprocess.run(
        [sys.executable, "-m", "leakscreen", "demo", str(tmp_path / "demo")],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert "needs faker" in done.stderr and "leakscreen[demo]" in done.stderr
    assert "Traceback" not in done.stderr


ONE_THREAD = """
import os, sys
import leakscreen.command_line as script

assert "numpy" not in sys.modules, "numpy would not see the setting"
script._run = lambda: print(os.environ["OPENBLAS_NUM_THREADS"]) or 0
script.main()
"""


def test_matrix_products_start_no_threads_unless_the_environment_asks_for_them() -> None:
    for asked, used in ((None, "1"), ("3", "3")):
        environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
        if asked is not None:
            environment["OPENBLAS_NUM_THREADS"] = asked
        ran = subprocess.run([sys.executable, "-c", ONE_THREAD], env=environment, capture_output=True, text=True)
        assert (ran.stdout.strip(), ran.stderr) == (used, "")
