"""Files that are alike: found over a real scan, judged as one by choice, and never measured as if judged one by one."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from review.groups.grouping import group_referrals
from review.models import AuditEntry, PairedOpinion, Referral, State, Verdict, Vote
from review.referrals.agreement import agreement_by_week
from review.referrals.blind import make_blind
from review.referrals.intake import Intake
from review.referrals.labels import label_lines
from review.referrals.on_record import verify_all
from review.referrals.voting import Judgement, decide, undo
from screening.likeness import likeness
from tests.end_to_end.conftest import run_leakscreen
from tests.review.conftest import KEY as SERVICE_KEY
from tests.review.conftest import make_user
from tests.review.made_rows import facts, row
from tests.review.test_access import browser
from tests.screening.test_likeness import KEY, LETTER, PATIENTS, filled

pytestmark = pytest.mark.usefixtures("database_url")
SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def forms_and_a_letter() -> tuple[list[Referral], Referral]:
    """Three forms and a letter, as a scan writes their rows."""
    texts = [*map(filled, PATIENTS), LETTER]
    rows = [
        row(f"/srv/{number}.txt", text, distance=number / 10, likeness=likeness(text, ["a term"], KEY))
        for number, text in enumerate(texts)
    ]
    Intake(facts()).take(rows)
    assert group_referrals() == 3
    *forms, letter = Referral.objects.order_by("rank")
    return forms, letter


def judge_all(user: Any, group: str, verdict: str = "phi", members: list[str] | None = None) -> Any:
    client = browser(user)
    page = client.get(reverse("group", args=[group]))
    ids = members if members is not None else [str(each.pk) for each in Referral.objects.filter(group=group)]
    token = page.content.decode().split('name="token" value="')[1][:32]
    data = {"verdict": verdict, "token": token, "members": ids}
    client.post(reverse("group-judge", args=[group]), data)
    return client.post(reverse("group-judge", args=[group]), data, follow=True)  # sent twice


def test_forms_are_a_group_and_the_letter_is_alone() -> None:
    forms, letter = forms_and_a_letter()
    assert len({form.group for form in forms}) == 1 and forms[0].group in {form.pk for form in forms}
    assert letter.group is None
    before = dict(Referral.objects.values_list("pk", "group"))
    assert group_referrals() == 3 and dict(Referral.objects.values_list("pk", "group")) == before


def test_a_verdict_for_the_group_is_one_for_each_chosen_file_and_says_so() -> None:
    forms, letter = forms_and_a_letter()
    ann = make_user("ann", "reviewer")
    page = judge_all(ann, forms[0].group, members=[forms[0].pk, forms[1].pk, letter.pk])
    votes = Vote.objects.order_by("pk")
    assert {(vote.referral_id, vote.group) for vote in votes} == {(form.pk, form.group) for form in forms[:2]}
    assert "2 files judged as a group" in page.content.decode() and "by group" in page.content.decode()
    assert [Referral.objects.get(pk=form.pk).state for form in forms] == [State.DECIDED, State.DECIDED, State.WAITING]
    assert AuditEntry.objects.filter(action="decision", details__contains='"group":').count() == 2
    assert verify_all()[1] == []


def test_nothing_is_measured_with_it_until_somebody_judges_the_file_alone() -> None:
    forms, _ = forms_and_a_letter()
    ann, bob = make_user("ann", "reviewer"), make_user("bob", "reviewer")
    for user in (ann, bob):
        judge_all(user, forms[0].group)
    first = Referral.objects.get(pk=forms[0].pk)
    assert (first.decision, first.by_group, first.measured_decision) == ("phi", True, "")
    lines, exported = label_lines()
    assert (lines, exported.labels, exported.open_ends) == ([], 0, 4)
    assert not PairedOpinion.objects.exists() and agreement_by_week()[0].decided_twice == 0
    for user in (ann, bob):
        decide(first.pk, user, Judgement(Verdict.PHI, f"alone-alone-{user.username}"))
    first.refresh_from_db()
    assert (first.by_group, label_lines()[1].labels, PairedOpinion.objects.count()) == (False, 1, 1)


def test_a_ruling_on_the_file_decides_alone_and_an_undone_vote_for_a_group_is_gone() -> None:
    forms, _ = forms_and_a_letter()
    ann, bob, cleo = make_user("ann", "reviewer"), make_user("bob", "reviewer"), make_user("cleo", "adjudicator")
    judge_all(ann, forms[0].group, "phi", [forms[0].pk, forms[1].pk])
    judge_all(bob, forms[0].group, "not_phi", [forms[0].pk])
    decide(forms[0].pk, cleo, Judgement(Verdict.PHI, "ruling-ruling-ruling"))
    ruled = Referral.objects.get(pk=forms[0].pk)
    assert (ruled.decision, ruled.by_group) == ("phi", False)
    undo(Vote.objects.get(referral=forms[1].pk).pk, ann)
    assert Referral.objects.get(pk=forms[1].pk).state == State.WAITING


@SQLITE
def test_what_is_judged_blind_is_in_no_group() -> None:
    forms, _ = forms_and_a_letter()
    make_blind("scan-1", 1)
    ann = make_user("ann", "reviewer")
    assert browser(ann).get(reverse("group", args=[forms[0].group])).status_code == 404
    for page in (reverse("referral", args=[forms[0].pk]), reverse("list") + "?alike=one"):
        shown = browser(ann).get(page).content.decode()
        assert "like it" not in shown and "one of a group" not in shown


@SQLITE
def test_members_of_closed_queues_are_not_shown_and_not_judged(review_settings: Any) -> None:
    review_settings(queues=("ward=folder:/srv/0*",))
    forms, _ = forms_and_a_letter()
    closed = next(form for form in forms if form.queue.name == "ward")
    closed.queue.reviewers.set([make_user("bob", "reviewer")])
    ann = make_user("ann", "reviewer")
    page = judge_all(ann, forms[0].group).content.decode()
    assert "2 files that are alike" in page and "/srv/0.txt" not in page
    assert not Vote.objects.filter(referral=closed.pk).exists()


@SQLITE
def test_the_list_shows_files_that_are_alike_as_one() -> None:
    forms, letter = forms_and_a_letter()
    client = browser(make_user("ann", "reviewer"))
    page = client.get(reverse("list"), {"alike": "one"}).content.decode()
    assert "and 2 similar ones here" in page and reverse("referral", args=[letter.pk]) in page
    assert sum(reverse("referral", args=[form.pk]) in page for form in forms) == 1
    decide(forms[0].pk, User.objects.get(), Judgement(Verdict.PHI, "token-token-token"))
    assert "and 1 similar one here" in client.get(reverse("list"), {"alike": "one"}).content.decode()
    assert "2 other files are like it" in client.get(reverse("referral", args=[forms[0].pk])).content.decode()


@SQLITE
def test_a_real_scan_of_forms_and_letters(tmp_path: Path) -> None:
    share, home = tmp_path / "share", tmp_path / "home"
    share.mkdir()
    for number, patient in enumerate(PATIENTS):
        (share / f"form {number}.txt").write_text(filled(patient).replace("Name:", "Patient name:"), encoding="utf-8")
    letter = LETTER.replace("the patient,", "Margaret Okafor, born 1971-02-03, health card number 1234 567 897,")
    (share / "letter.txt").write_text(letter, encoding="utf-8")
    environ = {"LEAKSCREEN_SECRET_KEY": SERVICE_KEY, "LEAKSCREEN_REVIEW_DATABASE": f"sqlite:///{home}/r.sqlite3"}
    scanned = run_leakscreen(home, ["scan", share, "--out", tmp_path / "out", "--quiet"], environ=environ)
    referred = run_leakscreen(home, ["refer", tmp_path / "out", "--json"], environ=environ)
    assert (scanned.code, referred.code) == (0, 0), scanned.err + referred.err
    query = 'SELECT p.uri, r."group" FROM review_referralpath p JOIN review_referral r ON r.id = p.referral_id'
    with sqlite3.connect(home / "r.sqlite3") as database:
        groups = {Path(uri).stem: group for uri, group in database.execute(query)}
    assert referred.json["grouped"] == 3
    assert len({groups[f"form {number}"] for number in range(3)}) == 1 and groups["letter"] is None
    written = b"".join(file.read_bytes() for file in (tmp_path / "out").rglob("*.parquet"))
    assert b"undersigned" not in written
