"""French by the front door: every page of a real scan is asked for in French, and no English word is on it."""

import ast
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.utils import translation
from lxml import html

import extraction
import review
from core.settings import load_settings
from leakscreen.breach.languages import phrases
from leakscreen.commands.browser_breach import BrowserBreach
from leakscreen.commands.refer import refer
from leakscreen.demo.people import make_people
from review import vocabulary
from review.accounts.roles import Role
from review.api.tokens import make_token
from review.breach import reporting
from review.marking.marking import make_session
from review.models import Referral, SavedView, Verdict
from review.models.action import Wish
from review.referrals.voting import Judgement, decide
from review.scan_reasons import PHRASES, reason_in_words
from review.templatetags.wording import rule_words
from tests.end_to_end.test_people import letter
from tests.review.conftest import KEY, make_user
from tests.review.test_access import ADDRESSES, address_of
from tests.review.test_access import browser as client_of

ROOT = Path(review.__file__).parent.parent
# Short words without which English is hardly written, and that French and the names of this test's files do not have.
ENGLISH = re.compile(
    r"\b(the|and|with|was|were|is|are|not|this|that|from|by|which|who|for|of|to|has|have|name|number|rule|"
    r"birth|health|letter|people|person|reason|row|read|found|none|unknown|open|closed|time|phone|address|password)\b",
    re.IGNORECASE,
)
# What is not ours to translate: paths, what people wrote, what is typed into a shell, numbers of a scan.
NOT_OURS = (
    *("code", "kbd", "script", "style", "q", "option[contains(., '/')]"),
    *("*[contains(@class, 'path')]", "*[contains(@class, 'term')]", "*[@class='text']"),
)
CONTENT = re.compile(r"(?<=de santé).*|/\S+|[a-z]+:[a-z]+")  # medical terms of a file, paths and scopes
NO_PAGES = {"alive", "breach-file", "labels", "scans-progress", "cases-export", "case-export"}


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Letters of patients, and files that cannot be examined for different reasons."""
    place = tmp_path_factory.mktemp("lettres")
    share = place / "partage"
    share.mkdir()
    for number, person in enumerate(make_people(Random(4), 4)):
        (share / f"lettre {number}.txt").write_text(letter(person) + f"Address: {person.address}\nDiagnosis: asthma.\n")
    (share / "abîmé.pdf").write_bytes(b"%PDF-1.7\n1 0 obj <<>>\n")
    (share / "abîmé.docx").write_bytes(b"PK\x03\x04" + bytes(40))
    (share / "lien").symlink_to(share / "abîmé.pdf")
    (share / "binaire").write_bytes(bytes(range(256)) * 40)
    with zipfile.ZipFile(share / "profond.zip", "w") as archive:
        archive.writestr("vide.txt", "")
    command = (sys.executable, "-m", "leakscreen", "scan", share, "--out", place / "out", "--json", "--workers", "1")
    environ = {**os.environ, "LEAKSCREEN_HMAC_KEY": KEY, "HOME": str(place)}
    done = subprocess.run(command, env=environ, capture_output=True, check=False)
    assert done.returncode in (0, 3), done.stderr
    return next((place / "out").glob("scan=*"))


@pytest.fixture
def served(scanned: Path, database_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Referral]]:
    """As `serve` would, with decisions of each kind."""
    monkeypatch.setenv("LEAKSCREEN_HMAC_KEY", KEY)
    monkeypatch.setenv("LEAKSCREEN_SECRET_KEY", KEY)
    refer(str(scanned), load_settings({"review.database": database_url}, environ={}))
    reporting.install(BrowserBreach())
    Referral.objects.update(double=False)
    referrals = sorted(Referral.objects.all(), key=lambda each: each.paths.get().uri)
    assert len(referrals) >= 3, "nothing is on the pages otherwise"
    for referral, verdict in zip(referrals, (Verdict.PHI, Verdict.NOT_PHI), strict=False):
        there = ("first_name", "phone_number")
        decide(referral.pk, make_user(f"ann{verdict}", "reviewer"), Judgement(verdict, f"by {referral.pk}"[:32], there))
    Referral.objects.update(group=referrals[0].pk)
    yield referrals
    reporting._installed.clear()


def shown(page: bytes) -> list[str]:
    """What a reader sees or hears, without what is not ours."""
    tree = html.document_fromstring(page.decode())
    for kind in NOT_OURS:
        for node in tree.xpath(f"//{kind}"):
            tail = node.tail or ""
            node.clear()
            node.tail = tail
    texts = [str(text).strip() for text in tree.xpath("//body//text()")]
    attributes = "//body//@aria-label | //body//@title | //body//@placeholder | //body//@alt"
    return [text for text in (*texts, *tree.xpath(attributes)) if text]


def english_in(page: bytes) -> list[str]:
    return sorted({text for text in shown(page) if ENGLISH.search(CONTENT.sub("", text))})


def addresses(person: Any, referrals: list[Referral]) -> dict[str, str]:
    keys = {
        "referral": referrals[0].pk,
        "person": person.pk,
        "session": make_session("séance", "mia").pk,
        "view": SavedView.objects.create(owner=person, name="vue", query="risk=high").pk,
        "token": make_token(person, "essai", ["scans:read"], 30, "mia")[0].pk,
    }
    pages = {
        name: address_of(name, keys)
        for name, address in ADDRESSES.items()
        if not address.post and not address.off and name not in NO_PAGES
    }
    waiting = reversed_of("referral", referrals[2].pk)
    compared = f"{pages['dashboard-compare']}?first=referred&second=name-with-birth-date"
    tried = f"{pages['dashboard-what-if']}?rule=name-with-birth-date&radius=1"
    breach = f"{pages['breach']}?discovered=2026-11-01"
    extra = {"waiting": waiting, "compared": compared, "tried": tried, "breach with a day": breach}
    exports = {"export": reversed_of("case-export", referrals[0].pk)}
    return pages | extra | exports


def reversed_of(name: str, key: str) -> str:
    return address_of(name, {"referral": key})


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_no_page_has_an_english_word(served: list[Referral]) -> None:
    person = make_user("zoe", *Role)
    client = client_of(person)
    found: dict[str, list[str]] = {}
    for name, address in addresses(person, served).items():
        page = client.get(address, headers={"Accept-Language": "fr-CA,fr;q=0.9"}, follow=True)
        assert page.status_code == 200, (name, page.status_code)
        found[name] = english_in(page.content)
    assert {name: words for name, words in found.items() if words} == {}


def test_english_words_would_be_found() -> None:
    page = b"<body><p title='Say why'>Le <code>make the</code> choix</p><p>row 3</p><p class=path>the/file</p></body>"
    assert english_in(page) == ["row 3"]
    client = Client(SERVER_NAME="localhost")
    assert english_in(client.get("/login/").content) != [], "in English, a page is full of them"


def reasons() -> set[str]:
    """What extraction writes where it gives up on a file, with a number in place of what it fills in."""
    found: set[str] = set()
    for file in Path(extraction.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("StoppedError", "ObjectError", "LimitError"):
                found |= {text for argument in node.args for text in _texts(argument)}
    return found


def _texts(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.JoinedStr):
        return ["".join(str(part.value) if isinstance(part, ast.Constant) else "7" for part in node.values)]
    if isinstance(node, ast.IfExp):
        return [*_texts(node.body), *_texts(node.orelse)]
    return [text for value in node.values for text in _texts(value)] if isinstance(node, ast.BoolOp) else []


def test_every_reason_of_a_parser_has_french_words() -> None:
    wanted = reasons() | set(PHRASES)
    assert len(wanted) > 150
    with translation.override("fr"):
        spoken = {reason: reason_in_words(reason) for reason in wanted}
        detailed = {
            "corrupt (BadZipFile)": "corrompu (BadZipFile)",
            "text limit (400,000,000 bytes)": "limite de texte (400\u00a0000\u00a0000 octets)",
            "time limit (120 s) while it was fetched": "limite de temps (120 s), pendant le téléchargement",
            "corrupt (PdfiumError), some pages may be missing": "corrompu (PdfiumError), il peut manquer des pages",
            "language not judged (nl)": "langue non prise en charge (nl)",
            "encrypted by OpenPGP": "chiffré par OpenPGP",
            "something new": "something new",
        }
        assert {reason: reason_in_words(reason) for reason in detailed} == detailed
    left = {reason: said for reason, said in spoken.items() if ENGLISH.search(said) or reason == said}
    assert set(left) - {"7: 7", "7 on 7 pages", "socket", "%s s", "%s pixels", "time limit"} == set(), left
    with translation.override("en"):
        assert {reason: reason_in_words(reason) for reason in wanted} == {reason: reason for reason in wanted}


def test_rules_actions_and_laws_have_french_words() -> None:
    rules = tomllib.loads((ROOT / "screening" / "rules" / "screening.toml").read_text(encoding="utf-8"))["rule"]
    marked = {word for name in dir(vocabulary) if name.isupper() for word in getattr(vocabulary, name)}
    with translation.override("en"):
        assert {rule_words(rule["id"]) for rule in rules} - marked == set()
    asked = {f"act {wish.value}" for wish in Wish if wish}
    assert (actions() - {"act 7"}) | asked <= marked
    known = phrases("fr-ca")
    laws = tomllib.loads((ROOT / "leakscreen" / "breach" / "duties.toml").read_text(encoding="utf-8"))["law"]
    words = {law[key] for law in laws for key in ("name", "source", "whom", "against", "note")}
    words |= {duty[key] for law in laws for duty in law["duty"] for key in ("notify", "by")}
    groups = tomllib.loads((ROOT / "leakscreen" / "breach" / "diagnoses.toml").read_text(encoding="utf-8"))["group"]
    words |= {group["name"] for group in groups}
    assert words == set(known)
    assert phrases("en") == {}


def actions() -> set[str]:
    """What the audit log calls what was done."""
    found: set[str] = set()
    for file in (ROOT / "review").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "record" and len(node.args) > 1:
                found |= set(_texts(node.args[1]))
    return found
