"""Planted values of people -> none is in results, exports, logs or temporary files, and none can be dumped."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq

from benchmarks.attack.case import Tried
from tests.end_to_end.test_canary import letter, people, write

_KEY = "0123456789abcdef" * 4


def canaries() -> Iterator[Tried]:
    planted = people()
    with tempfile.TemporaryDirectory() as name:
        place = Path(os.path.realpath(name))
        for folder in ("share", "home", "tmp"):
            (place / folder).mkdir()
        for index, person in enumerate(planted):
            write(place / "share", index, letter(person))
        said = [_leakscreen(place, "scan", str(place / "share"), "--out", str(place / "out"), "--workers", "1")]
        (scan,) = (place / "out").glob("scan=*")
        said += [
            _leakscreen(place, "export", str(scan), "--all", "--format", form) for form in ("jsonl", "csv", "sarif")
        ]
        said += [_leakscreen(place, "refer", str(scan)), _leakscreen(place, "report", str(scan), "--json")]
        rows = "\n".join(str(pq.read_table(unit).to_pylist()) for unit in scan.rglob("*.parquet"))
        files = [path.read_bytes() for path in place.rglob("*") if path.is_file() and "share" not in path.parts]
    places = {"rows": rows, "output": "\n".join(said), "files": b"\n".join(files).decode("latin-1")}
    for person in planted:
        for kind, value in person.items():
            if kind == "name":
                value = value.split()[-1]
            leaked = [where for where, text in places.items() if value.casefold() in text.casefold()]
            yield Tried(f"{kind} of person {planted.index(person)} in {', '.join(leaked) or 'nothing'}", not leaked)
    yield Tried("the scan read the files", rows.count("'referred': True") >= len(planted) // 2)


def _leakscreen(place: Path, *words: str) -> str:
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("LEAKSCREEN_")},
        "HOME": str(place / "home"),
        "TMPDIR": str(place / "tmp"),
        "LEAKSCREEN_HMAC_KEY": _KEY,
        "LEAKSCREEN_SECRET_KEY": _KEY,
        "LEAKSCREEN_LOG_FORMAT": "json",
    }
    done = subprocess.run(
        [sys.executable, "-m", "leakscreen", *words], env=environment, capture_output=True, text=True, timeout=400
    )
    return done.stdout + done.stderr
