"""Finding and following up in a real Chromium: by mouse and by keyboard, on a screen and on a phone."""

import dataclasses
import os
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from django.conf import settings
from django.utils import timezone
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from review.cases.cases import Change, change_case
from review.groups.grouping import group_referrals
from review.models import Case, Referral, SavedView, Seen, Verdict
from review.referrals.intake import Intake
from review.referrals.voting import Judgement, decide
from review.scanning import desk
from review.scanning.desk import Job, ScheduleLine
from screening.likeness import likeness
from screening.ruleset.allowlist import Entry, append_entry
from tests.review.browsing import DESKTOP, PATIENCE, PHONE, Browser
from tests.review.conftest import make_user
from tests.review.made_rows import facts, many, row
from tests.screening.test_likeness import KEY, PATIENTS, filled

ENTER, ESCAPE, TAB = "\ue007", "\ue00c", "\ue004"
LOOKS = pytest.mark.parametrize(("size", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")])

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture
def allow_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    here = settings.LEAKSCREEN
    rules = dataclasses.replace(here.rules, allow=(str(tmp_path / "allow.toml"),))
    monkeypatch.setattr(settings, "LEAKSCREEN", dataclasses.replace(here, rules=rules))
    return tmp_path / "allow.toml"


def problems(browser: Browser, size: tuple[int, int], name: str) -> list[str]:
    """Also keeps a picture where a folder for them is named."""
    if folder := os.environ.get("LEAKSCREEN_SHOTS"):
        browser.shoot(Path(folder) / f"{name}-{size[0]}.png")
    found = browser.faults()
    if (sideways := browser.sideways()) > 0:
        found.append(f"{sideways} pixels too wide")
    return found + (browser.small_targets() if size == PHONE else [])


def press(browser: Browser, css: str) -> None:
    """By mouse; waits for the page that it leads to."""
    from tests.review.browsing import _is_gone

    before = browser.driver.find_element(By.TAG_NAME, "html")
    browser.driver.find_element(By.CSS_SELECTOR, css).click()
    WebDriverWait(browser.driver, PATIENCE, 0.05).until(lambda _: _is_gone(before) and browser._loaded())


def opened_cases() -> list[Referral]:
    ann = make_user("ann", "reviewer", "manager")
    Intake(facts()).take([*many(2), row("/srv/ward 7/a long name of a list that nobody reads on a telephone.txt")])
    referrals = list(Referral.objects.order_by("rank", "pk"))
    for number, referral in enumerate(referrals):
        decide(referral.pk, ann, Judgement(Verdict.PHI, f"token-token-{number}"))
    change_case(referrals[0].pk, "ann", Change(assignee=ann, due=date(2026, 1, 31)))
    return referrals


def test_a_case_from_open_to_closed_by_keyboard(browser: Browser) -> None:
    first = opened_cases()[0]
    browser.is_logged_in_as(Case.objects.get(pk=first.pk).assignee)
    browser.go(f"/case/{first.pk}/")
    browser.keys("t", leaves=True)
    assert Case.objects.get(pk=first.pk).state == "told" and "From open to owner told" in browser.text
    browser.keys("m", "rang the owner, x and c are letters here", ESCAPE)
    browser.keys("m", TAB, ENTER, leaves=True)
    assert "rang the owner, x and c are letters here" in browser.text
    browser.keys("x", leaves=True)
    case = Case.objects.get(pk=first.pk)
    assert (case.state, case.closed is not None) == ("closed", True)
    browser.go("/cases/")
    browser.keys("/", "nowhere", ENTER, leaves=True)
    assert "Nothing matches" in browser.text


def test_a_case_by_mouse(browser: Browser) -> None:
    _, second, _ = opened_cases()
    browser.is_logged_in_as(Case.objects.get(assignee__isnull=False).assignee)
    browser.go("/")
    press(browser, 'nav a[href="/cases/"]')
    press(browser, f'a[href="/case/{second.pk}/"]')
    press(browser, 'button[value="contained"]')
    press(browser, 'button[data-key="a"]')
    case = Case.objects.get(pk=second.pk)
    assert (case.state, case.assignee.username) == ("contained", "ann")


def test_a_view_is_saved_by_mouse_and_opened_by_keyboard(browser: Browser) -> None:
    opened_cases()
    browser.is_logged_in_as(Case.objects.get(assignee__isnull=False).assignee)
    browser.go("/referrals/?state=any&risk=medium")
    browser.driver.find_element(By.CSS_SELECTOR, ".save-view summary").click()
    browser.driver.find_element(By.CSS_SELECTOR, '.save-view input[name="name"]').send_keys("medium ones")
    press(browser, ".save-view button")
    assert "medium ones 1" in browser.text.replace("\n", " ")
    browser.go("/referrals/")
    browser.driver.execute_script("document.querySelector('.views a').focus()")
    browser.keys(ENTER, leaves=True)
    assert "risk=medium" in browser.path and "medium ones" in browser.text


def grouped() -> str:
    """Three filled-in forms."""
    texts = list(map(filled, PATIENTS))
    rows = [
        row(f"/srv/forms/{number}.txt", text, likeness=likeness(text, (), KEY)) for number, text in enumerate(texts)
    ]
    Intake(facts(2)).take(rows)
    group_referrals()
    return str(Referral.objects.exclude(group=None)[0].group)


def test_a_group_is_judged_by_keyboard_without_the_file_that_was_left_out(browser: Browser) -> None:
    group = grouped()
    browser.is_logged_in_as(make_user("ann", "reviewer"))
    browser.go(f"/group/{group}/")
    browser.driver.find_element(By.CSS_SELECTOR, "input[name=members]").click()
    browser.keys("p", "P", leaves=True)
    assert "2 files judged as a group" in browser.text
    assert Referral.objects.filter(by_group=True, decision="phi").count() == 2


class Waiting:
    """A desk whose scan goes on and ends as the test says."""

    def __init__(self) -> None:
        self.now: Job | None = None

    def sources(self) -> tuple[str, ...]:
        return ("/srv/share", "/srv/wards of the old building on the other side of the river")

    def start(self, source: str, by: str) -> Job:
        self.now = Job(source, by, timezone.now(), "scanning", files=5, planned=20)
        return self.now

    def job(self) -> Job | None:
        return self.now

    def schedules(self) -> list[ScheduleLine]:
        at = timezone.now()
        last = ("failed", "scan: /srv/wards: no such file or directory")
        return [ScheduleLine("nightly", "0 2 * * *", "Europe/Berlin", ("/srv/wards",), (), at, at, *last)]


@pytest.fixture
def waiting() -> Iterator[Waiting]:
    made = Waiting()
    desk.install(made)
    yield made
    desk._installed.clear()


def test_a_scan_is_started_and_its_progress_moves_by_itself(browser: Browser, waiting: Waiting) -> None:
    browser.is_logged_in_as(make_user("boss", "manager"))
    browser.go("/scans/")
    browser.driver.execute_script("document.getElementById('source').focus()")
    browser.keys(TAB, ENTER, leaves=True)
    assert waiting.now is not None and waiting.now.source == "/srv/share"
    assert "5 of 20 files" in browser.text and "no such file" in browser.text
    current = browser.driver.find_elements(By.CSS_SELECTOR, "nav [aria-current]:not(.slim)")
    assert [each.text for each in current] == ["Scans"]
    waiting.now = dataclasses.replace(waiting.now, files=10)
    # The page loads itself again at the end, while it is read.
    wait = WebDriverWait(browser.driver, PATIENCE, 0.1, ignored_exceptions=(StaleElementReferenceException,))
    wait.until(lambda _: "10 of 20 files" in browser.text)
    waiting.now = dataclasses.replace(waiting.now, step="done", files=20, referred=2, ended=timezone.now())
    wait.until(lambda _: "Done: 20 files, 2 new referrals" in browser.text)


def test_light_and_dark_are_switched_and_stay(browser: Browser) -> None:
    browser.is_logged_in_as(make_user("boss", "manager", "auditor"))
    browser.go("/")
    colour = "return getComputedStyle(document.body).backgroundColor"
    light = browser.driver.execute_script(colour)
    browser.driver.find_element(By.CSS_SELECTOR, "[data-theme-switch]").click()
    dark = browser.driver.execute_script(colour)
    assert dark != light and browser.faults() == []
    browser.go("/dashboard/")
    assert browser.driver.execute_script(colour) == dark and browser.faults() == []
    browser.driver.find_element(By.CSS_SELECTOR, "[data-theme-switch]").send_keys(ENTER)
    assert browser.driver.execute_script(colour) == light
    browser.driver.delete_all_cookies()


@LOOKS
def test_their_pages_can_be_used_by_everybody(
    browser: Browser, size: tuple[int, int], scheme: str, allow_list: Path, waiting: Waiting
) -> None:
    browser.look(size, scheme)
    first = opened_cases()[0]
    change_case(first.pk, "ann", Change(note="rang the owner"))
    owner = Case.objects.get(pk=first.pk).assignee
    SavedView.objects.create(owner=owner, name="old ones of the wards", query="sort=oldest")
    entry = Entry(str(allow_list), "", "", "", "/srv/test data/*", "generated by us", "ann", date(2099, 1, 1))
    append_entry(entry)
    group = grouped()
    waiting.start("/srv/share", "ann")
    for number, referral in enumerate(Referral.objects.all()):
        Seen.objects.create(scan_id=f"scan-{1 + number % 2}", referral=referral, cell=0, files=1)
    browser.is_logged_in_as(Case.objects.get(pk=first.pk).assignee)
    faults = {}
    for name, page in {
        "overview": "/",
        "audit": "/audit/",
        "agreement": "/agreement/",
        "cases": "/cases/",
        "cases-none": "/cases/?state=closed",
        "case": f"/case/{first.pk}/",
        "referral-decided": f"/referral/{first.pk}/",
        "list": "/referrals/?state=any",
        "ignored": "/ignored/",
        "group": f"/group/{group}/",
        "scans": "/scans/",
        "compare": "/scans/compare/?first=scan-1&second=scan-2",
    }.items():
        browser.go(page)
        assert browser.path == page
        browser.driver.execute_script("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        faults[page] = problems(browser, size, name)
    assert {page: each for page, each in faults.items() if each} == {}
