"""More referrals than people can look at -> a seeded, stratified sample, with the probability that each of its referrals had."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from review.audit import SYSTEM, record
from review.models import Kind, Queue, Referral, SamplePlan, State, Wants
from review.referrals.identity import chance

_AT_LEAST = 2  # of a stratum, so that its spread can be told
_AT_ONCE = 500


def allocate(sizes: Mapping[str, int], budget: int) -> dict[str, int]:
    """As many of each stratum as its share of all, but at least two, or all that there are."""
    everything = sum(sizes.values())
    if everything <= budget:
        return dict(sizes)
    return {stratum: min(size, max(_AT_LEAST, budget * size // everything)) for stratum, size in sizes.items()}


def draw(strata: Mapping[str, Sequence[str]], budget: int, seed: int) -> dict[str, list[str]]:
    """The same ids each time; a larger budget draws the same ones and more."""
    shares = allocate({stratum: len(ids) for stratum, ids in strata.items()}, budget)
    return {
        stratum: sorted(ids, key=lambda each: chance(seed, "draw", each))[: shares[stratum]]
        for stratum, ids in strata.items()
    }


def draw_scan(scan_id: str) -> list[SamplePlan]:
    """Opens the drawn referrals of a scan, queue by queue; a queue within the budget is opened whole and has no plan."""
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
        return None
    drawn = draw(strata, review.budget, review.seed)
    for stratum, ids in drawn.items():
        probability = Fraction(len(ids), len(strata[stratum]))
        for low in range(0, len(ids), _AT_ONCE):
            some = frame.filter(pk__in=ids[low : low + _AT_ONCE])
            some.update(stratum=stratum, probability=f"{probability.numerator}/{probability.denominator}")
            _open(some.filter(state=State.UNSAMPLED))
    sizes = {stratum: [len(ids), len(strata[stratum])] for stratum, ids in drawn.items()}
    known = {"seed": review.seed, "budget": review.budget, "strata": sizes, "made": timezone.now()}
    plan: SamplePlan = SamplePlan.objects.update_or_create(
        scan_id=scan_id, queue=queue, kind=Kind.REFERRED, defaults=known
    )[0]
    record(SYSTEM, "sample", f"scan:{scan_id}", queue=queue.name, seed=review.seed, budget=review.budget, strata=sizes)
    return plan


def _open(referrals: Any) -> None:
    referrals.update(state=State.WAITING, wants=Wants.REVIEW)
