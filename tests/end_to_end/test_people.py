"""A scan writes one row for each person and file, without a value, and carries the rows over like records."""

import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import openpyxl
import pyarrow.parquet as pq
import pytest

from leakscreen.demo.patients import make_patients
from leakscreen.demo.people import Person, make_people
from tests.end_to_end.conftest import Run, rows_of

PATIENTS = 10_000
LETTER = "Patient: {name}, DOB: {born}, {card}. Phone {phone}. {she} has type 2 diabetes and takes metformin.\n"


def letter(person: Person) -> str:
    told = {"name": person.name, "born": person.born, "card": person.health_card, "phone": person.phone}
    return LETTER.format(**told, she=person.subject.capitalize())


def people_in(scan: Path) -> list[dict[str, Any]]:
    rows = [row for file in sorted((scan / "people").iterdir()) for row in pq.read_table(file).to_pylist()]
    return sorted(rows, key=lambda row: (row["uri"], row["person"]))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Two letters of one patient, one of another, and a page about nobody."""
    ann, bob = make_people(Random(1), 2)
    folder = tmp_path / "source"
    folder.mkdir()
    (folder / "a.txt").write_text(letter(ann))
    (folder / "b.txt").write_text(letter(ann) + "Follow-up in three weeks.\n")
    (folder / "c.txt").write_text(letter(bob))
    (folder / "copy of c.txt").write_text(letter(bob))
    (folder / "minutes.txt").write_text("The committee met on Tuesday and adjourned.\n")
    for file in folder.iterdir():  # older than the clock's tick, so that a next scan trusts them
        os.utime(file, (1_700_000_000, 1_700_000_000))
    return folder


def scan(leakscreen: Run, source: Path, out: Path, *words: str) -> Path:
    ran = leakscreen("scan", source, "--out", out, "--json", "--workers", "1", *words)
    assert ran.code == 0, ran.err
    return Path(ran.json["folder"])


def test_people_have_rows_by_which_they_are_known_again(leakscreen: Run, source: Path, tmp_path: Path) -> None:
    done = scan(leakscreen, source, tmp_path / "out")
    first, second, third = people_in(done)  # a copy has no rows of its own
    assert [Path(row["uri"]).name for row in (first, second, third)] == ["a.txt", "b.txt", "c.txt"]
    assert first["identity"] == second["identity"] != third["identity"]
    assert first["health_numbers"] == second["health_numbers"] != third["health_numbers"]
    assert all(row["role"] == "subject" and row["health"] for row in (first, second, third))
    counted = {Path(row["uri"]).name: row["people"] for row in rows_of(tmp_path / "out")}
    assert counted == {"a.txt": 1, "b.txt": 1, "c.txt": 1, "copy of c.txt": 1, "minutes.txt": 0}


def test_rows_are_carried_over_whether_or_not_anything_changed(leakscreen: Run, source: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    before = people_in(scan(leakscreen, source, out))
    assert people_in(scan(leakscreen, source, out)) == before  # copied
    (source / "c.txt").write_text("Nothing here any more.\n")
    (source / "copy of c.txt").unlink()
    (source / "new").mkdir()
    (source / "b.txt").rename(source / "new" / "b.txt")
    after = people_in(scan(leakscreen, source, out))
    assert [row["uri"] for row in after] == [str(source / "a.txt"), str(source / "new" / "b.txt")]
    assert [row["identity"] for row in after] == [row["identity"] for row in before[:2]]


@pytest.mark.parametrize("harm", ["changed", "removed"])
def test_changed_or_missing_people_show(leakscreen: Run, source: Path, tmp_path: Path, harm: str) -> None:
    done = scan(leakscreen, source, tmp_path / "out")
    (file,) = (done / "people").iterdir()
    if harm == "removed":
        file.unlink()
    else:
        content = bytearray(file.read_bytes())
        content[40] ^= 1
        file.write_bytes(content)
    refused = leakscreen("refer", done)
    assert refused.code == 2 and ("changed" in refused.err or "removed" in refused.err), refused.err


def test_a_unit_without_its_people_is_read_again_on_resume(leakscreen: Run, source: Path, tmp_path: Path) -> None:
    done = scan(leakscreen, source, tmp_path / "out")
    before = people_in(done)
    (done / "summary.json").unlink()
    shutil.rmtree(done / "again", ignore_errors=True)
    for file in (done / "people").iterdir():
        file.unlink()
    ran = leakscreen("scan", "--resume", "--out", tmp_path / "out", "--json")
    assert ran.code == 0, ran.err
    assert people_in(done) == before


def test_a_spreadsheet_of_ten_thousand_patients_has_ten_thousand(leakscreen: Run, tmp_path: Path) -> None:
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Patients")
    sheet.append(["MRN", "Last name", "First name", "Date of birth", "Diagnosis"])
    for number, person in enumerate(make_people(Random(2), PATIENTS)):
        sheet.append([4_000_000 + number, person.last, person.first, f"{person.born}", "type 2 diabetes mellitus"])
    source = tmp_path / "source"
    source.mkdir()
    book.save(source / "patients.xlsx")
    done = scan(leakscreen, source, tmp_path / "out")
    rows = people_in(done)
    (record,) = rows_of(tmp_path / "out")
    assert len(rows) == record["people"] == PATIENTS and len(record["evidence"]) == 50  # April Page among them
    assert sum(row["health"] for row in rows) >= 0.99 * PATIENTS
    assert len({row["identity"] for row in rows}) == len(rows)


def test_everybody_in_a_list_of_patients_counts(leakscreen: Run, tmp_path: Path) -> None:
    """Lists as people write them: a name and an illness, without any number."""
    source = tmp_path / "source"
    source.mkdir()
    people = make_people(Random(3), 46)
    illnesses = ("asthma", "COPD", "migraine", "pneumonia", "UTI", "breast cancer", "knee pain", "depression")
    lines = [f"{8 + at // 6}:{at % 6}0 {one.name} {illnesses[at % 8]}\n" for at, one in enumerate(people[:40])]
    (source / "appointments.txt").write_text("Monday list\n\n" + "".join(lines))
    six = [f"- {one.name}: {illness}\n" for one, illness in zip(people[40:], illnesses, strict=False)]
    (source / "watch tonight.txt").write_text("Ones to watch:\n" + "".join(six))
    scan(leakscreen, source, tmp_path / "out")
    long, short = sorted(rows_of(tmp_path / "out"), key=lambda row: str(row["uri"]))
    assert long["referred"] and long["strongest"].startswith("lines ")  # all forty together were clear
    assert 36 <= long["people"] <= 40
    assert short["referred"] and short["people"] == 6


def test_of_a_mixed_table_only_those_with_health_information_count(leakscreen: Run, tmp_path: Path) -> None:
    """Tickets of a help desk: twenty people, three of them ill."""
    source = tmp_path / "source"
    source.mkdir()
    ill = {
        4: "voice dictation after carpal tunnel surgery on both wrists",
        11: "home office during her chemotherapy for breast cancer",
        17: "shorter shifts, has epilepsy and takes levetiracetam",
    }
    told = ("printer jams", "password reset", "new laptop", "VPN drops", "calendar does not open")
    rows = [
        (5_000 + at, one.name, one.email, ill.get(at, told[at % 5]))
        for at, one in enumerate(make_people(Random(7), 20))
    ]
    table = "".join(f'{number};{name};{email};"{what}"\n' for number, name, email, what in rows)
    (source / "tickets.csv").write_text(f"ticket;requester;email;subject\n{table}")
    records = [dict(zip(("ticket", "user", "email", "text"), row, strict=True)) for row in rows]
    (source / "tickets.json").write_text(json.dumps({"tickets": records}, indent=1))
    done = scan(leakscreen, source, tmp_path / "out")
    assert all(row["referred"] for row in rows_of(tmp_path / "out"))
    ill_in = [Path(row["uri"]).name for row in people_in(done) if row["health"]]
    assert ill_in == ["tickets.csv"] * 3 + ["tickets.json"] * 3


def in_many_forms(folder: Path, people: Sequence[Person]) -> None:
    """The same patients as systems export them and as people list them, each form a file."""
    rows = [(f"44{n:05}", one.first, one.last, str(one.born)) for n, one in enumerate(people)]
    forms = {
        "names and illness.csv": "name,diagnosis\n" + "".join(f"{r[1]} {r[2]},asthma\n" for r in rows),
        "number first.txt": "".join(f"MRN: {r[0]}\nPatient: {r[1]} {r[2]}\nDOB: {r[3]}\nDx: asthma\n" for r in rows),
        "adt.hl7": "".join(
            f"MSH|^~\\&|ADT|GH|LAB|GH|20240101||ADT^A01|1|P|2.3\r"
            f"PID|1||{r[0]}^^^GH||{r[2]}^{r[1]}||{r[3].replace('-', '')}\r"
            "DG1|1||J45.9^Asthma^I10\r"
            for r in rows
        ),
        "api.json": json.dumps(
            [{"mrn": r[0], "name": {"first": r[1], "last": r[2]}, "dob": r[3], "diagnosis": "asthma"} for r in rows]
        ),
        "list.xml": "<patients>"
        + "".join(
            f"<patient><mrn>{r[0]}</mrn><firstName>{r[1]}</firstName><lastName>{r[2]}</lastName><dob>{r[3]}</dob>"
            "<diagnosis>asthma</diagnosis></patient>"
            for r in rows
        )
        + "</patients>",
    }
    for name, text in forms.items():
        (folder / name).write_text(text)


def test_a_list_of_patients_has_as_many_people_in_any_form(leakscreen: Run, tmp_path: Path) -> None:
    people = {one.name: one for one in make_people(Random(5), 40)}
    (source := tmp_path / "source").mkdir()
    in_many_forms(source, list(people.values()))
    done = scan(leakscreen, source, tmp_path / "out")
    assert {row["people"] for row in rows_of(tmp_path / "out")} == {len(people)}
    ran = leakscreen("people", done, "--json")
    assert ran.code == 0, ran.err
    assert ran.json["people"]["count"] == ran.json["by_characteristic"]["medical_record_number"] == len(people)


def test_people_are_counted_over_files_scans_and_sources(leakscreen: Run, source: Path, tmp_path: Path) -> None:
    ann, _, eve = make_people(Random(1), 3)
    other = tmp_path / "other"
    other.mkdir()
    (other / "eve.txt").write_text(letter(eve))
    (other / "ann.txt").write_text(letter(ann))
    folders = [scan(leakscreen, place, tmp_path / "out") for place in (source, other)]
    ran = leakscreen("people", *folders, "--json")
    assert ran.code == 0, ran.err
    assert ran.json["people"] == {"count": 3, "surely_distinct": 3, "at_most": 3}
    assert ran.json["by_source"] == {str(source): 2, str(other): 2}
    assert ran.json["overlap"] == [{"sources": [str(source), str(other)], "people": 1}]
    assert {one["uri"] for one in ran.json["by_file"]} >= {str(source / "copy of c.txt"), str(other / "eve.txt")}
    shown = leakscreen("people", folders[0])
    assert shown.code == 0 and "2 different people in 4 files" in shown.out
    report = " ".join((folders[0] / "report.html").read_text().split())
    assert "About 2 different people</strong> in the referred files: surely 2, at most 2." in report
    assert "2 of them with health" in report
    assert "own list" not in report
    for person in (ann, eve):
        for value in (person.last, person.phone, str(person.born)):
            assert value not in ran.out + shown.out


def test_beam_counts_the_people_of_a_share_as_one_process_does(leakscreen: Run, tmp_path: Path) -> None:
    make_patients(tmp_path / "share", patients=40, files=80, seed=31)
    ran = leakscreen("scan", tmp_path / "share", "--out", tmp_path / "out", "--quiet", "--set", "scan.unit_files=9")
    assert ran.code in (0, 3), ran.err
    for which in ("referred", "all"):
        plain = leakscreen("people", tmp_path / "out", "--json", "--of", which)
        spread = leakscreen("people", tmp_path / "out", "--json", "--of", which, "--runner", "local", "--workers", "2")
        assert spread.code == plain.code == 0, spread.err
        assert spread.json == plain.json and plain.json["people"]["count"] > 30
    assert not list((tmp_path / "out").glob("scan=*/.*"))


def test_scans_that_cannot_be_linked_are_refused_by_name(leakscreen: Run, source: Path, tmp_path: Path) -> None:
    first = scan(leakscreen, source, tmp_path / "out")
    ran = leakscreen("scan", source, "--out", tmp_path / "two", "--quiet", environ={"LEAKSCREEN_HMAC_KEY": "ab" * 32})
    assert ran.code == 0, ran.err
    for words, said in (
        ((first, tmp_path / "two"), "different HMAC keys"),
        ((first, first), "named twice"),
        ((tmp_path / "nothing",), "no scan here"),
        ((first, "--of", "some"), "not one of"),
    ):
        refused = leakscreen("people", *words)
        assert refused.code == 2 and said in " ".join(refused.err.split()), refused.err


def test_people_of_the_organisations_list_are_found(leakscreen: Run, home: Path, source: Path, tmp_path: Path) -> None:
    ann, _ = make_people(Random(1), 2)
    rows = [f"{p.health_card.partition(': ')[2]},{p.name},{p.born}" for p in (ann, *make_people(Random(9), 60))]
    (tmp_path / "list.csv").write_text("\n".join(["card,name,birth_date", *rows]) + "\n")
    index = tmp_path / "known.index"
    words = ("known", "build", tmp_path / "list.csv", "--key", "card", "--with", "name,birth_date", "--out", index)
    built = leakscreen(*words, "--json")
    assert built.code == 0 and built.json["indexed"] == 61 and built.json["bytes_a_value"] <= 16, built.err
    (tmp_path / "list.csv").unlink()
    done = scan(leakscreen, source, tmp_path / "out", "--set", f"rules.known_file={index}")
    counted = {Path(row["uri"]).name: (row["known"], row["risk"]) for row in rows_of(tmp_path / "out")}
    assert counted["a.txt"] == counted["b.txt"] == (1, "high")
    assert counted["c.txt"][0] == counted["minutes.txt"][0] == 0
    assert [row["known"] for row in people_in(done)] == [True, True, False]
    assert "<strong>1 in the organisation's own list</strong>" in (done / "report.html").read_text()
    artefacts = [index, *(file for place in (done, home) for file in place.rglob("*") if file.is_file())]
    everything = b"".join(file.read_bytes() for file in artefacts) + (built.out + built.err).encode()
    for value in (ann.last, str(ann.born), ann.health_card.partition(": ")[2]):
        assert value.encode() not in everything
    referred = leakscreen("refer", done, "--json")
    assert referred.code == 0, referred.err
    assert (referred.json["people"]["count"], referred.json["people"]["known"]) == (2, 1)
    report = leakscreen("breach", done).json["unverified"]
    assert report["known"] == report["people"]["known"] == 1  # one person, in two files
    refused = leakscreen(
        "scan", source, "--out", tmp_path / "no", "--set", f"rules.known_file={index}",
        environ={"LEAKSCREEN_HMAC_KEY": "ab" * 32},
    )  # fmt: skip
    assert refused.code == 2 and "was built with another HMAC key" in refused.err
    assert not (tmp_path / "no").exists() or not list((tmp_path / "no").iterdir())
