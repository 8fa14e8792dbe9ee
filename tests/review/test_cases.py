"""Cases: a decision of PHI opens one, people and commands say what was done, and nothing of it is lost."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from review.cases.cases import CaseError, Change, change_case
from review.models import AuditEntry, Case, CaseState, Referral, Verdict, Vote
from review.notify.counts import counts_for, counts_for_all
from review.notify.digest import queue_link
from review.referrals.intake import Intake
from review.referrals.voting import Judgement, decide, undo
from tests.review.conftest import make_user
from tests.review.made_rows import facts, many, row
from tests.review.test_access import browser

pytestmark = pytest.mark.usefixtures("database_url")
SQLITE = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


def decided(user: Any, count: int = 1, verdict: Verdict = Verdict.PHI) -> list[Referral]:
    """By the only reviewer, so that one vote decides."""
    Intake(facts()).take(many(count))
    referrals = list(Referral.objects.order_by("rank"))
    for referral in referrals:
        decide(referral.pk, user, Judgement(verdict, f"token-{referral.pk}"[:32]))
    return referrals


def test_a_decision_opens_a_case_and_another_makes_it_void() -> None:
    ann = make_user("ann", "reviewer")
    (referral,) = decided(ann)
    case = Case.objects.get()
    assert (case.state, case.assignee, case.due) == ("open", None, timezone.now().date() + timedelta(days=14))
    undo(Vote.objects.get().pk, ann)
    assert Case.objects.get().state == "void"
    with pytest.raises(CaseError):
        change_case(referral.pk, "ann", Change(state=CaseState.CLOSED))
    decide(referral.pk, ann, Judgement(Verdict.PHI, "again-again-again"))
    assert Case.objects.get().state == "open"
    decide(referral.pk, ann, Judgement(Verdict.NOT_PHI, "no-no-no-no-no-no"))
    assert Case.objects.get().state == "void"
    assert [event.after for event in case.events.all()] == [case.due.isoformat(), "void", "open", "void"]


def test_what_is_not_phi_has_no_case() -> None:
    decided(make_user("ann", "reviewer"), verdict=Verdict.NOT_PHI)
    assert not Case.objects.exists()


def test_a_new_round_leaves_the_case_until_it_is_decided() -> None:
    ann, bob = make_user("ann", "reviewer"), make_user("bob", "reviewer")
    known_by_name = [row("/srv/a", sha256=None)]  # other content is asked about as another referral
    Intake(facts()).take(known_by_name)
    referral = Referral.objects.get()
    for user in (ann, bob):
        decide(referral.pk, user, Judgement(Verdict.PHI, f"first-round-{user.username}"))
    change_case(referral.pk, "ann", Change(state=CaseState.CONTAINED))
    Intake(facts(2, "c")).take(known_by_name)
    decide(referral.pk, ann, Judgement(Verdict.NOT_PHI, "second-round-ann"))
    assert Case.objects.get().state == "contained"
    decide(referral.pk, bob, Judgement(Verdict.NOT_PHI, "second-round-bob"))
    assert Case.objects.get().state == "void"


def test_changes_are_history_and_on_record_and_what_stays_is_neither() -> None:
    ann = make_user("ann", "reviewer")
    (referral,) = decided(ann)
    change_case(referral.pk, "ann", Change(CaseState.TOLD, ann, date(2027, 1, 31), "rang the owner"))
    change_case(referral.pk, "ann", Change(CaseState.TOLD, ann, date(2027, 1, 31)))
    change_case(referral.pk, "leakscreen act", Change(CaseState.CLOSED, None, None))
    case = Case.objects.get()
    assert (case.state, case.assignee, case.due, case.closed is not None) == ("closed", None, None, True)
    assert [(event.actor, event.kind, event.after) for event in case.events.all()][1:] == [
        ("ann", "state", "told"),
        ("ann", "assignee", "ann"),
        ("ann", "due", "2027-01-31"),
        ("ann", "note", ""),
        ("leakscreen act", "state", "closed"),
        ("leakscreen act", "assignee", ""),
        ("leakscreen act", "due", ""),
    ]
    entries = AuditEntry.objects.filter(action="case")
    assert entries.count() == 2 and not entries.filter(details__contains="rang").exists()
    with pytest.raises(CaseError):
        change_case(referral.pk, "ann", Change(state=CaseState.VOID))


def test_decisions_of_earlier_versions_get_their_cases() -> None:
    ann = make_user("ann", "reviewer")
    phi, other = decided(ann, 2)
    decide(other.pk, ann, Judgement(Verdict.NOT_PHI, "no-no-no-no-no-no"))
    call_command("migrate", "review", "0015", verbosity=0)
    call_command("migrate", "review", verbosity=0)
    (case,) = Case.objects.all()
    assert (case.pk, case.state, case.due, case.events.count()) == (phi.pk, "open", None, 1)


def test_digests_count_the_cases_of_a_person_and_those_of_nobody(review_settings: Any) -> None:
    review_settings(url="https://review.example.org")
    ann, boss = make_user("ann", "reviewer"), make_user("boss", "manager")
    first, second, _ = decided(ann, 3)
    change_case(first.pk, "ann", Change(assignee=ann, due=date(2026, 1, 1)))
    change_case(second.pk, "ann", Change(state=CaseState.CLOSED))
    now = datetime.now(UTC)
    ((mine, link),) = [(each, queue_link(each)) for each in counts_for(ann, None, now)]
    assert (mine.new, mine.waiting, mine.overdue, link[26:]) == (1, 1, 1, "/cases/?assignee=me")
    ((open_ones, link),) = [(each, queue_link(each)) for each in counts_for(boss, now, now)]
    assert (open_ones.new, open_ones.waiting, open_ones.overdue, link[26:]) == (0, 1, 0, "/cases/?assignee=nobody")
    assert [each.waiting for each in counts_for_all(None, now)] == [2]


@SQLITE
def test_cases_are_found_by_what_is_known_of_them() -> None:
    ann = make_user("ann", "reviewer")
    first, second, third = decided(ann, 3)
    change_case(first.pk, "ann", Change(assignee=ann, due=date(2026, 1, 1)))
    change_case(second.pk, "ann", Change(state=CaseState.CLOSED, due=None))
    client = browser(ann)

    def seen(**query: str) -> list[str]:
        page = client.get(reverse("cases"), query).content.decode()
        return [referral.pk for referral in (first, second, third) if reverse("case", args=[referral.pk]) in page]

    assert seen() == [first.pk, third.pk] and seen(state="any") == [first.pk, second.pk, third.pk]
    assert seen(assignee="me") == seen(due="overdue") == seen(assignee=str(ann.pk)) == [first.pk]
    assert seen(assignee="nobody") == [third.pk] and seen(state="any", due="none") == [second.pk]
    assert seen(state="told") == seen(q="nowhere") == seen(page="9") == []
    assert seen(state="x", due="x", queue="x", assignee="x", page="x") == [first.pk, third.pk]


@SQLITE
def test_a_case_is_kept_as_one_document_without_values() -> None:
    ann = make_user("ann", "reviewer")
    Intake(facts()).take([row("/srv/<b>ward</b>.txt")])
    referral = Referral.objects.get()
    decide(referral.pk, ann, Judgement(Verdict.NOT_PHI, "a-mistake-a-mistake"))
    undo(Vote.objects.get().pk, ann)
    decide(referral.pk, ann, Judgement(Verdict.PHI, "token-token-token"))
    client = browser(ann)
    assert " by ann</dd>" in client.get(reverse("case", args=[referral.pk])).content.decode()
    client.post(reverse("case-change", args=[referral.pk]), {"note": "<i>rang</i> the owner", "assignee": "me"})
    one, all_of_them = (
        client.get(reverse(name, args=args)) for name, args in (("case-export", [referral.pk]), ("cases-export", []))
    )
    for response in (one, all_of_them):
        page = response.content.decode()
        assert "attachment" in response.headers["Content-Disposition"]
        assert "&lt;b&gt;ward" in page and "&lt;i&gt;rang" in page and "Assigned to ann" in page
        assert "src=" not in page and "href=" not in page and referral.sha256 in page
        assert "<dd>ann (PHI)</dd>" in page  # the vote that was taken back decided nothing
    assert AuditEntry.objects.filter(action="case export").count() == 2


@SQLITE
def test_nonsense_changes_nothing() -> None:
    ann = make_user("ann", "reviewer")
    (referral,) = decided(ann)
    outsider = make_user("ada", "auditor")
    for data in ({"state": "void"}, {"state": "x"}, {"due": "tomorrow"}, {"assignee": str(outsider.pk)}, {"note": " "}):
        browser(ann).post(reverse("case-change", args=[referral.pk]), data)
    assert Case.objects.get().events.count() == 1
