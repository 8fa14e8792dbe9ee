"""A scan with an audit -> referrals that people judge without seeing how far the scan let each file go."""

from django.db import transaction

from evaluation.draw import chance
from review.models import Awaiting, Referral, State

_AT_ONCE = 500
_RANKS = 4 * 10**12  # of all risks: blind referrals are anywhere in the order of work


def is_hidden(referral: Referral) -> bool:
    """Whether what the stages said of it must not be shown: until it is decided."""
    return bool(referral.blind) and referral.state != State.DECIDED


def make_blind(scan_id: str, seed: int) -> int:
    """All open referrals of the scan, whatever their stage: hidden alike, and in one random order."""
    rows = Referral.objects.filter(last_scan_id=scan_id, blind=False).exclude(wants=Awaiting.NOBODY)
    waiting = list(rows.values_list("pk", flat=True))
    for low in range(0, len(waiting), _AT_ONCE):
        with transaction.atomic():
            some = list(Referral.objects.select_for_update().filter(pk__in=waiting[low : low + _AT_ONCE]))
            for referral in some:
                referral.blind = True
                referral.rank = int(chance(seed, "blind", referral.pk) * _RANKS)
            Referral.objects.bulk_update(some, ("blind", "rank"))
    return len(waiting)
