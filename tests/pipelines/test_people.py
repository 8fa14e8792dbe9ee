"""People of a unit are written as keyed rows, whole and sealed, and people of several windows are one."""

import io
import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from core.person_columns import PERSON_COLUMNS
from core.records import Candidate, Passage, PersonKeys, PersonSeen, Role
from pipelines.results.folder import ScanFolder
from pipelines.results.people import PEOPLE_SCHEMA, PeopleFile, people_batches
from pipelines.results.seal import is_intact, key_of_seals, seal_file, with_seal
from pipelines.stages.people import PeopleOfWindows, identified, with_health

KEY = key_of_seals(b"k" * 32)
KEYS = PersonKeys(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, (11,), (12,), (13,), (14, 15), (16,), (17,))
PERSON = PersonSeen(2**64 - 1, Role.SUBJECT, 7, "row 3", (40, 90), KEYS, "CA", "ON", health=True)
NAMED = PersonSeen(5, Role.PROFESSIONAL, 1, "", (4,), PersonKeys(given=1))


def written(tmp_path: Path, people: PeopleFile) -> Path:
    people.write(str(tmp_path / "unit.parquet"), KEY)
    return tmp_path / "unit.parquet"


def test_every_value_of_a_person_is_in_its_row_and_what_is_unknown_is_null(tmp_path: Path) -> None:
    people = PeopleFile()
    assert people.add("/a", [PERSON, NAMED]) == 1  # a doctor is nobody whom the file concerns
    first, second = pq.read_table(written(tmp_path, people)).to_pylist()
    assert first == {
        "uri": "/a",
        "person": 1,
        "identity": 2**64 - 1,
        "role": "subject",
        "bits": 7,
        "health": True,
        "known": False,
        "place": "row 3",
        "mentions": 2,
        "country": "CA",
        "region": "ON",
        **KEYS._asdict(),
        **{name: list(value) for name, value in KEYS._asdict().items() if isinstance(value, tuple)},
    }
    assert (second["person"], second["given"], second["surname"], second["country"]) == (2, 1, None, None)
    assert second["phones"] == []


def test_every_key_of_a_person_has_a_column() -> None:
    assert set(PersonKeys._fields) < {column.name for column in PERSON_COLUMNS}


def test_a_unit_without_people_has_a_sealed_file_without_rows(tmp_path: Path) -> None:
    file = written(tmp_path, PeopleFile())
    assert pq.read_table(file).schema.equals(PEOPLE_SCHEMA) and pq.read_metadata(file).num_rows == 0
    assert is_intact(file.read_bytes(), KEY)


@pytest.mark.parametrize("rows", [1, 20_000])
def test_a_file_is_sealed_in_its_place_as_it_would_be_in_memory(tmp_path: Path, rows: int) -> None:
    people = PeopleFile()
    people.add("/a", [PERSON._replace(identity=number) for number in range(rows)])
    people.write(str(tmp_path / "unit.parquet"), None)
    plain = (tmp_path / "unit.parquet").read_bytes()
    file = io.BytesIO(plain)
    seal_file(file, KEY)
    assert file.getvalue() == with_seal(plain, KEY)
    assert is_intact(file.getvalue(), KEY)
    with pytest.raises(ValueError, match="without room"):
        seal_file(io.BytesIO(b"PAR1" * 9), KEY)


def test_rows_come_back_unit_by_unit_and_older_results_have_none(tmp_path: Path) -> None:
    folder = ScanFolder(str(tmp_path))
    assert list(people_batches(folder, ["unit.parquet"])) == []
    (tmp_path / "people").mkdir()
    people = PeopleFile()
    people.add("/a", [PERSON] * 3)
    people.write(str(tmp_path / "people" / "unit.parquet"), KEY)
    (table,) = people_batches(folder, folder.people_names(), ["person"])
    assert table["person"].to_pylist() == [1, 2, 3]


MANY = """
import resource, sys
from pipelines.results.people import PeopleFile
from tests.pipelines.test_people import PERSON
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
people = PeopleFile()
for window in range(40):
    people.add("/a", (PERSON._replace(identity=window * 10_000 + number) for number in range(10_000)), window * 10_000)
people.write(sys.argv[1], b"k" * 32)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


def test_memory_does_not_grow_with_the_people_of_a_unit(tmp_path: Path) -> None:
    file = tmp_path / "unit.parquet"
    grown = subprocess.run([sys.executable, "-c", MANY, file], capture_output=True, text=True, check=True, cwd=".")
    assert pq.read_metadata(file).num_rows == 400_000
    assert int(grown.stdout) < 120  # megabytes; 400,000 people as objects are 300


def candidate(start: int, end: int, person: int, role: Role = Role.SUBJECT) -> Candidate:
    return Candidate(Passage(start, end, "row 1"), role, person, 0, ())


@pytest.mark.parametrize(
    ("role", "mentions", "has_health"),
    [
        (Role.SUBJECT, (5, 150), True),
        (Role.SUBJECT, (5, 250), False),
        (Role.RELATIVE, (199,), False),  # next of kin to a patient
        (Role.RELATIVE, (399,), True),  # father and mother of whoever writes
        (Role.PROFESSIONAL, (150,), False),
        (Role.OTHER, (120,), True),  # of whom the passage is
        (Role.OTHER, (130,), False),
        (Role.SUBJECT, (200,), False),  # the passage has ended
    ],
)
def test_health_stands_with_the_subjects_of_a_positive_passage(
    role: Role, mentions: tuple[int, ...], has_health: bool
) -> None:
    person = PERSON._replace(role=role, mentions=mentions, health=False)
    (after,) = with_health([person], [candidate(100, 200, 120), candidate(300, 400, 310, Role.RELATIVE)])
    assert after.health is has_health
    assert with_health([person], []) == (person,)


def test_a_name_alone_is_nobody_in_a_text_that_tells_of_nobodys_health() -> None:
    named, known = (PERSON._replace(identity=n, is_name_alone=True, known=n == 2) for n in (1, 2))
    assert list(identified([PERSON, named, known])) == [PERSON, known]
    windows = PeopleOfWindows()
    for people in ([PERSON], [named], [named._replace(identity=3)], [named._replace(identity=3, is_name_alone=False)]):
        windows.add(people)
    assert [person.identity for person in windows.take(is_health=False)] == [PERSON.identity, 3]


def test_a_person_of_two_windows_is_one_with_what_both_tell() -> None:
    windows = PeopleOfWindows()
    first = PERSON._replace(health=False, bits=1, role=Role.OTHER, keys=PersonKeys(phones=(1,)), country="", region="")
    second = PERSON._replace(bits=2, keys=PersonKeys(given=9, phones=(2, 1)))
    assert windows.add([first]) == windows.add([second]) == []
    (joined,) = windows.take()
    assert (joined.bits, joined.health, joined.role, joined.country) == (3, True, Role.SUBJECT, "CA")
    assert joined.keys == PersonKeys(given=9, phones=(1, 2))
    assert len(joined.mentions) == 4
    assert list(windows.take()) == []


def test_people_beyond_those_that_fit_are_handed_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipelines.stages.people.MOST_JOINED", 2)
    windows = PeopleOfWindows()
    people = [PERSON._replace(identity=number) for number in (1, 2, 3, 1)]
    assert [person.identity for person in windows.add(people)] == [3]
    assert [person.identity for person in windows.take()] == [1, 2]
