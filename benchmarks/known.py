"""Known people by exact match: bytes, memory, false matches, recall and cost: `python -m benchmarks.known`."""

import argparse
import csv
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any

import pyarrow.parquet as pq

from leakscreen.demo.patients import make_patients, population

_KEY = "6b" * 32
_COLUMNS = ("card", "name", "birth_date", "phone")


def leakscreen(*words: str | Path) -> dict[str, Any]:
    """CPU seconds and megabytes of the command and its workers."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-m", "leakscreen", *map(str, words)],
        env={**os.environ, "LEAKSCREEN_HMAC_KEY": _KEY},
        capture_output=True,
        text=True,
    )
    if done.returncode not in (0, 3):
        sys.exit(done.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"cpu_seconds": round(cpu, 1), "megabytes": after.ru_maxrss // 1024, "out": done.stdout}


def write_list(path: Path, rows: int, patients: int = 0, seed: int = 0) -> None:
    """The patients of a share, and others with numbers and names as such lists have them."""
    dice = Random(5)
    names = population(Random(6), 2_000)
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(_COLUMNS)
        if patients:
            for person in population(Random(seed), patients):
                writer.writerow((person.health_card.partition(": ")[2], person.name, person.born, person.phone))
        for _ in range(rows - patients):
            one, other, third = dice.choice(names), dice.choice(names), dice.choice(names)
            card = dice.choice((f"{dice.getrandbits(40) % 10**10:010}", f"{dice.randrange(10**6, 10**8)}"))
            born = f"{dice.randrange(1930, 2022)}-{dice.randrange(1, 13):02}-{dice.randrange(1, 29):02}"
            writer.writerow((card, f"{one.first} {other.last}", born, third.phone))


def build(path: Path, out: Path) -> dict[str, Any]:
    used = leakscreen(
        "known", "build", path, "--key", "card", "--with", "name,birth_date,phone", "--out", out, "--json"
    )
    return {**json.loads(used.pop("out")), **used}


def scan(share: Path, out: Path, index: Path | None) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    listed = ("--set", f"rules.known_file={index}") if index else ()
    used = leakscreen("scan", share, "--out", out, "--quiet", "--workers", "1", *listed)
    (folder,) = out.glob("scan=*")
    rows = [
        row
        for file in sorted((folder / "files").iterdir())
        for row in pq.read_table(file, columns=["uri", "known", "chars"]).to_pylist()
    ]
    return used, rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", type=int, default=0, help="rows of a list to index, for size and memory")
    parser.add_argument(
        "--seeds", type=int, nargs="*", default=[], help="shares whose patients are in a list of 1 million"
    )
    parser.add_argument("--harmless", type=Path, help="a folder in which nobody of the list can be")
    parser.add_argument("--list", type=int, default=1_000_000)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        if given.build:
            write_list(folder / "list.csv", given.build)
            print(json.dumps({"build": build(folder / "list.csv", folder / "index")}))
        for seed in given.seeds:
            print(json.dumps(_share(folder / str(seed), seed, given.list)))
        if given.harmless:
            write_list(folder / "list.csv", given.list)
            build(folder / "list.csv", folder / "index")
            _, rows = scan(given.harmless, folder / "harmless", folder / "index")
            found = sum(row["known"] or 0 for row in rows)
            print(
                json.dumps({"harmless": len(rows), "chars": sum(row["chars"] for row in rows), "false_matches": found})
            )


def _share(folder: Path, seed: int, listed: int) -> dict[str, Any]:
    """Recall counts patients of files that hold their number: all templates but the mail to a colleague do."""
    folder.mkdir()
    mentioned = make_patients(folder / "share", patients=300, files=400, seed=seed)
    write_list(folder / "list.csv", listed, 300, seed)
    built = build(folder / "list.csv", folder / "index")
    times: dict[str, list[float]] = {"without": [], "with": []}
    for turn in range(2):
        for name, index in (("without", None), ("with", folder / "index")):
            used, rows = scan(folder / "share", folder / f"{name}{turn}", index)
            times[name].append(used["cpu_seconds"])
    known = {row["uri"]: row["known"] or 0 for row in rows}
    there = [one for one in mentioned if one.is_patient and "colleague-mail" not in one.uri]
    wanted = len(there)
    found = sum(min(known[uri], sum(one.uri == uri for one in there)) for uri in {one.uri for one in there})
    cost = min(times["with"]) / min(times["without"])
    return {
        "seed": seed,
        "list": built["indexed"],
        "wanted": wanted,
        "found": found,
        "recall": round(found / wanted, 4),
        "more_than_wanted": sum(known.values()) - found,
        "cpu_seconds": times,
        "cost": round(cost, 3),
    }


if __name__ == "__main__":
    main()
