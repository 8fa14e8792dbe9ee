"""Rows become referrals: once each, in the order of risk, with their history, however often they are taken in."""

from collections.abc import Callable
from typing import Any

import pytest

from review.models import Awaiting, Finding, Kind, Queue, Referral, ReferralPath, Scan, State, Verdict, Vote
from review.referrals.intake import Intake
from review.referrals.voting import Judgement, decide
from tests.review.conftest import make_user
from tests.review.made_rows import facts, many, row

pytestmark = pytest.mark.usefixtures("database_url")


def contents() -> list[Any]:
    rows = Referral.objects.order_by("pk").values_list(
        "pk", "state", "round", "queue__name", "rank", "previous", "last_scan"
    )
    return [
        *rows,
        *ReferralPath.objects.order_by("pk").values_list("pk", "uri", "current", "scan"),
        *Finding.objects.order_by("pk").values(),
    ]


def agree(referral: Referral, verdict: Verdict = Verdict.NOT_PHI) -> None:
    votes = Vote.objects.count()
    people = [make_user(f"{name}-{votes}", "reviewer") for name in ("first", "second")]
    for user in people:
        decide(referral.pk, user, Judgement(verdict, f"{user.username}{referral.pk}"[:32]))


def test_taking_in_twice_changes_nothing() -> None:
    first = Intake(facts()).take(many(50))
    before = contents()
    second = Intake(facts()).take(many(50))
    assert (first.new, second.new, second.known) == (50, 0, 50)
    assert contents() == before


def test_identical_content_is_one_referral_with_all_its_paths() -> None:
    Intake(facts()).take(
        [
            row("/srv/a", "same"),
            row("/srv/b", "same"),
            row("/srv/c", "other"),
            row("/srv/d", "same", source="/elsewhere"),
        ]
    )
    assert Referral.objects.count() == 3
    assert sorted(Referral.objects.get(paths__uri="/srv/a").paths.values_list("uri", flat=True)) == ["/srv/a", "/srv/b"]


def test_a_file_without_a_hash_stands_for_itself() -> None:
    Intake(facts()).take([row("/srv/a", sha256=None), row("/srv/b", sha256=None)])
    assert Referral.objects.count() == 2


def test_the_order_is_risk_and_then_health_distance() -> None:
    rows = [
        row("/srv/1", risk="low", distance=0.1),
        row("/srv/2", risk="high", distance=0.9),
        row("/srv/3", risk="high", distance=0.2),
    ]
    rows += [row("/srv/4", risk="high", distance=None), row("/srv/5", risk="medium", distance=0.0)]
    Intake(facts()).take(rows)
    assert list(Referral.objects.order_by("rank").values_list("paths__uri", flat=True)) == [
        "/srv/3",
        "/srv/2",
        "/srv/4",
        "/srv/5",
        "/srv/1",
    ]


def test_what_was_decided_under_the_same_rules_is_not_asked_again() -> None:
    Intake(facts(1)).take([row("/srv/a", "same")])
    agree(Referral.objects.get())
    taken = Intake(facts(2)).take([row("/srv/a", "same"), row("/srv/copy", "same")])
    referral = Referral.objects.get()
    assert (taken.asked_again, referral.state, referral.round) == (0, State.DECIDED, 1)
    assert referral.paths.count() == 2


@pytest.mark.parametrize("verdict", [Verdict.PHI, Verdict.NOT_PHI])
def test_a_verdict_outlives_the_rules(verdict: Verdict) -> None:
    Intake(facts(1, "a")).take([row("/srv/a", risk="medium")])
    agree(Referral.objects.get(), verdict)
    fewer = {"last_name": 1}
    taken = Intake(facts(2, "d")).take([row("/srv/a", risk="low", distance=0.7, pii_counts=fewer, chars=900)])
    referral = Referral.objects.get()
    assert (taken.asked_again, referral.state, referral.round) == (0, State.DECIDED, 1)
    assert (referral.decision, referral.rules_sha256, referral.risk) == (verdict, "d" * 64, "low")


MORE = [
    {"pii_counts": {"last_name": 2, "phone_number": 1, "health_number": 1}},
    {"risk": "high"},
    {"chars": 1_101},
    {"people": 3},
]


@pytest.mark.parametrize("more", MORE, ids=lambda more: next(iter(more)))
def test_what_nobody_was_shown_is_asked_about_and_the_history_kept(more: dict[str, Any]) -> None:
    Intake(facts(1, "a")).take([row("/srv/a", risk="medium")])
    agree(Referral.objects.get())
    now = row("/srv/a", **{"risk": "medium", **more})
    taken = Intake(facts(2, "d")).take([now])
    referral = Referral.objects.get()
    assert (taken.asked_again, referral.state, referral.round, referral.decision) == (1, State.WAITING, 2, "")
    assert [vote.round for vote in referral.votes.all()] == [1, 1]
    assert Intake(facts(2, "d")).take([now]).asked_again == 0


@pytest.mark.parametrize("more", MORE, ids=lambda more: next(iter(more)))
def test_what_is_phi_is_phi_whatever_else_is_found(more: dict[str, Any]) -> None:
    Intake(facts(1, "a")).take([row("/srv/a", risk="medium")])
    agree(Referral.objects.get(), Verdict.PHI)
    taken = Intake(facts(2, "d")).take([row("/srv/a", **{"risk": "medium", **more})])
    assert (taken.asked_again, Referral.objects.get().decision) == (0, Verdict.PHI)


def test_a_file_that_only_its_name_identifies_is_asked_about_under_other_rules() -> None:
    Intake(facts(1, "a")).take([row("/srv/a", sha256=None)])
    agree(Referral.objects.get(), Verdict.PHI)
    assert Intake(facts(2, "d")).take([row("/srv/a", sha256=None)]).asked_again == 1


def test_changed_content_is_asked_about_with_what_was_there_before() -> None:
    Intake(facts(1)).take([row("/srv/a", "one")])
    before = Referral.objects.get()
    agree(before)
    Intake(facts(2)).take([row("/srv/a", "two")])
    after = Referral.objects.exclude(pk=before.pk).get()
    assert (after.state, after.previous_id) == (State.WAITING, before.pk)
    assert [path.current for path in before.paths.all()] == [False]
    before.refresh_from_db()
    assert before.state == State.DECIDED


def test_nobody_is_asked_about_content_that_is_gone() -> None:
    Intake(facts(1)).take([row("/srv/a", "one"), row("/srv/b", "one"), row("/srv/c", "three")])
    taken = Intake(facts(2)).take([row("/srv/a", "two"), row("/srv/c", "four")])
    assert taken.superseded == 1  # one is still at /srv/b
    gone = Referral.objects.get(state=State.SUPERSEDED)
    assert (gone.wants, [path.uri for path in gone.paths.all()]) == (Awaiting.NOBODY, ["/srv/c"])
    Intake(facts(3)).take([row("/srv/c", "three")])
    gone.refresh_from_db()
    assert (gone.state, gone.round, gone.paths.get().current) == (State.WAITING, 2, True)


def test_an_older_scan_undoes_nothing() -> None:
    Intake(facts(2)).take([row("/srv/a", "two")])
    Intake(facts(1)).take([row("/srv/a", "one")])
    assert ReferralPath.objects.get(current=True).referral.sha256 == row("/srv/a", "two")["sha256"]
    before = contents()
    Intake(facts(2)).take([row("/srv/a", "two")])
    assert contents() == before


@pytest.mark.parametrize(
    ("uri", "owner", "source", "queue"),
    [
        ("/srv/radiology/x/a.txt", "ann", "/srv", "radiology"),
        ("/srv/radiology2/a.txt", "ann", "/srv", "general"),
        ("/srv/a.txt", "hr-bob", "/srv", "people"),
        ("/media/usb/a.txt", "ann", "/media/usb", "sticks"),
        ("/srv/a.txt", "ann", "/srv", "general"),
    ],
)
def test_queues_are_chosen_by_the_routing_table(
    review_settings: Callable[..., None], uri: str, owner: str, source: str, queue: str
) -> None:
    review_settings(queues=("radiology=folder:/srv/radiology", "people=owner:hr-*", "sticks=source:/media/*"))
    Intake(facts()).take([row(uri, owner=owner, source=source)])
    assert Referral.objects.get().queue == Queue.objects.get(name=queue)


def test_hostile_names_come_through() -> None:
    names = [
        "/srv/%FF%FE",
        "/srv/\0zero",
        "/srv/=cmd()",
        "/srv/<script>alert(1)</script>",
        "/srv/\u202egnp.exe",
        "/srv/" + "x" * 9_000,
        "/srv/a\nb",
        "/srv/'; DROP",
    ]
    rows = [row(name, path=b"/srv/\xff\xfe" if "%FF" in name else None) for name in names]
    rows[1]["evidence"] = [
        {"characteristic": "email", "masked": "a\0b", "start": 1, "end": 2, "hmac": "", "where": "\0"}
    ]
    Intake(facts()).take(rows)
    assert set(ReferralPath.objects.values_list("uri", flat=True)) == {name.replace("\0", "%00") for name in names}
    assert bytes(ReferralPath.objects.get(uri="/srv/%FF%FE").path) == b"/srv/\xff\xfe"


def test_a_negative_and_a_referral_of_the_same_content_are_apart() -> None:
    Intake(facts()).take([row("/srv/a")])
    Intake(facts(), Kind.NEGATIVE).take([row("/srv/a", stratum="negative", probability="2/7")])
    negative = Referral.objects.get(kind=Kind.NEGATIVE)
    assert (negative.probability, negative.state, Referral.objects.count()) == ("2/7", State.WAITING, 2)
    assert Scan.objects.get().taken_in is not None
