"""Two scans -> which referred contents are new, which are gone, and which are still there."""

from dataclasses import dataclass
from typing import Any

from evaluation.design import REFERRED
from review.models import Finding, Referral, ReferralPath, Scan, Seen

SHOWN = 100


@dataclass(frozen=True, slots=True)
class Difference:
    new: Any  # rows of referrals
    gone: Any
    still: Any


def difference(first: Scan, second: Scan, closed: list[int]) -> Difference:
    """By content: a file that was only moved is still there."""
    before, after = (
        Seen.objects.filter(scan=scan, stage__in=("", REFERRED)).exclude(referral__queue__in=closed).values("referral")
        for scan in (first, second)
    )
    return Difference(
        new=Referral.objects.filter(pk__in=after).exclude(pk__in=before),
        gone=Referral.objects.filter(pk__in=before).exclude(pk__in=after),
        still=Referral.objects.filter(pk__in=before).filter(pk__in=after),
    )


def described(rows: Any) -> list[dict[str, Any]]:
    """The first of them, in the order of work, with a path each."""
    referrals = list(rows.order_by("rank", "pk")[:SHOWN])
    ids = [referral.pk for referral in referrals]
    paths: dict[str, str] = {}
    for referral, uri in (
        ReferralPath.objects.filter(referral__in=ids).order_by("-current", "uri").values_list("referral", "uri")
    ):
        paths.setdefault(referral, uri)
    owners = dict(Finding.objects.filter(pk__in=ids).values_list("pk", "owner"))
    return [{"referral": each, "path": paths.get(each.pk, ""), "owner": owners.get(each.pk, "")} for each in referrals]
