"""The review service's tables -> what reviewers decided, when files were first seen and what was done; and which scans.

Imported once the service is configured.
"""

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.db.models import Count, Max

from core.errors import OutputError
from leakscreen.breach.facts import Reviewed, facts_of
from pipelines.results.folder import ScanFolder, open_scan
from review.models import Case, CaseState, Referral, ReferralPath, Scan, State
from review.referrals.verified import decided_uris


def reviewed_facts(discovered: date | None, folders: Sequence[ScanFolder] = ()) -> dict[str, Any]:
    """Of the scans that are named, or of those that referred what is there to decide and was decided."""
    return facts_of(list(folders) or existing(scans_in_question()), discovered, read_reviews())


def read_reviews() -> Reviewed:
    decided = decided_uris()
    paths = ReferralPath.objects.filter(current=True).exclude(referral__state=State.SUPERSEDED)
    seen = paths.values_list("uri", "referral__first_scan__started")
    states = paths.exclude(referral__case=None).values_list("uri", "referral__case__state")
    cases = Case.objects.exclude(state=CaseState.VOID).order_by().values_list("state").annotate(count=Count("pk"))
    newest = Scan.objects.exclude(containment={}).order_by("-started").first()
    return Reviewed(
        phi=decided.phi,
        not_phi=decided.not_phi,
        undecided=decided.open,
        cases={state.value: count for state in CaseState for name, count in cases if name == state},
        contained=newest.containment if newest else {},
        first_seen={uri: started.date().isoformat() for uri, started in seen},
        states={uri: state for uri, state in states if state != CaseState.VOID},
    )


def scans_in_question() -> list[str]:
    """Folders of the scans that saw the referrals last, decided or not."""
    referrals = Referral.objects.exclude(state=State.SUPERSEDED).order_by("last_scan__started")
    return list(dict.fromkeys(referrals.values_list("last_scan__folder", flat=True)))


def state_of_reviews() -> tuple[Any, ...]:
    """Differs as soon as anything that the report counts was changed."""
    decided = Referral.objects.aggregate(Count("pk"), Max("decided_at"), Max("asked"))
    cases = Case.objects.aggregate(Max("changed"))
    scans = Scan.objects.aggregate(Count("pk"), Max("taken_in"))
    undecided = Referral.objects.filter(decision="").count()
    contained = Scan.objects.exclude(containment={}).order_by("-started").values_list("containment", flat=True).first()
    return (*decided.values(), *cases.values(), *scans.values(), undecided, repr(contained))


def existing(places: Sequence[str]) -> list[ScanFolder]:
    folders = []
    for place in places:
        try:
            folders.append(open_scan(place))
        except OutputError:
            raise OutputError(
                f"{place}: the results that reviewers decided about are not there any more; name the scans to count in"
            ) from None
    if not folders:
        raise OutputError("nothing was referred yet, so nobody has decided about anything; name a scan instead")
    return folders
