"""Marking in a real Chromium: by keyboard and by mouse, by two people apart, and settled by a third."""

import os
from pathlib import Path

import pytest
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from review.marking.agreement import session_agreement
from review.marking.marking import make_session, settled_marks
from review.models import Marking, MarkingSession, Referral
from review.referrals.intake import Intake
from tests.review.browsing import DESKTOP, PATIENCE, PHONE, Browser
from tests.review.conftest import make_user
from tests.review.made_rows import facts, row

# A character beyond the first plane, and line ends of another system: places must hold for both.
LETTER = "\U0001f600 Patient: Margaret Okafor, phone 416-555-0142.\r\nDiagnosis: type 2 diabetes mellitus.\r\n"
NAME, PHONE_AT, ILLNESS = LETTER.index("Margaret"), LETTER.index("416"), LETTER.index("Diagnosis")
pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
ESCAPE, RIGHT, SHIFT = "\ue00c", "\ue014", "\ue008"


@pytest.fixture
def session(database_url: str, tmp_path: Path) -> MarkingSession:
    letter = Path(os.path.realpath(tmp_path)) / "letter.txt"
    letter.write_bytes(LETTER.encode())
    Intake(facts()).take([row(str(letter), LETTER)])
    Referral.objects.update(state="decided", wants="", decision="phi")
    return make_session("letters", "mia")


def spans(name: str) -> list[tuple[int, int, str]]:
    return [(span[0], span[1], span[2]) for span in Marking.objects.get(person__username=name).spans]


def open_first(browser: Browser, name: str, role: str, session: MarkingSession) -> None:
    browser.is_logged_in_as(make_user(name, role))
    browser.go(f"/marking/{session.pk}/")
    browser.keys("n", leaves=True)


def test_two_people_mark_and_a_third_settles(browser: Browser, session: MarkingSession, tmp_path: Path) -> None:
    open_first(browser, "ann", "reviewer", session)
    assert browser.driver.find_element(By.ID, "marking-state").text.endswith(" marked")
    for size in (DESKTOP, PHONE):
        for scheme in ("light", "dark"):
            browser.look(size, scheme)
            assert (browser.faults(), browser.sideways(), browser.small_targets()) == ([], 0, [])
            browser.shoot(tmp_path / f"marking-{size[0]}-{scheme}.png")
    browser.look()
    # By keyboard: every mark of the screen is removed, then the two words of the name are marked.
    marked = len(browser.driver.find_elements(By.CSS_SELECTOR, "#marked-text mark"))
    assert marked >= 2
    browser.keys("j", *["x"] * marked)
    assert not browser.driver.find_elements(By.CSS_SELECTOR, "#marked-text mark")
    browser.driver.execute_script("document.getElementById('marked-text').focus()")
    browser.keys(RIGHT, RIGHT)
    ActionChains(browser.driver).key_down(SHIFT).send_keys(RIGHT).key_up(SHIFT).perform()
    browser.keys("c", "last", ESCAPE, "a")
    browser.keys("s", leaves=True)
    assert "1 span was saved" in browser.text
    assert "marked by you" in browser.text and not browser.driver.find_elements(By.CSS_SELECTOR, "[data-key=n]")
    assert spans("ann") == [(NAME, NAME + len("Margaret Okafor,"), "last_name")]
    # By mouse: bob sees nothing of that, and marks one more word by a double click.
    open_first(browser, "bob", "reviewer", session)
    assert len(browser.driver.find_elements(By.CSS_SELECTOR, "#marked-text mark")) == marked
    rest = browser.driver.find_elements(By.CSS_SELECTOR, "#marked-text > *")[-1]
    browser.driver.execute_script(
        "const node = arguments[0].firstChild, range = document.createRange(), at = node.data.indexOf('Diagnosis');"
        " range.setStart(node, at); range.setEnd(node, at + 9); getSelection().removeAllRanges();"
        " getSelection().addRange(range);",
        rest,
    )
    browser.driver.find_element(By.ID, "mark-add").click()
    browser.driver.find_element(By.CSS_SELECTOR, "#marking-form button.strong").click()
    turning = (NoSuchElementException, StaleElementReferenceException)  # while one page takes the place of the other
    WebDriverWait(browser.driver, PATIENCE, 0.1, turning).until(lambda _: "were saved" in browser.text)
    found = spans("bob")
    assert (PHONE_AT, PHONE_AT + 12, "phone_number") in found
    assert (ILLNESS, ILLNESS + 9) in [span[:2] for span in found]
    # The third takes over what differs.
    open_first(browser, "eve", "adjudicator", session)
    assert "Settle the spans" in browser.text and "Take from one" in browser.text
    browser.driver.find_element(By.CSS_SELECTOR, "#marking-differences button").click()
    assert browser.faults() == []
    browser.keys("s", leaves=True)
    settled = settled_marks(session, Referral.objects.get())
    assert settled is not None and [mark[:3] for mark in settled] == spans("ann")
    assert session_agreement(session).texts == 1
    browser.go("/marking/")
    assert "letters" in browser.text and browser.faults() == []
