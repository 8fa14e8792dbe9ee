"""The list for letters, against files whose people and addresses are known: `python -m benchmarks.addressees`.

Seeds below 100 were looked at while the list was mended; judge by others.
"""

import argparse
import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from core.settings import load_settings
from leakscreen.breach.addressees import addressees
from leakscreen.demo.people import Person, make_people
from pipelines.results.folder import open_scan

_LAYOUTS = Path(__file__).parent / "data" / "addressee_layouts.toml"
_KEY = "6b" * 32
_OUTCOMES = ("right", "in part", "other's", "missing", "not listed")
_ROWS = 8  # patients of a table
_FILES = 12  # of a layout


@dataclass(frozen=True, slots=True)
class Expected:
    layout: str
    person: Person
    has_address: bool


def make_share(folder: Path, seed: int, files: int) -> list[Expected]:
    """Every patient is in one file alone."""
    dice = Random(seed)
    expected: list[Expected] = []
    folder.mkdir()
    for number, layout in enumerate(tomllib.loads(_LAYOUTS.read_text("utf-8"))["layout"]):
        for file in range(files):
            people = make_people(dice, _ROWS + 3)
            if "row" in layout:
                patients = people[:_ROWS]
                lines = [layout["heading"], *(layout["row"].format(**_fields(person)) for person in patients)]
                content, ending = "\n".join(lines) + "\n", "csv"
            else:
                at = file % 3  # so that every country is there
                patients = people[at : at + 1]
                content, ending = layout["text"].lstrip().format(**_around(people[at], people[_ROWS:])), "txt"
            (folder / f"{number:02}-{file:03}.{ending}").write_text(content)
            expected += [Expected(layout["id"], person, layout["address"] == "own") for person in patients]
    return expected


def _fields(person: Person, prefix: str = "") -> dict[str, str]:
    names = ("name", "first", "last", "formal", "street", "city", "postcode", "phone", "record")
    fields = {f"{prefix}{name}": str(getattr(person, name)) for name in names}
    return {**fields, f"{prefix}born": str(person.born), f"{prefix}card": person.health_card}


def _around(person: Person, others: tuple[Person, ...]) -> dict[str, str]:
    clinic, relative, doctor = others
    around = {**_fields(clinic, "clinic_"), **_fields(relative, "relative_")}
    return {
        **_fields(person),
        **around,
        "clinic": f"{clinic.last} Medical Centre",
        "relative": relative.name,
        "doctor": doctor.name,
    }


def measure(seed: int, files: int, show: bool) -> dict[str, Any]:
    os.environ["LEAKSCREEN_HMAC_KEY"] = _KEY
    with tempfile.TemporaryDirectory() as place:
        share, out = Path(place, "share"), Path(place, "out")
        expected = make_share(share, seed, files)
        scanned = subprocess.run([sys.executable, "-m", "leakscreen", "scan", share, "--out", out, "--quiet"])
        if scanned.returncode not in (0, 3):
            sys.exit("the scan failed")
        made = addressees([open_scan(str(out))], None, load_settings({}, environ=dict(os.environ)))
    lines = {_words(line["name"]): line for line in csv.DictReader(io.StringIO(made.content.decode()))}
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for one in expected:
        line = lines.get(_words(one.person.name))
        found = _outcome(one, line)
        counts[one.layout][found] += 1
        if show and found != "right":
            told = (line["address"], line["other addresses"], line["note"]) if line else ()
            print(one.layout, "|", found, "|", one.person.name, "|", one.person.address, "|", *told, file=sys.stderr)
    return {
        "seed": seed,
        "lines": len(lines),
        "with_address": _summed(counts, {one.layout for one in expected if one.has_address}),
        "without": _summed(counts, {one.layout for one in expected if not one.has_address}),
        "by_layout": {name: dict(found) for name, found in counts.items()},
    }


def _outcome(one: Expected, line: dict[str, str] | None) -> str:
    if line is None:
        return "not listed"
    address = _plain(line["address"])
    if not one.has_address:
        return "other's" if address else "right"
    if not address:
        return "missing"
    parts = [
        _plain(part) in address for part in (one.person.street, one.person.city.split(",")[0], one.person.postcode)
    ]
    return "right" if all(parts) else "in part" if any(parts) else "other's"


def _words(name: str) -> frozenset[str]:
    """In any order: the list has names as they are written."""
    return frozenset(_plain(name).split())


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", text).strip().casefold()


def _summed(counts: dict[str, Counter[str]], layouts: set[str]) -> dict[str, int]:
    total = sum((counts[name] for name in layouts), Counter())
    return {"people": total.total(), **{name: total[name] for name in _OUTCOMES}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", required=True)
    parser.add_argument("--files", type=int, default=_FILES, help="of each layout")
    parser.add_argument("--show", action="store_true", help="every address that is not right")
    given = parser.parse_args()
    for seed in given.seeds:
        print(json.dumps(measure(seed, given.files, given.show), indent=1))


if __name__ == "__main__":
    main()
