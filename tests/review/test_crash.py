"""Killed at random moments and started again: nothing is lost, nothing is there twice, and the log is whole."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from review.audit import verify
from review.models import AuditEntry, Finding, Referral, ReferralPath, Vote
from tests.review.conftest import KEY, make_user

ROOT = Path(__file__).parents[2]
REFERRALS = 3_000
WORKER = """
import sys
from core.settings import load_settings
from review.service.configuration import configure
url, what = sys.argv[1:]
configure(load_settings({"review.database": url}, environ={}), {"LEAKSCREEN_SECRET_KEY": %r, "HOME": "/nonexistent"})
from django.contrib.auth.models import User
from review.referrals.intake import Intake
from review.models import Verdict
from review.referrals.voting import Judgement, decide
from review.referrals.leases import take_next
from tests.review.made_rows import facts, many
print("started", flush=True)
if what == "intake":
    Intake(facts()).take(many(%d))
else:
    user = User.objects.get(username=what)
    while (referral := take_next(user)) is not None:
        print(decide(referral.pk, user, Judgement(Verdict.PHI, f"{user.pk}-{referral.pk}"[:32])).token, flush=True)
""" % (KEY, REFERRALS)  # noqa: UP031


def started(url: str, what: str) -> subprocess.Popen[str]:
    process = subprocess.Popen([sys.executable, "-c", WORKER, url, what], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    assert process.stdout and process.stdout.readline() == "started\n"
    return process


@pytest.mark.parametrize("seed", [7])
def test_killed_processes_lose_and_double_nothing(database_url: str, seed: int) -> None:
    chance = random.Random(seed)
    make_user("ann", "reviewer")
    make_user("bob", "reviewer")
    acknowledged: set[str] = set()
    for what in ("intake", "ann", "intake", "bob"):
        process = started(database_url, what)
        time.sleep(chance.uniform(0.05, 0.8))
        process.kill()
        acknowledged |= set(process.communicate()[0].split())
    assert started(database_url, "intake").wait() == 0
    votes = set(Vote.objects.values_list("token", flat=True))
    assert acknowledged <= votes
    assert Referral.objects.count() == ReferralPath.objects.count() == Finding.objects.count() == REFERRALS
    assert AuditEntry.objects.filter(action="decision").count() == len(votes)
    assert verify()[1] == []
