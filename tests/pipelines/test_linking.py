"""Entries of one person are linked, those of twins and namesakes are not, and counts have an interval."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.errors import OutputError
from core.records import (
    FileRecord,
    FileRef,
    HealthVerdict,
    PersonKeys,
    PersonSeen,
    Role,
    Screening,
    Status,
)
from core.version import RESULTS_FORMAT
from pipelines.people.entries import ALL, REFERRED, read_entries
from pipelines.people.figures import figures_of, interval_of
from pipelines.people.link import link
from pipelines.results.folder import ScanFolder, unit_file
from pipelines.results.parquet import unit_parquet
from pipelines.results.people import PeopleFile
from screening.privacy.person_keys import Keyed, birth_of, plain_name, plain_number, sound_of
from screening.ruleset.ruleset import load_rules

KEYED = Keyed(b"k" * 32)
BITS = {each.id: each.value for each in load_rules().characteristics}


@dataclass(frozen=True)
class Row:
    """What is known of somebody in a file."""

    given: str = ""
    surname: str = ""
    born: str = ""
    health: str = ""
    record: str = ""
    phone: str = ""
    role: Role = Role.SUBJECT

    def seen(self) -> PersonSeen:
        given, surname, born = plain_name(self.given), plain_name(self.surname), birth_of(self.born)
        whole = "" if len(given) == 1 else given
        day = "-".join(map(str, born[1:])) if born else ""

        def numbers(kind: str, value: str) -> tuple[int, ...]:
            return (KEYED.of(kind, plain_number(kind, value)),) if value else ()

        keys = PersonKeys(
            given=KEYED.of("given", whole),
            given_sound=KEYED.of("given_sound", sound_of(whole)),
            given_initial=KEYED.of("given_initial", given[:1]),
            surname=KEYED.of("surname", surname),
            surname_sound=KEYED.of("surname_sound", sound_of(surname)),
            surname_head=KEYED.of("surname_head", surname[:3]),
            surname_tail=KEYED.of("surname_tail", surname[-3:]),
            birth=KEYED.of("birth", f"{born[0]}-{day}" if born else ""),
            birth_year=KEYED.of("birth_year", str(born[0]) if born else ""),
            birth_day=KEYED.of("birth_day", day),
            health_numbers=numbers("health_numbers", self.health),
            record_numbers=numbers("record_numbers", self.record),
            phones=numbers("phones", self.phone),
        )
        bits = BITS["last_name"] | (BITS["birth_date"] if born else 0)
        return PersonSeen(1, self.role, bits, "", (0,), keys, "CA", "ON", self.role is Role.SUBJECT)


def others(count: int = 300) -> list[Row]:
    """People who have nothing to do with each other, so that names have frequencies."""
    syllables = ("ba", "ko", "ri", "lem", "du", "sta", "vo", "ne")

    def name(number: int) -> str:
        return "".join(syllables[number // 8**place % 8] for place in range(4)).title()

    return [Row(name(n * 37), name(n * 91 + 5), f"{1930 + n % 80}-{n % 12 + 1}-{n % 28 + 1}") for n in range(count)]


def scan(folder: Path, files: dict[str, Sequence[Row]], source: str = "/srv", referred: bool = True) -> ScanFolder:
    scan = ScanFolder(str(folder / f"scan={source.strip('/')}"))
    for name in (scan.files, scan.people):
        Path(name).mkdir(parents=True)
    Path(scan.manifest).write_text(json.dumps({"format": RESULTS_FORMAT}))
    people, records = PeopleFile(), []
    for uri, rows in files.items():
        people.add(uri, [row.seen() for row in rows])
        ref = FileRef(uri, uri.encode(), 1, 1, source=source)
        screening, verdict = Screening(positive=referred), HealthVerdict(0.1, referred)
        records.append(FileRecord("x", ref, uri, None, 1, None, "a/b", Status.COMPLETE, "", 1, screening, verdict))
    people.write(str(Path(scan.people, unit_file(0))), None)
    Path(scan.files, unit_file(0)).write_bytes(unit_parquet(records, lambda _: {}))
    return scan


CHARLES = Row("Charles", "Sloan", "1970-03-12", health="1461088591")


@pytest.mark.parametrize(
    ("other", "same"),
    [
        (Row("Charles", "Sloan", "1970-03-12"), True),
        (Row("CHARLES", "SLOAN", "12.03.1970", phone="416 555 0143"), True),
        (Row("C.", "Sloan", "1970-03-12"), True),
        (Row("Charels", "Sloan", "1970-03-12"), True),
        (Row("Charles", "Sloane", "1970-03-12"), True),
        (Row("Charles", "Sloan", "1971-03-12"), True),  # the year mistyped
        (Row("Charles", "Miller", "1970-03-12", health="1461088591"), True),  # married
        (Row("", "", "1970-03-12", health="1461088591"), True),
        (Row("Charles", "Sloan"), True),  # a rare name
        (Row("Edgar", "Sloan", "1970-03-12", phone="416 555 0143"), False),  # a twin
        (Row("Charles", "Sloan", "1988-09-30"), False),  # a namesake
        (Row("Maria", "Tremblay", "1970-03-12"), False),
        (Row("Maria", "Tremblay", "1955-01-02", record="1461088591"), False),  # a number of another kind
    ],
)
def test_two_rows_are_of_one_person_or_not(tmp_path: Path, other: Row, same: bool) -> None:
    entries = read_entries([scan(tmp_path, {"/a": [CHARLES], "/b": [other], "/c": others()})])
    labels = link(entries).same
    assert (labels[0] == labels[1]) is np.bool_(same)
    assert len(np.unique(labels)) == (301 if same else 302)


def test_a_common_name_alone_is_weaker_than_a_rare_one(tmp_path: Path) -> None:
    smiths = [Row("John", "Smith", f"19{n}-01-{n % 28 + 1}") for n in range(10, 90)]
    entries = read_entries([scan(tmp_path, {"/a": [Row("John", "Smith")], "/b": smiths, "/c": others()})])
    counted = interval_of(link(entries))
    assert counted["at_most"] == 381
    assert counted["surely_distinct"] <= 380  # he may be any of the eighty
    assert counted["count"] <= 381


@pytest.mark.parametrize(
    "other",
    [
        Row("Wilhelmina", "Ferrant"),  # nobody knows of whom else this may be another name
        Row("", "Ferrant", health="9876543217"),  # half a name: a street, a town
    ],
)
def test_who_may_be_another_is_not_surely_distinct(tmp_path: Path, other: Row) -> None:
    entries = read_entries([scan(tmp_path, {"/a": [CHARLES, *others()], "/b": [other]})])
    counted = interval_of(link(entries))
    assert counted["surely_distinct"] <= 301 < 302 <= counted["at_most"]


def test_most_of_a_list_of_names_alone_are_surely_distinct(tmp_path: Path) -> None:
    names = [Row(row.given, row.surname) for row in others()]
    entries = read_entries([scan(tmp_path, {"/list": names, "/b": names[:20]})])
    assert interval_of(link(entries)) == {"count": 300, "surely_distinct": 255, "at_most": 300}


def test_doctors_and_others_are_not_counted_but_those_with_health_are(tmp_path: Path) -> None:
    doctor = Row("Dale", "Bryan", "", phone="416 555 0143", role=Role.PROFESSIONAL)
    entries = read_entries([scan(tmp_path, {"/a": [CHARLES, doctor]})])
    assert len(entries) == 1


def test_files_that_were_not_referred_count_only_if_asked_for(tmp_path: Path) -> None:
    folder = scan(tmp_path, {"/a": [CHARLES]}, referred=False)
    assert len(read_entries([folder], REFERRED)) == 0
    assert len(read_entries([folder], ALL)) == 1


def test_figures_of_two_sources_with_their_overlap(tmp_path: Path) -> None:
    one = scan(tmp_path, {"/one/a.csv": [CHARLES, *others(50)]}, "/one")
    two = scan(tmp_path, {"/two/b.csv": [CHARLES, *others(20)], "/two/sub/c.txt": [CHARLES]}, "/two")
    entries = read_entries([one, two])
    figures = figures_of(entries, link(entries), load_rules().characteristics)
    assert figures["people"] == {"count": 51, "surely_distinct": 51, "at_most": 51}
    assert figures["by_source"] == {"/one": 51, "/two": 21}
    assert figures["by_folder"] == {"/one": 51, "/two": 21, "/two/sub": 1}
    assert figures["by_file"][0] == {"uri": "/one/a.csv", "people": 51}
    assert figures["overlap"] == [{"sources": ["/one", "/two"], "people": 21}]
    assert figures["by_characteristic"] == {"last_name": 51, "birth_date": 51}
    assert figures["by_jurisdiction"] == {"CA-ON": 51}
    assert figures["most_exposed"][0]["files"] == 3
    assert figures["with_health"] == 51


def test_a_name_that_hundreds_have_is_hardly_one_more_person(tmp_path: Path) -> None:
    """Each of them has so little to do with it that no link leads there; all together they are nearly sure."""
    smiths = [
        Row("John", "Smith", f"{1930 + n // 4}-{n % 12 + 1:02}-{n % 28 + 1:02}", str(n + 10**9)) for n in range(300)
    ]
    files: dict[str, Sequence[Row]] = {f"/name {n}": [Row("John", "Smith")] for n in range(40)}
    files |= {f"/{copy}": smiths for copy in "abcd"} | {f"/{n}": others(100) for n in range(4)}
    counted = interval_of(link(read_entries([scan(tmp_path, files)])))
    assert counted["count"] == pytest.approx(400, rel=0.03)
    assert counted["at_most"] > 430


def test_nobody_is_no_error(tmp_path: Path) -> None:
    entries = read_entries([scan(tmp_path, {"/a": []})])
    linked = link(entries)
    assert interval_of(linked) == {"count": 0, "surely_distinct": 0, "at_most": 0}
    assert figures_of(entries, linked, load_rules().characteristics)["most_exposed"] == []


def test_results_before_people_were_counted_are_refused_by_name(tmp_path: Path) -> None:
    folder = scan(tmp_path, {"/a": [CHARLES]})
    Path(folder.manifest).write_text(json.dumps({"format": 3}))
    with pytest.raises(OutputError, match=r"scan=srv: was written before people were counted"):
        read_entries([folder])


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        (lambda file: file.write_bytes(file.read_bytes()[:300]), "is damaged or cannot be read"),
        (lambda file: pq.write_table(pa.table({"name": [1]}), file), "is damaged or cannot be read"),
        (Path.unlink, "is missing, so people cannot be counted"),
    ],
)
def test_people_that_cannot_be_read_are_one_sentence_and_never_nobody(
    tmp_path: Path, harm: Callable[[Path], object], said: str
) -> None:
    folder = scan(tmp_path, {"/a": [CHARLES]})
    harm(Path(folder.people, unit_file(0)))
    with pytest.raises(OutputError, match=said):
        read_entries([folder])
