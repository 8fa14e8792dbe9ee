"""More referrals than people can review -> a seeded, stratified sample, with the probability of each referral."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from evaluation.draw import allocate, chance
from review.audit import SYSTEM, record
from review.models import Awaiting, Kind, Queue, Referral, SamplePlan, State

_AT_LEAST = 2  # of a stratum, so that its variance can be estimated
_AT_ONCE = 500


def draw(strata: Mapping[str, Sequence[str]], shares: Mapping[str, int], seed: int) -> dict[str, list[str]]:
    """So many ids of each stratum, the same ones each time; larger shares draw the same ones and more."""
    return {
        stratum: sorted(ids, key=lambda pk: chance(seed, "draw", pk))[: shares[stratum]]
        for stratum, ids in strata.items()
    }


def shares_of(sizes: Mapping[str, int], budget: int, seed: int, plan: SamplePlan | None) -> dict[str, int]:
    """How many of each stratum: as a plan on record says, as long as it is a plan for the same draw.

    A scan that is referred again draws what it drew before, even if allocation has changed since: the probabilities of
    the referrals that are already open depend on it.
    """
    if plan is not None and (plan.budget, plan.seed) == (budget, seed):
        planned = {stratum: there for stratum, (_, there) in plan.strata.items()}
        if planned == dict(sizes):
            return {stratum: drawn for stratum, (drawn, _) in plan.strata.items()}
    return allocate(sizes, budget, _AT_LEAST)


def draw_scan(scan_id: str) -> list[SamplePlan]:
    """Opens the drawn referrals of a scan, queue by queue; a queue within the budget opens whole, without a plan."""
    plans = [_draw_queue(scan_id, queue) for queue in Queue.objects.all()]
    return [plan for plan in plans if plan is not None]


@transaction.atomic
def _draw_queue(scan_id: str, queue: Queue) -> SamplePlan | None:
    review = settings.LEAKSCREEN.review
    frame = Referral.objects.filter(asked_in_id=scan_id, queue=queue, kind=Kind.REFERRED)
    strata: dict[str, list[str]] = defaultdict(list)
    for pk, risk in frame.values_list("pk", "risk"):
        strata[f"{queue.name}/{risk}"].append(pk)
    there = sum(len(ids) for ids in strata.values())
    if not there or not review.budget:
        return None
    if there <= review.budget:
        _open(frame.filter(state=State.UNSAMPLED))
        frame.exclude(probability="").update(stratum="", probability="")  # all are asked about, so that none was drawn
        return None
    before = SamplePlan.objects.filter(scan_id=scan_id, queue=queue, kind=Kind.REFERRED).first()
    shares = shares_of({name: len(ids) for name, ids in strata.items()}, review.budget, review.seed, before)
    drawn = draw(strata, shares, review.seed)
    for stratum, ids in drawn.items():
        probability = Fraction(len(ids), len(strata[stratum]))
        for low in range(0, len(ids), _AT_ONCE):
            some = frame.filter(pk__in=ids[low : low + _AT_ONCE])
            some.update(stratum=stratum, probability=f"{probability.numerator}/{probability.denominator}")
            _open(some.filter(state=State.UNSAMPLED))
    sizes = {stratum: [len(ids), len(strata[stratum])] for stratum, ids in drawn.items()}
    values = {"seed": review.seed, "budget": review.budget, "strata": sizes, "made": timezone.now()}
    plan: SamplePlan = SamplePlan.objects.update_or_create(
        scan_id=scan_id, queue=queue, kind=Kind.REFERRED, defaults=values
    )[0]
    record(SYSTEM, "sample", f"scan:{scan_id}", queue=queue.name, seed=review.seed, budget=review.budget, strata=sizes)
    return plan


def _open(referrals: Any) -> None:
    referrals.update(state=State.WAITING, wants=Awaiting.REVIEW)
