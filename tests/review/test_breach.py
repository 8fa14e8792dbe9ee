"""The breach report in the browser: what is verified is apart, names of files are for managers, no value shows."""

import io
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import docx
import pytest
from django.urls import reverse

from core.settings import load_settings
from leakscreen.breach import counting
from leakscreen.breach.facts import facts_of
from leakscreen.commands.browser_breach import BrowserBreach
from leakscreen.commands.refer import refer
from leakscreen.demo.people import Person, make_people
from review.breach import reporting
from review.cases.cases import Change, change_case
from review.models import AuditEntry, CaseState, Referral, Verdict
from review.referrals.voting import Judgement, decide
from tests.end_to_end.test_people import letter
from tests.review.browsing import DESKTOP, PHONE, Browser
from tests.review.conftest import KEY, make_user
from tests.review.test_access import browser as client_of
from tests.review.test_api import Program, is_problem

pytestmark = [
    pytest.mark.usefixtures("database_url"),
    pytest.mark.parametrize("database_url", ["sqlite"], indirect=True),
]
PEOPLE = 6


@pytest.fixture(scope="module")
def people() -> tuple[Person, ...]:
    return make_people(Random(4), PEOPLE)


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory, people: tuple[Person, ...]) -> Path:
    """A real scan of letters, three of them about diabetes alone and three with an address as well."""
    place = tmp_path_factory.mktemp("breach")
    (place / "share").mkdir()
    for number, person in enumerate(people):
        more = f"Address: {person.address}\nDiagnosis: asthma.\n" if number < 3 else ""
        (place / "share" / f"letter {number}.txt").write_text(letter(person) + more)
    command = (sys.executable, "-m", "leakscreen", "scan", place / "share", "--out", place / "out", "--json")
    done = subprocess.run(
        (*command, "--workers", "1"),
        env={**os.environ, "LEAKSCREEN_HMAC_KEY": KEY, "HOME": str(place)},
        capture_output=True,
        check=True,
    )
    return Path(json.loads(done.stdout)["folder"])


@pytest.fixture
def decided(scanned: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Referral]]:
    """Two letters verified, the owner of one told, one letter refuted; as `serve` installs the report."""
    monkeypatch.setenv("LEAKSCREEN_HMAC_KEY", KEY)
    monkeypatch.setenv("LEAKSCREEN_SECRET_KEY", KEY)
    refer(str(scanned), load_settings({"review.database": database_url}, environ={}))
    reporting.install(BrowserBreach())
    referrals = sorted(Referral.objects.all(), key=lambda each: each.paths.get().uri)
    Referral.objects.update(double=False)
    ann = make_user("ann", "reviewer")
    for referral, verdict in zip(referrals, (Verdict.PHI, Verdict.PHI, Verdict.NOT_PHI), strict=False):
        decide(referral.pk, ann, Judgement(verdict, f"by-ann-{referral.pk}"[:32]))
    change_case(referrals[0].pk, "ann", Change(state=CaseState.TOLD))
    yield referrals
    reporting._installed.clear()


def test_verified_files_are_apart_and_nothing_shows_a_value(
    decided: list[Referral], people: tuple[Person, ...]
) -> None:
    boss = client_of(make_user("boss", "manager"))
    until_counted(boss)
    page = boss.get(reverse("breach"), {"discovered": "2026-11-01"})
    verified, unverified = (page.context_data["facts"][name] for name in ("verified", "unverified"))
    assert (verified["files"], unverified["files"]) == (2, PEOPLE - 3)
    assert verified["people"]["people"] == {"count": 2, "surely_distinct": 2, "at_most": 2}
    assert {each["name"]: (each["files"], each["people"]) for each in verified["by_diagnosis"]} == {
        "diabetes and metabolism": (2, 2),
        "lungs": (2, 2),
    }
    assert [each["name"] for each in unverified["by_diagnosis"]] == ["diabetes and metabolism"]
    assert page.context_data["facts"]["done"]["reviews"] == {"verified": 2, "found to hold none": 1, "not decided": 3}
    assert page.context_data["facts"]["done"]["cases"] == {"open": 1, "told": 1}
    shown = page.content.decode()
    assert "owner told" in shown and "letter 0.txt" in shown and "Not legal advice" in shown
    files = {form: boss.get(reverse("breach-file"), {"form": form}) for form in ("html", "docx", "json")}
    assert all(file.status_code == 200 and "attachment" in file["Content-Disposition"] for file in files.values())
    document = docx.Document(io.BytesIO(files["docx"].content))
    written = [paragraph.text for paragraph in document.paragraphs]
    written += [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    assert json.loads(files["json"].content)["verified"]["files"] == 2
    everything = shown + files["html"].content.decode() + files["json"].content.decode() + "\n".join(written)
    for person in people:
        for value in (person.last, person.phone, str(person.born), person.street):
            assert value not in everything
    assert boss.get(reverse("breach-file"), {"form": "exe"}).status_code == 404
    actions = AuditEntry.objects.filter(actor="boss").values_list("action", flat=True)
    assert [*actions].count("breach report downloaded") == 3 and "breach report" in actions


def test_a_later_decision_shows_and_auditors_see_no_names(decided: list[Referral]) -> None:
    auditor = client_of(make_user("eve", "auditor"))
    assert until_counted(auditor)["verified"]["files"] == 2
    decide(decided[3].pk, make_user("bob", "reviewer"), Judgement(Verdict.PHI, "token-of-this-vote"))
    assert until_counted(auditor)["verified"]["files"] == 3
    page = auditor.get(reverse("breach"))
    assert "letter 0.txt" not in page.content.decode()
    assert auditor.get(reverse("breach-file")).status_code == 403


def test_while_people_are_counted_the_page_answers_at_once_with_the_last_count(
    decided: list[Referral], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A count that takes long is held up here; requests never wait for it."""
    boss, go_on, begun = client_of(make_user("boss", "manager")), threading.Event(), []

    def held_up(*given: object) -> dict[str, object]:
        begun.append(given)
        go_on.wait(60)
        return facts_of(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(counting, "facts_of", held_up)
    first = boss.get(reverse("breach"))
    assert first.status_code == 200 and first.headers["Refresh"] and "being counted" in first.content.decode()
    assert first.context_data["facts"] == {} and boss.get(reverse("breach-file")).status_code == 409
    assert len(begun) == 1  # the second request did not begin another
    go_on.set()
    assert until_counted(boss)["verified"]["files"] == 2
    go_on.clear()
    decide(decided[3].pk, make_user("bob", "reviewer"), Judgement(Verdict.PHI, "token-of-this-vote"))
    began = time.monotonic()
    meanwhile = boss.get(reverse("breach"))
    assert time.monotonic() - began < 5
    assert meanwhile.context_data["facts"]["verified"]["files"] == 2
    assert "below is the last count" in meanwhile.content.decode()
    go_on.set()
    assert until_counted(boss)["verified"]["files"] == 3 and len(begun) == 2


def until_counted(client: Any, **day: str) -> dict[str, Any]:
    until = time.monotonic() + 60
    while "Refresh" in (page := client.get(reverse("breach"), day)).headers:
        assert time.monotonic() < until
        time.sleep(0.1)
    facts: dict[str, Any] = page.context_data["facts"]
    return facts


def test_missing_results_and_a_bad_day_are_one_sentence(decided: list[Referral], tmp_path: Path) -> None:
    boss = client_of(make_user("boss", "manager"))
    until_counted(boss)
    bad = boss.get(reverse("breach"), {"discovered": "yesterday"})
    assert bad.status_code == 200 and "is not a date" in bad.content.decode()
    assert "has not come yet" in boss.get(reverse("breach"), {"discovered": "2999-01-01"}).content.decode()
    scan = decided[0].last_scan
    scan.folder = str(tmp_path / "gone")
    scan.save()
    reporting.install(BrowserBreach())
    page = boss.get(reverse("breach"))
    assert page.status_code == 409 and "are not there any more" in page.content.decode()
    assert boss.get(reverse("breach-file")).status_code == 409


def test_programs_read_what_the_page_shows(decided: list[Referral], people: tuple[Person, ...]) -> None:
    boss, auditor = Program(make_user("boss", "manager")), Program(make_user("eve", "auditor"))
    read = boss.get("/breach", discovered="2026-11-01")
    facts = read.json()
    assert (facts["verified"]["files"], facts["unverified"]["files"]) == (2, PEOPLE - 3)
    assert facts["verified"]["people"] == {"count": 2, "surely_distinct": 2, "at_most": 2}
    assert facts["done"]["cases"] == {"open": 1, "told": 1} and facts["discovered"] == "2026-11-01"
    assert any(file["uri"].endswith("letter 0.txt") for file in facts["verified"]["listed"])
    unnamed = auditor.get("/breach").json()
    assert unnamed["verified"]["listed"] == [] and unnamed["verified"]["files"] == 2
    assert auditor.get("/breach/file").status_code == 403
    files = {form: boss.get("/breach/file", form=form) for form in ("html", "docx", "json")}
    assert json.loads(files["json"].content)["verified"]["files"] == 2
    assert docx.Document(io.BytesIO(files["docx"].content)).paragraphs and b"<!doctype html>" in files["html"].content
    everything = read.content + b"".join(file.content for file in files.values())
    assert not [person.last for person in people if person.last.encode() in everything]
    wrong = ({"form": "exe"}, {"discovered": "yesterday"}, {"day": "2026-11-01"})
    assert [boss.get("/breach/file", **query).status_code for query in wrong] == [422, 422, 422]
    actions = AuditEntry.objects.filter(actor="boss").values_list("action", flat=True)
    assert [*actions].count("breach report downloaded") == 3 and "breach report" in actions and "api" in actions
    reporting._installed.clear()
    assert is_problem(boss.get("/breach"), 409)


def test_the_page_in_chromium(browser: Browser, decided: list[Referral], tmp_path: Path) -> None:
    browser.is_logged_in_as(boss := make_user("boss", "manager"))
    until_counted(client_of(boss))
    for scheme in ("light", "dark"):
        for size in (DESKTOP, PHONE):
            browser.look(size, scheme)
            browser.go(f"{reverse('breach')}?discovered=2026-11-01")
            assert browser.faults() == [] and browser.sideways() <= 0 and browser.small_targets() == []
            if place := os.environ.get("PICTURES_OF_PAGES"):
                browser.shoot(Path(place, f"breach-{scheme}-{size[0]}.png"))
