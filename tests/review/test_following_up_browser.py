"""Following up in a real Chromium: cases by mouse and by keyboard, on a screen and on a phone."""

import os
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from review.cases.cases import Change, change_case
from review.models import Case, Referral, Verdict
from review.referrals.intake import Intake
from review.referrals.voting import Judgement, decide
from tests.review.browsing import DESKTOP, PHONE, Browser, chromium, serving
from tests.review.conftest import make_user
from tests.review.made_rows import facts, many, row

ENTER, ESCAPE, TAB = "\ue007", "\ue00c", "\ue004"
LOOKS = pytest.mark.parametrize(("size", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")])

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


@pytest.fixture(scope="module")
def driver() -> Iterator[webdriver.Chrome]:
    with chromium() as started:
        yield started


@pytest.fixture
def browser(driver: webdriver.Chrome, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Browser]:
    monkeypatch.setenv("LEAKSCREEN_HMAC_KEY", "0123456789abcdef" * 4)
    with serving() as address:
        made = Browser(driver, address)
        made.look()
        yield made
        assert made.complaints() == []


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
    from selenium.webdriver.support.wait import WebDriverWait

    from tests.review.browsing import PATIENCE, _is_gone

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


@LOOKS
def test_pages_of_cases_can_be_used_by_everybody(browser: Browser, size: tuple[int, int], scheme: str) -> None:
    browser.look(size, scheme)
    first = opened_cases()[0]
    change_case(first.pk, "ann", Change(note="rang the owner"))
    browser.is_logged_in_as(Case.objects.get(pk=first.pk).assignee)
    faults = {}
    for name, page in {
        "overview": "/",
        "cases": "/cases/",
        "cases-none": "/cases/?state=closed",
        "case": f"/case/{first.pk}/",
        "referral-decided": f"/referral/{first.pk}/",
    }.items():
        browser.go(page)
        assert browser.path == page
        faults[page] = problems(browser, size, name)
    assert {page: each for page, each in faults.items() if each} == {}
