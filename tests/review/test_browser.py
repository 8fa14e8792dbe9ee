"""Work in a real Chromium: by keyboard alone, with a mistake undone, a text revealed, a second opinion and a ruling."""

import hashlib
import os
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.support.expected_conditions import text_to_be_present_in_element
from selenium.webdriver.support.wait import WebDriverWait

from review.models import AuditEntry, Referral, ReferralPath, State, Vote
from review.referrals.intake import Intake
from tests.review.browsing import DESKTOP, PATIENCE, PHONE, Browser
from tests.review.conftest import make_user
from tests.review.made_rows import facts, row
from tests.review.test_passage import pages as pdf_of

ENTER, ESCAPE, TAB = "\ue007", "\ue00c", "\ue004"
LETTER = "Patient: Margaret Okafor, phone 416-555-0142.\nDiagnosis: type 2 diabetes mellitus.\n"

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def refer(folder: Path) -> list[Referral]:
    """A letter that is there, and two files that are not, in the order of work."""
    letter = Path(os.path.realpath(folder)) / "letter.txt"
    letter.write_text(LETTER, encoding="utf-8")
    evidence = [
        {
            "characteristic": name,
            "start": 9,
            "end": 17,
            "masked": masked,
            "hmac": "c" * 32,
            "where": "text",
            "person": person,
        }
        for name, masked, person in (
            ("last_name", "O*****", 1),
            ("phone_number", "***-***-0142", 1),
            ("email", "x***@example.org", 0),
        )
    ]
    rows = [
        row(str(letter), LETTER, distance=0.1, evidence=evidence),
        row("/srv/gone.txt", distance=0.2),
        row("/srv/a long name of a file that nobody would want to read on a telephone.txt", risk="low"),
    ]
    Intake(facts()).take(rows)
    return list(Referral.objects.order_by("rank"))


def test_a_queue_by_keyboard_alone(browser: Browser, tmp_path: Path) -> None:
    first, second, third = refer(tmp_path)
    browser.log_in(make_user("ann", "reviewer"))
    browser.keys(ENTER, leaves=True)
    assert browser.path == f"/referral/{first.pk}/" and "Person 1" in browser.text
    browser.keys("1", "2", "1", "m", "a letter, p. 2", ESCAPE)
    browser.keys("p", leaves=True)
    vote = Vote.objects.get()
    assert (vote.referral_id, vote.verdict, vote.characteristics, vote.note.text) == (
        first.pk,
        "phi",
        ["phone_number"],
        "a letter, p. 2",
    )
    assert browser.path == f"/referral/{second.pk}/"
    browser.keys("z", leaves=True)
    assert browser.path == f"/referral/{first.pk}/" and "withdrawn" in browser.text
    browser.keys("n", leaves=True)
    browser.keys("s", leaves=True)
    assert browser.path == f"/referral/{third.pk}/"
    browser.keys("c", leaves=True)
    assert "Nothing else is waiting" in browser.text
    assert [(each.referral_id, each.verdict) for each in Vote.objects.order_by("pk")] == [
        (first.pk, "phi"),
        (first.pk, "withdrawn"),
        (first.pk, "not_phi"),
        (third.pk, "cannot_tell"),
    ]


def test_enter_on_a_box_to_tick_is_no_verdict(browser: Browser, tmp_path: Path) -> None:
    first = refer(tmp_path)[0]
    browser.log_in(make_user("ann", "reviewer"))
    browser.go(f"/referral/{first.pk}/")
    browser.driver.execute_script("document.querySelector('input[type=checkbox]').focus()")
    browser.keys(" ", ENTER, ENTER)
    assert browser.driver.find_element(By.CSS_SELECTOR, "input[type=checkbox]").is_selected()
    assert browser.path == f"/referral/{first.pk}/" and not Vote.objects.exists()


def revealed(browser: Browser, referral: Referral) -> str:
    """What a reveal shows, on the page of the referral itself."""
    driver = browser.driver
    browser.go(f"/referral/{referral.pk}/")
    browser.keys("r", "is it a patient?", ENTER)
    WebDriverWait(driver, PATIENCE, 0.05).until(lambda _: driver.find_elements(By.CSS_SELECTOR, "#reveal-body p"))
    assert len(driver.window_handles) == 1 and browser.faults() == []
    return driver.find_element(By.ID, "revealed").text


def test_the_masked_passage_comes_by_itself_to_whoever_stays(browser: Browser, tmp_path: Path) -> None:
    first = refer(tmp_path)[0]
    browser.log_in(make_user("ann", "reviewer"))
    browser.go(f"/referral/{first.pk}/")
    WebDriverWait(browser.driver, PATIENCE, 0.05).until(lambda driver: driver.find_elements(By.ID, "passage-body"))
    shown = browser.driver.find_element(By.ID, "passage").text
    assert "Diagnosis" in shown and "0142" in shown and "416-555-0142" not in shown
    assert browser.faults() == [] and browser.sideways() <= 0 and browser.complaints() == []


def test_pages_are_turned_and_judged_by_keys(browser: Browser, tmp_path: Path) -> None:
    first = refer(tmp_path)[0]
    content = pdf_of("Margaret Okafor has asthma", "page two")
    (tmp_path / "form.pdf").write_bytes(content)
    Referral.objects.filter(pk=first.pk).update(sha256=hashlib.sha256(content).hexdigest())
    ReferralPath.objects.filter(referral=first).update(uri=str(tmp_path / "form.pdf"))
    browser.log_in(make_user("ann", "reviewer"))
    revealed(browser, first)
    caption = (By.CSS_SELECTOR, "#drawn-page figcaption")
    for key, words in (("l", "Page 2 of 2"), ("h", "Page 1 of 2")):
        browser.keys(key)
        WebDriverWait(browser.driver, PATIENCE, 0.05).until(text_to_be_present_in_element(caption, words))
    assert browser.complaints() == [] and browser.sideways() <= 0
    browser.keys("p", leaves=True)
    assert Vote.objects.get().verdict == "phi"


def test_reveals_tell_what_became_of_the_file(browser: Browser, tmp_path: Path) -> None:
    first = refer(tmp_path)[0]
    browser.log_in(make_user("ann", "reviewer"))
    assert "416-555-0142" in revealed(browser, first)
    (tmp_path / "letter.txt").write_text("other words, phone 416-555-0199", encoding="utf-8")
    changed = revealed(browser, first)
    assert "has changed" in changed and "0199" not in changed
    (tmp_path / "letter.txt").unlink()
    assert "can no longer be read" in revealed(browser, first)
    assert AuditEntry.objects.filter(action="reveal", subject=f"referral:{first.pk}").count() == 3


def test_the_text_is_judged_while_it_is_read(browser: Browser, tmp_path: Path) -> None:
    first = refer(tmp_path)[0]
    browser.log_in(make_user("ann", "reviewer"))
    assert "416-555-0142" in revealed(browser, first)
    marks = browser.driver.find_elements(By.CSS_SELECTOR, "#reveal-body .text mark")
    assert "at" in str(marks[0].get_attribute("class")).split()  # it opens at what decided
    at = []
    for key in ("j", "j", "k", "k", "k"):
        browser.keys(key)
        at.append([str(mark.get_attribute("class")).endswith(" at") for mark in marks].index(True))
    assert at == [1, 2, 1, 0, len(marks) - 1]
    browser.keys("p", leaves=True)
    assert Vote.objects.get().verdict == "phi" and "416-555-0142" not in browser.driver.page_source


def test_question_mark_shows_the_keys_and_verdicts_wait(browser: Browser, tmp_path: Path) -> None:
    first = refer(tmp_path)[0]
    browser.log_in(make_user("ann", "reviewer"))
    browser.go(f"/referral/{first.pk}/")
    browser.keys("?")
    assert "reveal the text" in browser.driver.find_element(By.CSS_SELECTOR, "dialog[open]").text
    assert browser.faults() == []
    browser.keys("p", ESCAPE)
    assert browser.path == f"/referral/{first.pk}/" and not Vote.objects.exists()
    browser.keys("d")
    assert "Hamming distance" in browser.text
    browser.keys("p", leaves=True)
    assert Vote.objects.count() == 1


def test_a_reveal_without_a_reason_goes_nowhere(browser: Browser, tmp_path: Path) -> None:
    first = refer(tmp_path)[0]
    browser.log_in(make_user("ann", "reviewer"))
    browser.go(f"/referral/{first.pk}/")
    browser.keys("r", ENTER)
    assert len(browser.driver.window_handles) == 1 and not AuditEntry.objects.filter(action="reveal").exists()


def test_a_second_opinion_and_a_ruling(browser: Browser, tmp_path: Path) -> None:
    first = refer(tmp_path)[0]
    people = {name: make_user(name, "reviewer") for name in ("ann", "bob")}
    for name, key in (("ann", "p"), ("bob", "n")):
        browser.log_in(people[name])
        browser.keys(ENTER, leaves=True)
        assert browser.path == f"/referral/{first.pk}/" and "Votes" not in browser.text
        browser.keys("m", f"{name} says so", ESCAPE)
        browser.keys(key, leaves=True)
    browser.log_in(make_user("cleo", "adjudicator"))
    browser.keys(ENTER, leaves=True)
    assert browser.path == f"/referral/{first.pk}/" and "Your ruling" in browser.text
    assert "ann says so" in browser.text and "bob says so" in browser.text
    browser.keys("p", leaves=True)
    found = Referral.objects.get(pk=first.pk)
    assert (found.state, found.decision) == (State.DECIDED, "phi")


REVIEWER_PAGES = (
    "/",
    "/referrals/",
    "/referrals/?state=superseded",
    "/referral/{pk}/",
    "/referral/{decided}/",
    "/password/",
)
MANAGER_PAGES = (
    "/",
    "/agreement/",
    "/samples/",
    "/audit/",
    "/audit/check/",
    "/people/",
    "/people/new/",
    "/people/{person}/",
)


@pytest.mark.parametrize(("size", "scheme"), [(DESKTOP, "light"), (PHONE, "dark")])
def test_every_page_can_be_used_by_everybody(
    browser: Browser, tmp_path: Path, size: tuple[int, int], scheme: str
) -> None:
    browser.look(size, scheme)
    ann, boss = make_user("ann", "reviewer"), make_user("boss", "manager", "auditor")
    browser.go("/")
    faults = {"/login/": problems(browser, size)}
    browser.log_in(boss)
    faults["first start"] = problems(browser, size)
    first, second, _ = refer(tmp_path)
    second.paths.update(current=False)
    names = {"pk": first.pk, "decided": second.pk, "person": ann.pk}
    for user, pages in ((boss, MANAGER_PAGES), (ann, REVIEWER_PAGES)):
        browser.log_in(user)
        for page in pages:
            browser.go(page.format(**names))
            assert browser.path == page.format(**names)
            faults[page] = problems(browser, size)
    assert {page: each for page, each in faults.items() if each} == {}


HEADER_LINE, PHONE_LINES = 70, 105  # pixels: one line of a screen, two of a phone


@pytest.mark.parametrize("language", ["en", "fr-CA,fr;q=0.9"])
def test_the_navigation_fits_and_its_menus_open_and_close(browser: Browser, language: str) -> None:
    browser.driver.execute_cdp_cmd("Network.enable", {})
    browser.driver.execute_cdp_cmd("Network.setExtraHTTPHeaders", {"headers": {"Accept-Language": language}})
    browser.is_logged_in_as(make_user("a-manager-with-a-long-name", "reviewer", "adjudicator", "manager", "auditor"))
    driver = browser.driver
    try:
        for size, most in ((DESKTOP, HEADER_LINE), (PHONE, PHONE_LINES)):
            browser.look(size)
            browser.go("/audit/")
            assert driver.execute_script("return document.querySelector('header').offsetHeight") <= most
            for menu in driver.find_elements(By.CSS_SELECTOR, "details.menu"):
                summary = menu.find_element(By.TAG_NAME, "summary")
                driver.execute_script("arguments[0].focus()", summary)
                browser.keys(ENTER)
                entry = menu.find_element(By.CSS_SELECTOR, "a:not(.slim), button")
                assert entry.is_displayed() and problems(browser, size) == []
                shown = [each.text for each in driver.find_elements(By.CSS_SELECTOR, "nav a") if each.is_displayed()]
                assert len(shown) == len(set(shown)), "no page is listed twice"
                browser.keys(TAB)
                assert driver.execute_script("return arguments[0].contains(document.activeElement)", menu)
                browser.keys(ESCAPE)
                assert not entry.is_displayed() and driver.switch_to.active_element == summary
                summary.click()
                assert entry.is_displayed()
                driver.find_element(By.TAG_NAME, "h1").click()
                assert not entry.is_displayed()
        browser.look(PHONE)
        browser.go("/audit/")
        driver.find_element(By.CSS_SELECTOR, "nav details.menu summary").click()
        browser.driver.find_element(By.CSS_SELECTOR, 'nav a.slim[href="/scans/"]').click()
        assert browser.path == "/scans/"
    finally:
        driver.execute_cdp_cmd("Network.setExtraHTTPHeaders", {"headers": {}})


def problems(browser: Browser, size: tuple[int, int]) -> list[str]:
    found = browser.faults()
    if (sideways := browser.sideways()) > 0:
        found.append(f"{sideways} pixels too wide")
    return found + (browser.small_targets() if size == PHONE else [])


def test_faults_would_be_found(browser: Browser) -> None:
    """A page with a fault of each kind, so that the checks above are known to see them."""
    browser.look(PHONE)
    browser.go("/login/")
    browser.driver.execute_script(
        "document.querySelector('main').innerHTML = '<button></button><a id=small href=x>x</a><p id=wide>wide</p>';"
        "document.querySelector('#small').style.fontSize = '8px';"
        " document.querySelector('#wide').style.width = '900px';"
    )
    assert any("button-name" in fault for fault in browser.faults())
    assert browser.sideways() > 0 and any("A x" in small for small in browser.small_targets())
    browser.driver.execute_script(
        "document.body.insertAdjacentHTML('beforeend', '<p style=\"color: red\">against the policy</p>')"
    )
    assert any("Content Security Policy" in complaint for complaint in browser.complaints())
