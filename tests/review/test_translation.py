"""Pages in English and French: nothing is left unmarked or without a French text, and a browser gets its language."""

import ast
import gettext
import re
import shutil
import subprocess
import sys
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from selenium.webdriver.common.by import By

import review
from core import in_words
from review import vocabulary
from review.api.scope import WORDS
from review.models import Kind, Referral
from review.referrals.intake import Intake
from review.referrals.search import ORDERS, STATES
from review.templatetags.wording import day, moment, place_words, size_words, words
from tests.review.browsing import DESKTOP, PHONE, Browser
from tests.review.conftest import make_user
from tests.review.made_rows import facts, row
from tests.review.test_access import browser as client_of

ROOM = Path(review.__file__).parent
CATALOG = ROOM / "locale" / "fr" / "LC_MESSAGES"
PAGES = sorted(path for path in (ROOM / "templates").rglob("*.html"))
_MARKED = re.compile(r"\{%\s*blocktranslate.*?endblocktranslate\s*%\}|\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", re.DOTALL)
_SHOWN = re.compile(r"<(?:code|kbd|style)\b.*?</(?:code|kbd|style)>|<!doctype[^>]*>", re.DOTALL)
_ATTRIBUTE = re.compile(r'\b(?:aria-label|title|placeholder|alt)="([^"]*)"')
_WORD = re.compile(r"[A-Za-z]{2,}")
_NAMES = {"leakscreen", "HTML", "JSON"}  # that no language changes


def unmarked(page: str) -> list[str]:
    """Words that a reader would see in English whatever the language: between tags, or in what is read aloud."""
    plain = _SHOWN.sub("", _MARKED.sub("", page))
    texts = [*re.sub(r"<[^>]*>", "\n", plain).split("\n"), *_ATTRIBUTE.findall(plain)]
    return [text.strip() for text in texts if set(_WORD.findall(text)) - _NAMES]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_no_page_has_words_that_are_not_marked(path: Path) -> None:
    assert unmarked(path.read_text(encoding="utf-8")) == []


def test_unmarked_words_are_found() -> None:
    page = '<p title="Say why">{% translate "Why" %} so <b>{{ name }}</b></p><img alt="a dog"><code>make x</code>'
    assert unmarked(page) == ["so", "Say why", "a dog"]


def texts_in(path: Path) -> dict[Any, str]:
    with path.open("rb") as file:
        return gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined,no-any-return]


def test_the_catalog_is_whole_and_compiled(tmp_path: Path) -> None:
    """Made anew from the room as it is: `make messages` does the same."""
    room = tmp_path / "review"
    shutil.copytree(ROOM, room, ignore=shutil.ignore_patterns("__pycache__", "static", "migrations"))
    made = ["makemessages", "--locale", "fr", "--no-location", "--no-obsolete", "--no-wrap", "-v", "0"]
    subprocess.run([sys.executable, "-m", "django", *made], cwd=room, check=True)
    fresh = (room / "locale" / "fr" / "LC_MESSAGES" / "django.po").read_text(encoding="utf-8")
    assert "#, fuzzy" not in fresh
    missing = re.findall(r'^msgid (".*")\n(?:msgid_plural .*\n)?msgstr(?:\[0\])? ""$', fresh, flags=re.MULTILINE)
    assert [text for text in missing if text != '""'] == []
    compiled = tmp_path / "fresh.mo"
    subprocess.run(["msgfmt", "--check-format", "-o", str(compiled), str(CATALOG / "django.po")], check=True)
    assert texts_in(compiled) == texts_in(CATALOG / "django.mo"), "run make messages"


def test_every_refusal_that_a_page_shows_is_translated() -> None:
    """The sentences of these errors are shown as they are."""
    shown = {"CaseError", "IgnoreError", "NotYoursError", "NotYoursToMarkError", "RefusedError"}
    plain = [
        f"{path.relative_to(ROOM)}:{call.lineno}"
        for path in ROOM.rglob("*.py")
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in shown
        if call.args and isinstance(call.args[0], ast.Constant | ast.JoinedStr)
    ]
    assert plain == []


def known() -> set[str]:
    return {word for name in dir(vocabulary) if name.isupper() for word in getattr(vocabulary, name)}


def test_words_that_programs_write_are_in_the_vocabulary() -> None:
    rules = tomllib.loads((ROOM.parent / "screening" / "rules" / "vector.toml").read_text(encoding="utf-8"))
    with translation.override("en"):
        wanted = {words(each["id"]) for each in rules["characteristic"]}
    wanted |= set(in_words._WORDS.values()) | set(STATES) | {order.words for order in ORDERS.values()}
    wanted |= {kind.value for kind in Kind} | set(WORDS.values())
    assert wanted - known() == set()


@pytest.mark.parametrize(
    ("language", "french"),
    [("fr", True), ("fr-CA,fr;q=0.9", True), ("fr-FR", True), ("de,en;q=0.5", False), ("", False)],
)
@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.usefixtures("database_url")
def test_a_page_comes_in_the_browsers_language(language: str, french: bool) -> None:
    page = Client(SERVER_NAME="localhost", HTTP_ACCEPT_LANGUAGE=language).get("/login/")
    assert ("Se connecter" in page.content.decode()) == french
    assert "Accept-Language" in page.headers["Vary"]
    assert ('<html lang="fr' in page.content.decode()) == french


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.usefixtures("database_url")
def test_every_page_comes_in_french() -> None:
    Intake(facts()).take([row("/srv/a.txt", "one"), row("/srv/b.txt", "two", risk="low")])
    referral = Referral.objects.order_by("rank")[0]
    person = client_of(make_user("ann", "reviewer", "manager", "adjudicator", "auditor"))
    names = ("home", "list", "cases", "scans", "scans-compare", "agreement", "samples", "ignored", "audit", "people")
    boards = ("dashboard", "dashboard-time", "dashboard-compare", "dashboard-what-if", "dashboard-queues")
    others = ("dashboard-scan", "dashboard-folders", "person-new", "marking", "tokens", "password", "audit-check")
    addresses = [*map(reverse, (*names, *boards, *others)), reverse("referral", args=[referral.pk])]
    english = re.compile(r">\s*(?:Overview|Show|Save|Name|Scan|Rule|Reason|Waiting|Owner)\s*<")
    for address in addresses:
        page = person.get(address, headers={"Accept-Language": "fr"})
        assert page.status_code == 200, address
        assert english.findall(page.content.decode()) == [], address


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.usefixtures("database_url")
def test_dates_numbers_and_units_follow_the_locale() -> None:
    at = datetime(2026, 3, 4, 5, 6, tzinfo=UTC)
    expected = {
        "en": ("Mar 4, 2026", "Mar 4, 2026, 05:06", "32.1 kB"),
        "en-ca": ("2026-03-04", "2026-03-04 05:06", "32.1 kB"),
        "en-gb": ("04/03/2026", "04/03/2026 05:06", "32.1 kB"),
        "fr": ("04/03/2026", "04/03/2026 05:06", "32,1 ko"),
        "fr-ca": ("2026-03-04", "2026-03-04 05\u00a0h\u00a006", "32,1 ko"),
    }
    for language, (its_day, its_moment, size) in expected.items():
        with translation.override(language):
            assert (day(at), size_words(32_100)) == (its_day, size), language
            assert moment(at).startswith(its_moment), language
    with translation.override("fr"):
        assert (words("not_phi"), place_words("rows 2 to 1,004")) == (
            "pas de renseignements de santé",
            "lignes 2 à 1\u00a0004",
        )


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_a_french_reader_judges_by_keyboard(browser: Browser) -> None:
    Intake(facts()).take([row("/srv/a.txt", "one"), row("/srv/b.txt", "two", risk="low")])
    first, other = Referral.objects.order_by("rank")
    Referral.objects.update(group=first.pk, double=False)
    browser.driver.execute_cdp_cmd("Network.enable", {})
    browser.driver.execute_cdp_cmd("Network.setExtraHTTPHeaders", {"headers": {"Accept-Language": "fr-CA,fr;q=0.9"}})
    try:
        browser.log_in(make_user("ann", "reviewer", "manager"))
        assert "vous attendent" in browser.text
        browser.keys("\ue007", leaves=True)
        assert "Votre verdict" in browser.text and "Renseignements de santé" in browser.text
        browser.keys("p", leaves=True)
        for size, scheme in ((DESKTOP, "light"), (PHONE, "dark")):
            browser.look(size, scheme)
            judged = (f"/case/{first.pk}/", f"/group/{first.pk}/", f"/referral/{other.pk}/", "/cases/", "/breach/")
            boards = ("/dashboard/", "/dashboard/scan/", "/dashboard/queues/")
            for path in ("/", "/referrals/", *judged, *boards, "/scans/", "/tokens/", "/people/", "/marking/"):
                browser.go(path)
                assert browser.driver.find_element(By.TAG_NAME, "html").get_attribute("lang") == "fr-ca"
                assert browser.faults() == [] and browser.sideways() <= 0 and browser.small_targets() == [], path
        assert browser.complaints() == []
    finally:
        browser.driver.execute_cdp_cmd("Network.setExtraHTTPHeaders", {"headers": {}})
