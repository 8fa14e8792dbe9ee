"""report.html in a real Chromium: on a phone, in the dark and on paper."""

import base64
from collections.abc import Iterator
from pathlib import Path

import pypdfium2
import pytest

from leakscreen.report.render import render_report
from tests.leakscreen.test_report import manifest, referred, summary, unexamined
from tests.review.browsing import PHONE, Browser, chromium

LONG = (
    "/srv/share/Departments/Finance/Invoices/2024/"
    + "a-long-folder/" * 6
    + "a_name_without_any_place_to_break_it_" * 2
    + ".docx"
)
TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    found = [referred(uri=LONG, container_uri=None, media_type=TYPE), referred()]
    page = render_report(summary(), manifest(), found, [unexamined(uri=LONG, media_type=TYPE)])
    (tmp_path / "report.html").write_text(page, encoding="utf-8")
    with chromium() as driver:
        yield Browser(driver, f"file://{tmp_path}/")


def test_nothing_scrolls_sideways_and_paper_is_white(browser: Browser) -> None:
    for scheme in ("light", "dark"):
        browser.look(PHONE, scheme)
        browser.go("report.html")
        assert browser.sideways() <= 0
        assert browser.faults() == []
    assert (
        browser.driver.execute_script("return getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
    )
    printed = browser.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"]
    paper = pypdfium2.PdfDocument(base64.b64decode(printed))
    assert paper[0].render().to_pil().getpixel((3, 3)) == (255, 255, 255)
    text = "".join(page.get_textpage().get_text_range() for page in paper)
    assert "***-***-0142" in text and "password needed" in text  # folded lists are open on paper


def test_names_of_facts_are_not_broken_into_letters(browser: Browser) -> None:
    browser.look()
    browser.go("report.html")
    heights = browser.driver.execute_script(
        "return [...document.querySelectorAll('.facts th')].map((each) => each.clientHeight)"
    )
    assert heights and max(heights) < 60
