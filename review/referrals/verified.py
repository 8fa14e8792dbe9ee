"""Decisions of reviewers -> which files hold health information, which do not, and in which scans they are."""

from typing import NamedTuple

from review.models import Referral, ReferralPath, State
from review.models.vote import Verdict


class Decided(NamedTuple):
    phi: frozenset[str]  # uris
    not_phi: frozenset[str]
    open: int  # files of which nobody has decided
    folders: list[str]  # of the scans that saw the decided ones last


def decided_uris() -> Decided:
    paths = ReferralPath.objects.filter(current=True).exclude(referral__state=State.SUPERSEDED)
    by_decision = {
        verdict: frozenset(paths.filter(referral__decision=verdict.value).values_list("uri", flat=True))
        for verdict in (Verdict.PHI, Verdict.NOT_PHI)
    }
    folders = Referral.objects.exclude(decision="").order_by("last_scan_id").values_list("last_scan__folder", flat=True)
    return Decided(
        by_decision[Verdict.PHI],
        by_decision[Verdict.NOT_PHI],
        paths.filter(referral__decision="").count(),
        list(dict.fromkeys(folders)),
    )
