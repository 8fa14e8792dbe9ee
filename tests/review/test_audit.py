"""The audit log: nothing in it can be edited, removed, moved or cut off without being told."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.test import override_settings

from review.audit import Head, current_head, record, verify
from review.models import AuditEntry, FrozenError, Referral, Verdict
from review.referrals.intake import Intake
from review.referrals.on_record import verify_all
from review.referrals.voting import Judgement, decide, undo
from tests.review.conftest import make_user
from tests.review.made_rows import facts, row

pytestmark = pytest.mark.usefixtures("database_url")


def fill(count: int = 6) -> None:
    for number in range(count):
        record("ann", "sight", f"referral:{number}", reason="näh\0e \ud800", number=number)


def without_triggers(*statements: str) -> None:
    """As somebody would who owns the database."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("ALTER TABLE review_auditentry DISABLE TRIGGER ALL")
        else:
            cursor.execute("DROP TRIGGER review_auditentry_no_update")
            cursor.execute("DROP TRIGGER review_auditentry_no_delete")
        for statement in statements:
            cursor.execute(statement)


def test_an_untouched_log_is_sound() -> None:
    fill()
    assert verify() == (6, [])
    assert verify([current_head()]) == (6, [])


@pytest.mark.parametrize(
    ("statements", "where"),
    [
        (["UPDATE review_auditentry SET actor = 'bob' WHERE number = 3"], 3),
        (["UPDATE review_auditentry SET details = '' WHERE number = 2"], 2),
        (["UPDATE review_auditentry SET at = '2020-01-01T00:00:00.000+00:00' WHERE number = 6"], 6),
        (["DELETE FROM review_auditentry WHERE number = 3"], 4),
        (["DELETE FROM review_auditentry WHERE number = 1"], 2),
        (["DELETE FROM review_auditentry WHERE number = 6"], 5),
        (
            [
                "UPDATE review_auditentry SET number = 100 WHERE number = 3",
                "UPDATE review_auditentry SET number = 3 WHERE number = 4",
                "UPDATE review_auditentry SET number = 4 WHERE number = 100",
            ],
            3,
        ),
        (
            [
                "DELETE FROM review_auditentry WHERE number = 4",
                "UPDATE review_auditentry SET number = number - 1 WHERE number > 4",
            ],
            4,
        ),
        (["UPDATE review_audithead SET number = 0"], 6),
    ],
)
def test_every_change_is_found_where_it_is(statements: list[str], where: int) -> None:
    fill()
    without_triggers(*statements)
    _, faults = verify()
    assert faults
    assert faults[0].number == where


def test_an_end_that_was_cut_off_with_its_head_is_found_by_a_head_kept_elsewhere() -> None:
    fill()
    kept, before = current_head(), AuditEntry.objects.get(number=5)
    without_triggers(
        "DELETE FROM review_auditentry WHERE number = 6",
        f"UPDATE review_audithead SET number = 5, hash = '{before.hash}'",
    )
    assert verify() == (5, [])
    assert [fault.number for fault in verify([kept])[1]] == [6]
    assert [fault.number for fault in verify([Head(4, "0" * 64)])[1]] == [4]


def test_another_key_cannot_write_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    fill(2)
    with monkeypatch.context() as other:
        other.setattr(settings, "AUDIT_KEY", b"x" * 32)
        record("mallory", "sight")
    assert [fault.number for fault in verify()[1]] == [3]


def _save() -> None:
    AuditEntry.objects.get(number=1).save()


def _delete() -> None:
    AuditEntry.objects.get(number=1).delete()


@pytest.mark.parametrize(
    "attempt", [_save, _delete, lambda: AuditEntry.objects.all().delete(), lambda: AuditEntry.objects.update(actor="x")]
)
def test_the_model_refuses(attempt: Callable[[], None]) -> None:
    fill(1)
    with pytest.raises(FrozenError):
        attempt()


@pytest.mark.parametrize("statement", ["UPDATE review_auditentry SET actor = 'x'", "DELETE FROM review_auditentry"])
def test_the_database_refuses(statement: str) -> None:
    fill(1)
    with pytest.raises(DatabaseError, match="append-only"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert verify() == (1, [])


def test_what_is_rolled_back_was_not_recorded() -> None:
    fill(1)
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        record("ann", "decision")
        raise ZeroDivisionError
    record("ann", "sight")
    assert verify() == (2, [])


def judged(double: float = 0.0) -> Referral:
    review = replace(settings.LEAKSCREEN.review, double_review=double)
    with override_settings(LEAKSCREEN=replace(settings.LEAKSCREEN, review=review)):
        Intake(facts()).take([row("/srv/a.txt"), row("/srv/b.txt", "other content")])
    ann = make_user("ann", "reviewer")
    for referral in Referral.objects.order_by("pk"):
        vote = decide(referral.pk, ann, Judgement(Verdict.PHI, f"first-{referral.pk}"[:32]))
        undo(vote.pk, ann)
        decide(referral.pk, ann, Judgement(Verdict.NOT_PHI, f"again-{referral.pk}"[:32]))
    found: Referral = Referral.objects.order_by("pk")[0]
    assert found.decision == Verdict.NOT_PHI
    return found


def test_decisions_as_they_were_made_are_sound() -> None:
    judged()
    assert verify_all()[1] == []


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE review_referral SET decision = 'phi' WHERE id = '{pk}'",
        "UPDATE review_referral SET decision = '', state = 'waiting' WHERE id = '{pk}'",
        "UPDATE review_referral SET state = 'disputed' WHERE id = '{pk}'",
        "UPDATE review_referral SET round = 7 WHERE id = '{pk}'",
        "UPDATE review_vote SET verdict = 'phi' WHERE referral_id = '{pk}'",
        "DELETE FROM review_vote WHERE referral_id = '{pk}'",
    ],
)
def test_a_decision_that_somebody_changed_is_found(change: str) -> None:
    """By somebody who owns the database, and leaves the log alone."""
    referral = judged()
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("ALTER TABLE review_vote DISABLE TRIGGER ALL")
        else:
            cursor.execute("PRAGMA foreign_keys=OFF")
            for name in ("review_vote_no_update", "review_vote_no_delete"):
                cursor.execute(f"DROP TRIGGER {name}")
        cursor.execute(change.format(pk=referral.pk))
    faults = verify_all()[1]
    assert faults and all(referral.pk in fault.what for fault in faults)
