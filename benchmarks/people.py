"""People counted and linked by a scan, against a generated share that knows them: `python -m benchmarks.people`.

Seeds below 100 were looked at while linking was written; judge by others. `--rows` measures linking of that many rows,
made without a scan, with time and memory; `--pairs` which of these rows are linked, and not the memory.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from core.records import FileRecord, FileRef, HealthVerdict, Role, Screening, Status
from leakscreen.demo.patients import Mentioned, make_patients
from pipelines.people.entries import REFERRED, Entries, read_entries
from pipelines.people.figures import interval_of
from pipelines.people.link import link
from pipelines.results.folder import ScanFolder, open_scan, unit_file
from pipelines.results.parquet import unit_parquet
from pipelines.results.people import PEOPLE_SCHEMA, PeopleFile
from screening.privacy.person_keys import Keyed, plain_name, plain_number

_KEY = b"k" * 32
_PATIENTS, _FILES = 300, 600
_ROWS_A_UNIT = 500_000
_ROWS_A_PERSON = 3.5


def measure_share(seed: int, patients: int, files: int) -> dict[str, Any]:
    """A real scan of a share of this seed, linked, against what the share knows."""
    with tempfile.TemporaryDirectory() as place:
        share, out = Path(place, "share"), Path(place, "out")
        mentioned = make_patients(share, patients=patients, files=files, seed=seed)
        scanned = subprocess.run(
            [sys.executable, "-m", "leakscreen", "scan", share, "--out", out, "--quiet"],
            env={**os.environ, "LEAKSCREEN_HMAC_KEY": _KEY.hex()},
        )
        if scanned.returncode not in (0, 3):
            sys.exit("the scan failed")
        entries = read_entries([open_scan(str(out))], REFERRED)
        labels = link(entries)
        truth = _truth(entries, mentioned)
    pairs = _pairs(labels.same, truth)
    known = {one.person for one in mentioned if one.is_patient}
    counted = interval_of(labels)
    return {
        "seed": seed,
        "people": len(known),
        **counted,
        "error": round(counted["count"] / len(known) - 1, 4),
        "inside": counted["surely_distinct"] <= len(known) <= counted["at_most"],
        "mentions": sum(one.is_patient for one in mentioned),
        "rows": len(entries),
        "rows_of_nobody": sum(one < 0 for one in truth),
        **pairs,
    }


def _truth(entries: Entries, mentioned: Sequence[Mentioned]) -> list[int]:
    """For each row the one in its file whose number, name and birth it has most of; negative for a row of nobody."""
    by_file: dict[str, list[Mentioned]] = defaultdict(list)
    for one in mentioned:
        by_file[one.uri].append(one)
    rows = _hashed_rows(entries)
    truth = []
    for number, row in enumerate(rows):
        keyed = [(_likeness(row, one), one.is_patient, one.person) for one in by_file.get(row["uri"], [])]
        best, _, person = max(keyed, default=(0, False, 0))
        truth.append(person if best >= 2 else -number - 1)
    return truth


def _hashed_rows(entries: Entries) -> Iterator[dict[str, Any]]:
    """The rows as they are in the files, in the order of the entries: each file's rows come in their order."""
    seen: Counter[int] = Counter()
    tables = {}
    for number in entries.file.tolist():
        uri = entries.files.uri(number)
        if uri not in tables:
            folder, name = entries.files.unit[int(entries.files.of_unit[number])]
            table = pq.read_table(Path(folder.people, name)).to_pylist()
            tables[uri] = [row for row in table if row["uri"] == uri and (row["role"] == Role.SUBJECT or row["health"])]
        yield tables[uri][seen[number]]
        seen[number] += 1


_keyed = Keyed(_KEY)


def _likeness(row: dict[str, Any], one: Mentioned) -> int:
    first = plain_name(one.first)
    born = f"{one.born.year}-{'-'.join(map(str, sorted((one.born.month, one.born.day))))}"
    number = _keyed.of("health_numbers", plain_number("health_numbers", one.card))
    return int(
        4 * (number in row["health_numbers"])
        + 2 * (row["surname"] == _keyed.of("surname", plain_name(one.last)))
        + 2 * (row["birth"] == _keyed.of("birth", born))
        + (row["given"] == _keyed.of("given", first))
        + (row["given_initial"] == _keyed.of("given_initial", first[:1]))
    )


def _pairs(labels: Any, truth: Sequence[int]) -> dict[str, Any]:
    """Of pairs of rows that are linked, how many are of one person, and the other way round."""
    linked, right, both = Counter(labels.tolist()), Counter(truth), Counter(zip(labels.tolist(), truth, strict=True))
    choose = [sum(count * (count - 1) // 2 for count in counter.values()) for counter in (linked, right, both)]
    return {
        "pairs_linked": choose[0],
        "pairs_true": choose[1],
        "pairs_right": choose[2],
        "precision": choose[2] / choose[0] if choose[0] else None,
        "recall": choose[2] / choose[1] if choose[1] else None,
    }


def make_rows(folder: Path, rows: int, seed: int, *, some_once: bool = False) -> int:
    """A scan's folder with about so many people rows, three and a half a person; returns the number of people.

    Hashes are made of numbers: 4,000 first names and 100,000 last names, a few of them common and most rare; each row
    has name, mostly birth, now and then a number or a phone, and the slips of a typist. People have two to five rows
    each, or one and more, the fewer people the more rows, so that 29 % have a single one.
    """
    dice = np.random.default_rng(seed)
    scan = ScanFolder(str(folder))
    for name in (scan.files, scan.people):
        Path(name).mkdir(parents=True)
    Path(scan.manifest).write_text(json.dumps({"format": 4}))
    people = 0
    for unit in range(max(1, rows // _ROWS_A_UNIT)):
        count = int(min(rows, _ROWS_A_UNIT) / _ROWS_A_PERSON)
        uri, file = f"/srv/{unit % 7}/{unit}.csv", PeopleFile()
        times = dice.geometric(1 / _ROWS_A_PERSON, count) if some_once else dice.integers(2, 6, count)
        file.add_table(_unit_of_people(dice, times, people, uri))
        file.write(str(Path(scan.people, unit_file(unit))), None)
        _write_record(scan, unit, uri)
        people += count
    return people


def _unit_of_people(dice: np.random.Generator, times: Any, start: int, uri: str) -> pa.Table:
    """`identity` is the number of the person: the truth."""
    person = np.repeat(np.arange(start, start + len(times)), times)
    size = len(person)

    def of_person(kind: int, values: int) -> Any:
        return _mixed(person, kind) % np.uint64(values)

    def chance(share: float) -> Any:
        return dice.random(size) < share

    uniform = of_person(1, 1 << 53).astype(float) / (1 << 53)
    given = (4_000 * uniform**3).astype(np.uint64)
    surname = (100_000 * (of_person(2, 1 << 53).astype(float) / (1 << 53)) ** 3).astype(np.uint64)
    surname[chance(0.015)] += np.uint64(100_000)  # maiden names
    slip_given, slip_surname, initial = chance(0.04), chance(0.04), chance(0.06)
    year, day = of_person(3, 90), of_person(4, 365)
    year[chance(0.0075)] += np.uint64(1)
    day[chance(0.0075)] += np.uint64(1)
    no_birth = chance(0.2)
    written = {
        "given": _mixed(
            given + np.uint64(1 << 32) * slip_given.astype(np.uint64) * _mixed(dice.integers(0, 1 << 30, size), 9), 11
        ),
        "given_sound": _mixed(given // np.uint64(3) + (1 << 40) * (slip_given & chance(0.4)), 12),
        "given_initial": _mixed(given % np.uint64(20), 13),
        "surname": _mixed(
            surname + np.uint64(1 << 32) * slip_surname.astype(np.uint64) * _mixed(dice.integers(0, 1 << 30, size), 9),
            14,
        ),
        "surname_sound": _mixed(surname // np.uint64(8) + (1 << 40) * (slip_surname & chance(0.4)), 15),
        "surname_head": _mixed(surname % np.uint64(3_000), 16),
        "surname_tail": _mixed(surname % np.uint64(3_001), 17),
        "birth": _mixed(year * np.uint64(1_000) + day, 18),
        "birth_year": _mixed(year, 19),
        "birth_day": _mixed(day, 20),
    }
    absent = {
        "given": initial,
        "given_sound": initial,
        "birth": no_birth,
        "birth_year": no_birth,
        "birth_day": no_birth,
    }
    columns: dict[str, Any] = {
        name: pa.array(hashes, pa.uint64(), mask=absent.get(name)) for name, hashes in written.items()
    }
    lists = {"record_numbers": (21, 0.3), "health_numbers": (22, 0.3), "phones": (23, 0.5)}
    for name in ("record_numbers", "health_numbers", "national_numbers", "phones", "emails", "addresses"):
        kind, share = lists.get(name, (0, 0.0))
        columns[name] = _list(_mixed(person, kind), chance(share))
    told: dict[str, Any] = {
        "uri": uri,
        "role": "subject",
        "bits": 3,
        "health": True,
        "known": False,
        "place": "",
        "mentions": 1,
    }
    told |= {"country": "CA", "region": "ON"}
    columns |= {name: pa.array(np.repeat(value, size)) for name, value in told.items()}
    columns |= {"person": pa.array(np.arange(1, size + 1)), "identity": pa.array(person)}
    return pa.table([columns[field.name].cast(field.type) for field in PEOPLE_SCHEMA], schema=PEOPLE_SCHEMA)


def _mixed(values: Any, kind: int) -> Any:
    """Numbers -> numbers that look like hashes (splitmix64)."""
    with np.errstate(over="ignore"):
        mixed = values.astype(np.uint64) + np.uint64(kind) * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return mixed ^ (mixed >> np.uint64(31)) | np.uint64(1)


def _list(values: Any, present: Any) -> pa.Array:
    offsets = np.concatenate(([0], np.cumsum(present)))
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.array(values[present], pa.uint64()))


def _write_record(scan: ScanFolder, unit: int, uri: str) -> None:
    ref = FileRef(uri, uri.encode(), 1, 1, source="/srv")
    screening, verdict = Screening(positive=True), HealthVerdict(0.1, True)
    record = FileRecord("x", ref, uri, None, 1, None, "text/csv", Status.COMPLETE, "", 1, screening, verdict)
    Path(scan.files, unit_file(unit)).write_bytes(unit_parquet([record], lambda _: {}))


_LINK = """
import json, resource, sys, time
from pipelines.people.entries import read_entries
from pipelines.people.figures import figures_of
from pipelines.people.link import link
from pipelines.results.folder import ScanFolder
from screening.ruleset.ruleset import load_rules
began = time.monotonic()
scans, kinds = [ScanFolder(sys.argv[1])], load_rules().characteristics
if sys.argv[2]:
    from core.settings import ScanSettings
    from pipelines.people.in_beam import link_in_beam
    figures = link_in_beam(scans, kinds, ScanSettings(runner=sys.argv[2]), int(sys.argv[3])).figures
else:
    entries = read_entries(scans)
    figures = figures_of(entries, link(entries), kinds)
used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(json.dumps({"rows": figures["rows"], **figures["people"], "seconds": round(time.monotonic() - began, 1),
    "cpu_seconds": round(sum(one.ru_utime + one.ru_stime for one in used), 1),
    "megabytes": used[0].ru_maxrss // 1024, "megabytes_of_largest_worker": used[1].ru_maxrss // 1024}))
"""


def measure_rows(given: argparse.Namespace) -> dict[str, Any]:
    """In one process, or by Beam where a runner is named."""
    with tempfile.TemporaryDirectory() as place:
        scan = given.scan or Path(place, "scan=x")
        made = not scan.exists()
        people = make_rows(scan, given.rows, given.rows_seed, some_once=given.some_once) if made else None
        command = [sys.executable, "-c", _LINK, scan, given.runner, str(given.workers)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        pairs = _pairs_of_rows(scan) if given.pairs else {}
    return {"people": people, "runner": given.runner, "workers": given.workers, **json.loads(done.stdout), **pairs}


def _pairs_of_rows(scan: Path) -> dict[str, Any]:
    entries = read_entries([ScanFolder(str(scan))], with_identity=True)
    return _pairs(link(entries).same, entries.identity.tolist())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="*", default=[])
    parser.add_argument("--patients", type=int, default=_PATIENTS)
    parser.add_argument("--files", type=int, default=_FILES)
    parser.add_argument("--rows", type=int, default=0)
    parser.add_argument("--rows-seed", type=int, default=5)
    parser.add_argument("--some-once", action="store_true", help="some people have one row, others many")
    parser.add_argument("--pairs", action="store_true", help="precision and recall of the rows, too")
    parser.add_argument("--runner", default="", help="a Beam runner for --rows, such as local")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--scan", type=Path, help="where the rows are, or are to be made")
    given = parser.parse_args()
    for seed in given.seeds:
        print(json.dumps(measure_share(seed, given.patients, given.files)))
    if given.rows:
        print(json.dumps(measure_rows(given)))


if __name__ == "__main__":
    main()
