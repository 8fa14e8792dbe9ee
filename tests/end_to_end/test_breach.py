"""A breach report says how many people, what and where, whom to tell, and no value; verified files are apart."""

import json
import subprocess
import sys
import zipfile
from datetime import date
from pathlib import Path
from random import Random

import docx
import pytest

from leakscreen.breach.duties import NOT_ADVICE, duties_for, read_laws
from leakscreen.demo.people import Person, make_people
from tests.end_to_end.conftest import Run
from tests.end_to_end.test_people import letter, scan

PEOPLE = 12


@pytest.fixture
def people() -> tuple[Person, ...]:
    return make_people(Random(4), PEOPLE)


@pytest.fixture
def source(tmp_path: Path, people: tuple[Person, ...]) -> Path:
    folder = tmp_path / "source"
    folder.mkdir()
    for number, person in enumerate(people):
        text = letter(person) + f"Address: {person.address}\n"
        (folder / f"{number:02} <b>&.txt").write_text(text)
        if number < 4:
            (folder / f"again {number}.txt").write_text(text + "Seen again.\n")
    return folder


def test_a_report_in_three_forms_without_a_value(
    leakscreen: Run, source: Path, tmp_path: Path, people: tuple[Person, ...]
) -> None:
    done = scan(leakscreen, source, tmp_path / "out")
    files = {form: tmp_path / f"report.{form}" for form in ("html", "docx", "json")}
    for file in files.values():
        ran = leakscreen("breach", done, "--out", file, "--discovered", "2026-11-01")
        assert ran.code == 0 and file.stat().st_mode & 0o777 == 0o600, ran.err
    facts = json.loads(files["json"].read_text())
    assert facts["verified"] is None
    assert facts["unverified"]["files"] == PEOPLE + 4
    counted = facts["unverified"]["people"]["people"]
    assert counted["surely_distinct"] <= counted["count"] <= counted["at_most"] and counted["count"] == PEOPLE
    assert facts["unverified"]["people"]["by_characteristic"]["birth_date"] == PEOPLE
    assert facts["unverified"]["by_access"] and facts["unverified"]["oldest"]
    assert {duty["latest"] for duty in facts["duties"] if "HIPAA" in duty["law"]} >= {"2026-12-31"}
    page = files["html"].read_text()
    assert "Not legal advice" in page and "&lt;b&gt;&amp;.txt" in page and "<script" not in page
    document = docx.Document(str(files["docx"]))
    cells = {cell.text for table in document.tables for row in table.rows for cell in row.cells}
    assert {str(source), *(duty["notify"] for duty in facts["duties"])} <= cells  # what the page says, Word says too
    assert any(NOT_ADVICE in paragraph.text for paragraph in document.paragraphs) and len(document.tables) >= 5
    with zipfile.ZipFile(files["docx"]) as archive:
        contents = [page, files["json"].read_text(), archive.read("word/document.xml").decode()]
    for person in people:
        for value in (person.last, person.phone, str(person.born), person.street):
            assert all(value not in content for content in contents)


def test_what_reviewers_verified_is_apart(leakscreen: Run, source: Path, tmp_path: Path) -> None:
    done = scan(leakscreen, source, tmp_path / "out")
    unseen = leakscreen("breach", done, "--from-reviews").json  # of a scan that nobody has looked at
    assert (unseen["verified"]["files"], unseen["duties_of"]) == (0, "unverified") and unseen["duties"]
    early = leakscreen("breach", "--from-reviews")
    assert early.code == 2 and "nobody has decided" in early.err
    assert leakscreen("refer", done, "--json").json["new"] > 0
    decide = """
import sys
from core.settings import load_and_configure_log
from review.service.configuration import configure
configure(load_and_configure_log({}, None))
from review.models import Referral, State
for number, referral in enumerate(Referral.objects.order_by("paths__uri")):
    if number < 6:
        referral.decision, referral.state = ("phi" if number < 4 else "not_phi"), State.DECIDED
        referral.save()
"""
    (tmp_path / "decide.py").write_text(decide)
    decided = leakscreen("audit", "verify")  # makes sure that the database is there
    assert decided.code == 0, decided.err
    home = tmp_path / "home"
    environ = {"HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"), "PATH": "/usr/bin:/bin"}
    subprocess.run([sys.executable, tmp_path / "decide.py"], check=True, env=environ, cwd=home)
    ran = leakscreen("breach", "--from-reviews")
    assert ran.code == 0, ran.err
    facts = ran.json
    assert (facts["verified"]["files"], facts["unverified"]["files"]) == (4, PEOPLE + 4 - 6)
    assert facts["verified"]["people"]["people"]["count"] == 4
    assert facts["done"]["reviews"]["found to hold none"] == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "name a scan"),
        (("{scan}", "--discovered", "yesterday"), "is no day"),
        (("{scan}", "--discovered", "2999-01-01"), "has not come yet"),
        (("{scan}", "--out", "report.xls"), "is no form of the report"),
        (("{scan}", "--out", "missing/report.html"), "cannot be written"),
    ],
)
def test_bad_input_is_one_sentence(
    leakscreen: Run, source: Path, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    done = scan(leakscreen, source, tmp_path / "out") if words else tmp_path
    refused = leakscreen("breach", *(word.format(scan=done) for word in words))
    assert refused.code == 2 and said in refused.err and "Traceback" not in refused.err, refused.err


def test_duties_follow_the_numbers_of_each_place() -> None:
    few = duties_for({"US-CA": 300, "US-NY": 100, "unknown": 9}, None)
    assert not any("media" in duty["notify"] for duty in few)
    assert any("yearly log" in duty["notify"] and duty["people"] == 400 for duty in few)
    many = duties_for({"US-CA": 501, "US-NY": 10, "DE": 1}, date(2026, 11, 1))
    media = [duty for duty in many if "media" in duty["notify"]]
    assert [(duty["place"], duty["people"]) for duty in media] == [("US-CA", 501)]
    assert any(duty["place"] == "US" and duty["people"] == 511 and "Secretary" in duty["notify"] for duty in many)
    assert not any("yearly log" in duty["notify"] for duty in many)
    assert any(duty["place"] == "DE" and duty["latest"] == "2026-11-04" for duty in many)
    assert duties_for({"unknown": 1_000}, None) == []
    attorneys = [duty for duty in duties_for({"US-WA": 500, "US-CO": 500}, None) if "Attorney" in duty["notify"]]
    assert [duty["place"] for duty in attorneys] == ["US-CO"]  # 500 and more there, more than 500 in Washington


def test_every_law_says_where_it_is_written_and_with_what_it_was_compared() -> None:
    for law in read_laws():
        assert law["source"] and law["against"] and law["checked"] <= date.today() and law["duty"]
        assert law["in_force"] <= law["checked"] and law["note"] == "not legal advice"
        assert all(duty["from"] >= 1 and duty["by"] and duty["notify"] for duty in law["duty"])
