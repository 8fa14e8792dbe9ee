"""A case in a real Chromium, from a proposal to a contained file and back; the commands are the real ones."""

import os
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By

from review.models import Case, CaseAction
from tests.review.browsing import DESKTOP, PHONE, Browser
from tests.review.test_acting import Office, office, scanned
from tests.review.test_following_up_browser import press, problems

__all__ = ["office", "scanned"]
pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def seen(browser: Browser, name: str) -> None:
    """On a screen in light colours and on a phone in dark ones."""
    for size, scheme in ((PHONE, "dark"), (DESKTOP, "light")):
        browser.look(size, scheme)
        assert problems(browser, size, f"acting-{name}") == []


def test_a_file_is_contained_from_its_case_and_comes_back(browser: Browser, office: Office) -> None:
    case = office.case("b")
    browser.is_logged_in_as(office.ann)
    browser.go(f"/case/{case.pk}/")
    press(browser, 'form[action$="/act/"] button')
    assert "Proposed for 2 files" in browser.driver.page_source and "waits for a look at the file" in browser.text
    office.command("act", "run")
    browser.go(f"/case/{case.pk}/")
    assert "What would happen: seal its content" in browser.text and "somebody else approves it" in browser.text
    assert not browser.driver.find_elements(By.CSS_SELECTOR, 'button[value="approve"]')
    browser.is_logged_in_as(office.bob)
    browser.go(f"/case/{case.pk}/")
    seen(browser, "proposed")
    press(browser, 'button[value="approve"]')
    assert "approved, waits to be carried out" in browser.text
    office.command("act", "run")
    browser.go(f"/case/{case.pk}/")
    assert Case.objects.get(pk=case.pk).state == "contained" and "approved by bob" in browser.text
    assert b"privacy office" in office.text("b")
    seen(browser, "done")
    press(browser, 'button[value="undo"]')
    office.command("act", "run")
    browser.go(f"/case/{case.pk}/")
    assert {row.state for row in CaseAction.objects.all()} == {"undone"} and "undone" in browser.text
    assert office.text("b") == office.before[office.share / "b.txt"]
    if folder := os.environ.get("LEAKSCREEN_SHOTS"):
        browser.shoot(Path(folder) / "acting-undone.png")
