"""Whether a content that was decided is asked about again after rules have changed."""

from collections.abc import Iterable

from review.models import Finding, Referral, State, Verdict
from review.referrals.identity import ranks_of


def earlier_findings(referrals: Iterable[Referral], rules_sha256: str) -> dict[str, Finding]:
    """What reviewers saw of the contents that they decided not to be PHI under other rules."""
    asked = [each.pk for each in referrals if _is_doubtful(each) and each.rules_sha256 != rules_sha256]
    findings: dict[str, Finding] = Finding.objects.only("counts", "chars", "people").in_bulk(asked)
    return findings


def is_asked_again(referral: Referral, risk: str, before: Finding | None, now: Finding) -> bool:
    """A verdict is about the content, so it outlives the rules that led to it.

    Only a content that was not found to be PHI comes up again, and only if there is something in it
    that nobody was shown.
    """
    if referral.state == State.UNSAMPLED or not referral.sha256:
        return True
    if not _is_doubtful(referral):
        return False
    return before is None or ranks_of(risk) < ranks_of(referral.risk) or _shows_more(before, now)


def _is_doubtful(referral: Referral) -> bool:
    return bool(referral.state == State.DECIDED and referral.decision != Verdict.PHI)


def _shows_more(before: Finding, now: Finding) -> bool:
    found, known = ({kind for kind, count in each.counts.items() if count} for each in (now, before))
    return bool(found - known) or now.chars > before.chars or (not before.people and bool(now.people))
