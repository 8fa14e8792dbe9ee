"""What is over goes; votes, decisions and the log of it stay."""

from datetime import timedelta

import pytest
from django.utils import timezone

from review.audit import verify
from review.cases.cases import Change, change_case
from review.models import AuditEntry, Case, CaseState, Finding, Note, Referral, ReferralPath, Verdict, Vote
from review.referrals.intake import Intake
from review.referrals.retention import purge
from review.referrals.voting import Judgement, decide
from tests.review.conftest import make_user
from tests.review.made_rows import facts, many

pytestmark = pytest.mark.usefixtures("database_url")


def test_old_decisions_lose_their_details_and_keep_their_votes() -> None:
    Intake(facts()).take(many(3))
    old, fresh, waiting = Referral.objects.order_by("rank")
    for user in [make_user(name, "reviewer") for name in ("ann", "bob")]:
        for referral in (old, fresh):
            decide(referral.pk, user, Judgement(Verdict.PHI, f"{user.username}{referral.pk}"[:32], note="a name in it"))
    Referral.objects.filter(pk=old.pk).update(decided_at=timezone.now() - timedelta(days=100))
    before = timezone.now() - timedelta(days=90)
    assert purge(before).referrals == 0  # as long as its case is open
    change_case(old.pk, "ann", Change(state=CaseState.CLOSED, note="spoke with Mr Okafor"))
    assert purge(before).referrals == 0  # and as long after it was closed
    Case.objects.update(closed=timezone.now() - timedelta(days=91))
    purged = purge(before, dry_run=True)
    assert (
        purged.referrals,
        purged.paths,
        purged.notes,
        Finding.objects.count(),
        AuditEntry.objects.filter(action="purge").count(),
    ) == (
        1,
        1,
        3,
        3,
        2,
    )
    assert purge(before).referrals == 1
    assert set(ReferralPath.objects.values_list("referral", flat=True)) == {fresh.pk, waiting.pk}
    assert (Finding.objects.count(), Note.objects.count(), Vote.objects.count()) == (2, 2, 4)
    old.refresh_from_db()
    assert old.decision == "phi"
    assert AuditEntry.objects.filter(action="purge").count() == 3
    assert [event.note for event in old.case.events.all()] == ["", "", ""]
    assert purge(before).referrals == 0
    assert verify()[1] == []
