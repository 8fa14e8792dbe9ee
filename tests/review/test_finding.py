"""Finding again, and not finding again: saved views, and what later scans ignore."""

import dataclasses
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import timezone, translation

from core.records import Segment
from review.ignoring.ignoring import folders_of
from review.models import AuditEntry, Referral, SavedView
from review.referrals.intake import Intake
from screening.privacy.key import fingerprint, load_key
from screening.ruleset.allowlist import active, load_entries
from screening.ruleset.ruleset import rules_of
from screening.screen import Screen
from tests.review.conftest import make_user
from tests.review.made_rows import facts, many, row
from tests.review.test_access import browser

pytestmark = [
    pytest.mark.usefixtures("database_url"),
    pytest.mark.parametrize("database_url", ["sqlite"], indirect=True),
]
LETTER = "Patient: Margaret Okafor, e-mail margaret.okafor@example.org.\nDiagnosis: type 2 diabetes mellitus.\n"


def test_a_view_is_saved_opened_shared_and_removed() -> None:
    Intake(facts()).take(many(6))
    ann, bob = make_user("ann", "reviewer"), make_user("bob", "reviewer")
    client = browser(ann)
    page = client.post(
        reverse("view-save"), {"name": " high  ones ", "query": "risk=high&owner=ann&evil=1"}, follow=True
    )
    view = SavedView.objects.get()
    assert (view.name, view.query, view.shared) == ("high ones", "owner=ann&risk=high", False)
    assert page.redirect_chain[-1][0] == f"/referrals/?owner=ann&risk=high&view={view.pk}"
    assert b"high ones" in page.content and page.content.count(b'class="risk high"') == 2
    assert browser(bob).get(reverse("view", args=[view.pk])).status_code == 404
    client.post(reverse("view-save"), {"name": "high ones", "query": "risk=low", "shared": "on"})
    assert SavedView.objects.get().query == "risk=low"
    assert b"high ones" in browser(bob).get(reverse("view", args=[view.pk]), follow=True).content
    assert browser(bob).post(reverse("view-remove", args=[view.pk])).status_code == 404
    client.post(reverse("view-remove", args=[view.pk]))
    client.post(reverse("view-save"), {"name": " ", "query": "risk=low"})
    assert not SavedView.objects.exists()


def test_every_filter_speaks_the_readers_language() -> None:
    Intake(facts()).take([row("/srv/a.txt", media_type="text/plain")])
    client = browser(make_user("ann", "reviewer"))
    for language, words in (("fr", "texte brut"), ("en", "plain text"), ("fr", "texte brut")):
        with translation.override(language):
            page = client.get(reverse("list"), headers={"accept-language": language}).content.decode()
        assert f'<option value="text/plain">{words}</option>' in page
    chosen = client.get(reverse("list"), {"type": "text/plain", "rule": "email"}).content.decode()
    assert '<option value="text/plain" selected>' in chosen and '<option value="email" selected>' in chosen


def test_folders_of_a_file_are_offered_from_the_nearest_up_to_the_second_level() -> None:
    assert folders_of("/srv/share/ward 7/a.zip!b/c.txt") == [
        "/srv/share/ward 7/a.zip!b",
        "/srv/share/ward 7",
        "/srv/share",
    ]
    assert folders_of("/srv/a.txt") == folders_of("a.txt") == []


@pytest.fixture
def allow_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LEAKSCREEN_HMAC_KEY", "0123456789abcdef" * 4)
    file = tmp_path / "allow.toml"
    here = settings.LEAKSCREEN
    rules = dataclasses.replace(here.rules, allow=(str(file),))
    monkeypatch.setattr(settings, "LEAKSCREEN", dataclasses.replace(here, rules=rules))
    return file


def screened(uri: str, allow: Path | None = None) -> Any:
    """As a scan screens the letter, with the allow list of the day."""
    rules, key = rules_of(settings.LEAKSCREEN.rules), load_key("")
    entries = load_entries([str(allow)] if allow else [], [each.id for each in rules.characteristics])
    screen = Screen(rules, key, allowed=active(entries, timezone.now().date(), fingerprint(key)))
    return screen.screen((Segment("text", LETTER),), uri=uri)


def ask_to_ignore(what: str, user: Any, referral: Referral, days: int = 30, reason: str = "our own test data") -> str:
    until = (timezone.now().date() + timedelta(days=days)).isoformat()
    data = {"what": what, "reason": reason, "expires": until}
    return str(browser(user).post(reverse("ignore", args=[referral.pk]), data, follow=True).content.decode())


def test_what_is_ignored_is_not_found_by_the_next_screening(allow_file: Path) -> None:
    uri = "/srv/share/tests [old]/letter.txt"
    before = screened(uri)
    evidence = [dataclasses.asdict(piece) for piece in before.evidence]
    mail = next(piece for piece in evidence if piece["characteristic"] == "email")
    Intake(facts()).take([row(uri, LETTER, evidence=evidence)])
    referral, boss = Referral.objects.get(), make_user("boss", "manager", "auditor")
    assert (
        "folder:/srv/share/tests [old]" in browser(boss).get(reverse("referral", args=[referral.pk])).content.decode()
    )

    assert "until" in ask_to_ignore(f"value:email:{mail['hmac']}", boss, referral)
    counts = dict(screened("/srv/other/letter.txt", allow_file).counts)
    assert "email" in dict(before.counts) and "email" not in counts and "last_name" in counts

    ask_to_ignore("folder:/srv/share/tests [old]", boss, referral)
    assert not screened(uri, allow_file).positive and "last_name" not in dict(screened(uri, allow_file).counts)
    assert "last_name" in dict(screened("/srv/share/tests o/letter.txt", allow_file).counts)
    page = browser(boss).get(reverse("ignored")).content.decode()
    assert "our own test data" in page and "tests [[]old]/*" in page and "okafor" not in allow_file.read_text().lower()
    assert AuditEntry.objects.filter(action="ignore").count() == 2


def test_what_cannot_be_ignored_leaves_the_list_as_it_is(allow_file: Path) -> None:
    Intake(facts()).take([row("/srv/share/a/letter.txt")])
    referral, boss = Referral.objects.get(), make_user("boss", "manager")
    for what, days, reason in (
        ("folder:/srv", 30, "x"),
        ("folder:/etc/passwd", 30, "x"),
        ("value:email:" + "0" * 32, 30, "x"),
        ("folder:/srv/share/a", 0, "x"),
        ("folder:/srv/share/a", 5_000, "x"),
        ("folder:/srv/share/a", 30, " "),
        ("everything", 30, "x"),
    ):
        assert 'class="error"' in ask_to_ignore(what, boss, referral, days, reason), what
    asked = {"what": "everything", "reason": "x", "expires": "2099-01-01"}
    with translation.override("fr"):  # which is reset afterwards
        answer = browser(boss).post(
            reverse("ignore", args=[referral.pk]), asked, headers={"accept-language": "fr"}, follow=True
        )
    assert "Choisissez un dossier ou une valeur." in answer.content.decode()
    assert not allow_file.exists()
    allow_file.write_text("broken")
    assert "cannot be used" in ask_to_ignore("folder:/srv/share/a", boss, referral)
    assert allow_file.read_text() == "broken"
    assert 'role="alert"' in browser(boss).get(reverse("ignored")).content.decode()


def test_without_an_allow_list_nothing_is_offered() -> None:
    Intake(facts()).take([row("/srv/share/a/letter.txt")])
    referral, boss = Referral.objects.get(), make_user("boss", "manager")
    assert "Ignore from now on" not in browser(boss).get(reverse("referral", args=[referral.pk])).content.decode()
    assert "rules.allow" in ask_to_ignore("folder:/srv/share/a", boss, referral)
