"""The folder for the next scan has the units' records in few files, and says whether they can be copied as they are."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from core.records import FileRef
from pipelines.plan.arrow_file import PLAN_SCHEMA, batch_of_refs
from pipelines.rescan import next_scan as again
from pipelines.rescan import record_batches as record_batches
from pipelines.rescan.scan_id_patch import RecordsFingerprint
from pipelines.results.folder import ScanFolder, carried_file, unit_file
from pipelines.results.parquet import carried_parquet
from pipelines.results.people import PeopleFile, people_batches
from pipelines.results.schema import SCHEMA
from tests.pipelines.test_people import PERSON

UNITS, FILES = 60, 61
KEY = b"k" * 32
SUMMARY = {"records": 3 * FILES, "stages": {"extract": {"seconds": 1.5, "bytes": 9}}}


def record(uri: str, **told: Any) -> dict[str, Any]:
    empty = {field.name: None for field in SCHEMA}
    known = {
        "scan_id": "1",
        "uri": uri,
        "size": 1,
        "status": "complete",
        "reason": "",
        "media_type": "text/plain",
        "rules": [],
    }
    flags = {"screened_positive": False, "referred": False, "suppressed": [], "risk": "none"}
    return {**empty, **known, **flags, **told}


def make(folder: Path, **told: Any) -> ScanFolder:
    """Sixty units of three records and one file of carried ones; `told` is of the last record of the first unit."""
    scan = ScanFolder(str(folder / "scan=1"))
    Path(scan.files).mkdir(parents=True)
    Path(scan.people).mkdir()
    with pa.OSFile(scan.plan, "wb") as sink, pa.ipc.new_file(sink, PLAN_SCHEMA) as plan:
        for number in range(FILES):
            uris = [f"{number}-{row}" for row in range(3)]
            plan.write_batch(batch_of_refs([FileRef(uri=uri, path=uri.encode(), size=1, mtime_ns=1) for uri in uris]))
            name = unit_file(number) if number < UNITS else carried_file(0)
            rows = [record(uri, **(told if uri == "0-2" else {})) for uri in uris]
            people = PeopleFile()
            people.add(uris[0], [PERSON])
            people.write(str(Path(scan.people, name)), KEY)
            Path(scan.files, name).write_bytes(carried_parquet(pa.Table.from_pylist(rows, SCHEMA), {}))
    return scan


def manifest() -> dict[str, Any]:
    walk: dict[str, Any] = {"units": UNITS, "files": 3 * FILES, "bytes": 3 * FILES, "sample": None, "passed_over": {}}
    return {"scan_id": "1", "walk": walk, "likeness": {"walk": "abc", "records": None}}


@pytest.fixture(autouse=True)
def few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_batches, "RECORDS_AT_ONCE", 100)


def uris(folder: ScanFolder, units: int, wanted: list[int]) -> list[tuple[int, int, list[str]]]:
    return [
        (part.first, part.end, part.records["uri"].to_pylist())
        for part in record_batches.record_batches(folder, units, wanted)
    ]


def test_the_units_are_gathered_into_few_files_with_a_plan_of_their_own(tmp_path: Path) -> None:
    folder = make(tmp_path)
    before = [uri for _, _, found in uris(folder, UNITS, list(range(FILES))) for uri in found]
    again.prepare_next_scan(folder, manifest(), SUMMARY, KEY)
    assert folder.again.unit_names() == [carried_file(number) for number in range(3)]
    assert [(first, end) for first, end, _ in uris(folder.again, 0, [0, 1, 2])] == [(0, 1), (1, 3)]
    assert [uri for _, _, found in uris(folder.again, 0, [0, 1, 2]) for uri in found] == before
    with pa.memory_map(folder.again.plan) as source, pa.ipc.open_file(source) as plan:
        batches = [plan.get_batch(number)["uri"].to_pylist() for number in range(plan.num_record_batches)]
    assert batches == [before[:102], before[102:180], before[180:]]
    people = [
        row["uri"] for rows in people_batches(folder.again, folder.again.people_names()) for row in rows.to_pylist()
    ]
    assert people == [f"{number}-0" for number in range(FILES)]
    assert Path(folder.again.plan).stat().st_mode & 0o777 == 0o600


def test_it_tells_of_a_scan_that_read_nothing(tmp_path: Path) -> None:
    folder = make(tmp_path)
    again.prepare_next_scan(folder, manifest(), SUMMARY, KEY)
    told, summary = folder.again.read_manifest(), folder.again.read_summary()
    assert (told["walk"]["units"], told["walk"]["carried"]["files"], told["carried_from"]) == (0, 3 * FILES, "1")
    assert summary["stages"] == {"extract": {"seconds": 0.0, "bytes": 0}}
    assert summary["carried"] == {"files": 3 * FILES, "records": 3 * FILES, "bytes": 3 * FILES, "from": "1"}
    found = RecordsFingerprint()
    for name in folder.again.unit_names():
        found.add(Path(folder.again.files, name).read_bytes(), "1")
    assert told["likeness"] == {"walk": "abc", "records": found.sha256}


@pytest.mark.parametrize(
    "told",
    [
        {"status": "failed", "reason": "corrupt"},
        {"status": "unreadable"},
        {"status": "partial", "reason": "timed out after 3 s"},
        {"screened_positive": True},
    ],
)
def test_what_a_next_scan_reads_again_is_not_carried_on(tmp_path: Path, told: dict[str, Any]) -> None:
    folder = make(tmp_path, **told)
    again.prepare_next_scan(folder, manifest(), SUMMARY, KEY)
    assert folder.again.read_manifest()["likeness"]["records"] is None


def test_what_an_interrupted_attempt_left_is_written_anew(tmp_path: Path) -> None:
    folder = make(tmp_path)
    left = Path(folder.uri, ".beginning-again", "files")
    left.mkdir(parents=True)
    for number in range(3):
        (left / carried_file(number)).write_bytes(b"half")
    again.prepare_next_scan(folder, manifest(), SUMMARY, KEY)
    assert len(uris(folder.again, 0, [0, 1, 2])) == 2
    assert not left.exists()


def test_a_scan_that_read_nothing_and_a_sample_need_none(tmp_path: Path) -> None:
    folder = make(tmp_path)
    for walk in ({"units": 0}, {"sample": {"drawn": 1}}):
        again.prepare_next_scan(folder, {**manifest(), "walk": {**manifest()["walk"], **walk}}, SUMMARY, KEY)
    assert not Path(folder.again.uri).exists()
