"""What somebody wants done about the files of a case -> wishes for the command that acts, each on record.

Nothing here touches a file or needs a right on one: `leakscreen act run` takes wishes, checks them again, and tells.
"""

import secrets
from collections.abc import Sequence
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from core.settings import Settings
from core.settings.act import CASE_ACTIONS
from remediation.action import LASTING, Kind, State
from remediation.register import may_approve
from review.audit import record
from review.cases.cases import CaseError
from review.models import ASKED, Case, CaseAction, CaseState, Wish
from review.templatetags.wording import kind_words, state_words
from review.translation import gettext as _
from review.translation import number

MOST_FILES = 200
_ID_BYTES = 8
_SLOW = timedelta(minutes=10)
_OPEN = (ASKED, State.PROPOSED, State.APPROVED, State.BEGUN, State.UNDOING, State.DONE)
# The states in which a wish has a meaning.
_FITTING = {
    Wish.APPROVE: (State.PROPOSED,),
    Wish.REJECT: (ASKED, State.PROPOSED, State.APPROVED),
    Wish.UNDO: (State.DONE,),
}


def offered() -> list[str]:
    """The actions that can be proposed from a case here."""
    here: Settings = settings.LEAKSCREEN
    return [kind for kind in CASE_ACTIONS if kind in here.act.from_cases]


@transaction.atomic
def propose(case: Case, who: str, kind: str) -> int:
    """On every file that has this content now; how many there are of which it was not proposed before."""
    if kind not in offered():
        raise CaseError(_("Choose one of the actions."))
    if case.state in (CaseState.VOID, CaseState.CLOSED):
        raise CaseError(_("The case is %s, so there is nothing to act on.") % _(case.state))
    places = list(case.referral.paths.filter(current=True).order_by("uri").values_list("uri", flat=True))
    if not places:
        raise CaseError(_("No file has this content any more."))
    if len(places) > MOST_FILES:
        raise CaseError(
            _("%s files have this content; act on them with `leakscreen act propose`.") % number(len(places))
        )
    known = set(CaseAction.objects.filter(case=case, kind=kind, state__in=_OPEN).values_list("uri", flat=True))
    now, wanted = timezone.now(), [uri for uri in places if uri not in known]
    for uri in wanted:
        CaseAction.objects.create(
            id=secrets.token_hex(_ID_BYTES),
            case=case,
            uri=uri,
            kind=kind,
            state=ASKED,
            proposed_by=who,
            wish=Wish.PROPOSE,
            wished_by=who,
            wished=now,
            changed=now,
        )
    if not wanted:
        raise CaseError(_("The same is proposed or done already."))
    record(who, "act proposed", f"referral:{case.pk}", kind=kind, files=len(wanted))
    return len(wanted)


@transaction.atomic
def wish_for(case: Case, who: str, wish: Wish, ids: Sequence[str]) -> int:
    """Of the actions that somebody saw and chose: all of them, or an error and none."""
    rows = list(CaseAction.objects.select_for_update().filter(case=case, pk__in=ids))
    if not rows or len(rows) != len(set(ids)):
        raise CaseError(_("These are not actions of this case."))
    for row in rows:
        if fault := fault_of(row, who, wish):
            raise CaseError(fault)
    CaseAction.objects.filter(pk__in=[row.pk for row in rows]).update(wish=wish, wished_by=who, wished=timezone.now())
    record(who, f"act {wish.value}", f"referral:{case.pk}", actions=sorted(row.pk for row in rows))
    return len(rows)


def fault_of(row: CaseAction, who: str, wish: Wish) -> str:
    """Why somebody cannot wish for it; empty where they can. The command that acts checks the same again."""
    here: Settings = settings.LEAKSCREEN
    if row.state not in _FITTING[wish]:
        return _("The action is %s by now.") % state_words(row.state)
    if row.wish and not (wish is Wish.REJECT and row.wish in (Wish.PROPOSE, Wish.APPROVE)):
        return _("The command that acts has not taken the last wish yet.")
    if wish is Wish.APPROVE:
        if not may_approve(who, row.proposed_by, row.kind, here.act.one_person):
            return _("%s proposed it, so somebody else approves it.") % str(row.proposed_by)
        if row.fault:
            return _("The file would be left alone, so there is nothing to approve.")
    if wish is Wish.UNDO and Kind(row.kind) in LASTING:
        return _("%s: that cannot be undone.") % str(kind_words(row.kind))
    return ""


def is_slow(row: CaseAction) -> bool:
    """Whether the command should have taken the wish by now."""
    return bool(row.wish) and timezone.now() - row.wished > _SLOW
