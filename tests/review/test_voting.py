"""Votes: kept for ever, counted once, blind to each other, and never two people on one referral."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import DatabaseError, connection, transaction

from review.models import FrozenError, Note, Queue, Referral, State, Verdict, Vote
from review.referrals.intake import Intake
from review.referrals.leases import lease_to, open_to, take_next, turns_of, waiting_for
from review.referrals.voting import Judgement, NotYoursError, decide, undo
from tests.review.conftest import make_user
from tests.review.made_rows import facts, many, row

pytestmark = pytest.mark.usefixtures("database_url")


def judge(user: User, referral: Referral, verdict: Verdict, note: str = "") -> Vote:
    vote: Vote = decide(
        referral.pk, user, Judgement(verdict, f"{user.username}-{Vote.objects.count()}", ("phone_number",), note)
    )
    return vote


@pytest.fixture
def people(database_url: str) -> dict[str, User]:
    roles = {
        "ann": ["reviewer"],
        "bob": ["reviewer"],
        "cleo": ["reviewer", "adjudicator"],
        "dan": ["manager"],
        "eve": ["auditor"],
    }
    return {name: make_user(name, *mine) for name, mine in roles.items()}


@pytest.fixture
def referral(database_url: str) -> Referral:
    Intake(facts()).take([row("/srv/a")])
    found: Referral = Referral.objects.get()
    return found


def test_two_who_agree_decide(people: dict[str, User], referral: Referral) -> None:
    judge(people["ann"], referral, Verdict.PHI, "a discharge letter")
    judge(people["bob"], referral, Verdict.PHI)
    referral.refresh_from_db()
    assert (referral.state, referral.decision) == (State.DECIDED, "phi")
    assert Note.objects.get().text == "a discharge letter"


def test_a_dispute_goes_to_an_adjudicator_who_is_neither(people: dict[str, User], referral: Referral) -> None:
    judge(people["cleo"], referral, Verdict.PHI)
    judge(people["bob"], referral, Verdict.NOT_PHI)
    assert take_next(people["cleo"]) is None
    other = make_user("fay", "adjudicator")
    assert take_next(other) == referral
    judge(other, referral, Verdict.NOT_PHI)
    referral.refresh_from_db()
    assert (referral.state, referral.decision) == (State.DECIDED, "not_phi")
    with pytest.raises(NotYoursError):
        judge(people["bob"], referral, Verdict.PHI)


@pytest.mark.parametrize("who", ["dan", "eve"])
def test_only_reviewers_vote(people: dict[str, User], referral: Referral, who: str) -> None:
    assert take_next(people[who]) is None
    with pytest.raises(NotYoursError):
        judge(people[who], referral, Verdict.PHI)
    assert Vote.objects.count() == 0


def test_a_form_sent_twice_counts_once(people: dict[str, User], referral: Referral) -> None:
    judgement = Judgement(Verdict.PHI, "one-form")
    assert decide(referral.pk, people["ann"], judgement).pk == decide(referral.pk, people["ann"], judgement).pk
    assert Vote.objects.count() == 1


def test_undo_is_a_vote_too_and_gives_the_referral_back(people: dict[str, User], referral: Referral) -> None:
    vote = judge(people["ann"], referral, Verdict.PHI)
    undo(vote.pk, people["ann"])
    referral.refresh_from_db()
    assert (referral.state, referral.leased_to) == (State.WAITING, people["ann"])
    assert [each.verdict for each in Vote.objects.order_by("number")] == ["phi", "withdrawn"]
    with pytest.raises(NotYoursError):
        undo(vote.pk, people["ann"])


def test_nobody_undoes_what_others_built_on(people: dict[str, User], referral: Referral) -> None:
    vote = judge(people["ann"], referral, Verdict.PHI)
    with pytest.raises(NotYoursError):
        undo(vote.pk, people["bob"])
    judge(people["bob"], referral, Verdict.PHI)
    with pytest.raises(NotYoursError):
        undo(vote.pk, people["ann"])


def test_an_open_referral_is_kept_for_who_has_it(people: dict[str, User], referral: Referral) -> None:
    assert take_next(people["ann"]) == referral
    assert take_next(people["ann"]) == referral
    assert take_next(people["bob"]) is None
    with pytest.raises(NotYoursError):
        judge(people["bob"], referral, Verdict.PHI)
    Referral.objects.update(leased_until="2020-01-01T00:00Z")
    assert take_next(people["bob"]) == referral


def test_a_queue_with_people_is_theirs(people: dict[str, User], referral: Referral) -> None:
    Queue.objects.get().reviewers.set([people["bob"]])
    assert take_next(people["ann"]) is None
    assert take_next(people["bob"]) == referral


@pytest.mark.parametrize("deed", ["UPDATE review_vote SET verdict = 'not_phi'", "DELETE FROM review_vote"])
def test_a_vote_stays_as_it_was(people: dict[str, User], referral: Referral, deed: str) -> None:
    vote = judge(people["ann"], referral, Verdict.PHI)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(deed)
    vote.verdict = Verdict.NOT_PHI
    for attempt in (vote.save, vote.delete, Vote.objects.all().delete, lambda: Vote.objects.update(verdict="phi")):
        with pytest.raises(FrozenError):
            attempt()
    assert Vote.objects.get().verdict == "phi"


def test_many_at_once_lose_and_double_nothing(database_url: str) -> None:
    Intake(facts()).take(many(40))
    users = [make_user(f"user{number}", "reviewer") for number in range(8)]

    def work(user: User) -> list[str]:
        done = []
        try:
            while (referral := take_next(user)) is not None:
                decide(referral.pk, user, Judgement(Verdict.PHI, f"{user.pk}-{referral.pk}"[:32]))
                done.append(referral.pk)
        finally:
            connection.close()
        return done

    with ThreadPoolExecutor(len(users)) as pool:
        done: list[Any] = [pk for pks in pool.map(work, users) for pk in pks]
    assert len(done) == Vote.objects.count() == 80
    assert Referral.objects.filter(state=State.DECIDED).count() == 40
    assert all(
        votes.values("reviewer").distinct().count() == 2
        for votes in (each.votes.all() for each in Referral.objects.all())
    )


def test_what_waits_for_somebody_is_what_that_person_could_take(
    database_url: str, review_settings: Callable[..., None]
) -> None:
    """Counted in another way than it is taken, so both are compared in every state that votes and leases lead to."""
    review_settings(double_review=1.0, queues=("others=owner:eve",))
    Intake(facts()).take([*many(12), row("/srv/eve", owner="eve")])
    ann, bob = make_user("ann", "reviewer"), make_user("bob", "reviewer", "adjudicator")
    cleo = make_user("cleo", "adjudicator")
    Queue.objects.get(name="others").reviewers.add(bob)

    def agrees() -> list[int]:
        waiting = []
        for user in (ann, bob, cleo):
            could = sum(open_to(user, awaiting).count() for awaiting in turns_of(user))
            waiting.append(waiting_for(user).total())
            assert waiting[-1] == could, user
        return waiting

    assert agrees() == [12, 13, 0]
    referrals = list(Referral.objects.filter(queue__name="general").order_by("rank"))
    decide(referrals[0].pk, ann, Judgement(Verdict.PHI, "token-1"))
    assert agrees() == [11, 13, 0]
    decide(referrals[0].pk, bob, Judgement(Verdict.NOT_PHI, "token-2"))
    assert agrees() == [11, 12, 1]
    lease_to(referrals[1], ann)
    lease_to(referrals[2], bob)
    assert agrees() == [10, 11, 1]
    decide(referrals[3].pk, ann, Judgement(Verdict.PHI, "token-3"))
    referrals[3].refresh_from_db()
    lease_to(referrals[3], bob)
    assert agrees() == [9, 11, 1]
