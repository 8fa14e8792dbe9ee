"""The journal's view of an action -> the line of its case, the case's state and its history.

Called by the command that acts; the pages only read what is written here.
"""

import re
from collections.abc import Sequence, Set

from django.db import transaction
from django.utils import timezone

from remediation.action import CONTAINING, Action, Kind, State
from review.audit import SYSTEM
from review.cases.cases import IN_WORK, CaseError, Change, change_case
from review.models import ASKED, Case, CaseAction, CaseState, Wish

ACTOR = f"{SYSTEM} act"
_ID = re.compile(r"[0-9a-f]{8}|[0-9a-f]{16}")  # made by the command line, or here
_AT_ONCE = 500
_ENDS = (State.DONE, State.LEFT, State.UNDONE, State.REJECTED)


def wished() -> list[CaseAction]:
    """What people want, the oldest first; a row with an id that could not have been made here is passed over."""
    rows = CaseAction.objects.exclude(wish=Wish.NOTHING).select_related("case__referral__last_scan")
    return [row for row in rows.order_by("wished", "pk") if _ID.fullmatch(row.pk)]


def taken(row: CaseAction) -> None:
    """The wish is fulfilled or refused; one that came in the meantime stays."""
    CaseAction.objects.filter(pk=row.pk, wish=row.wish, wished=row.wished).update(wish=Wish.NOTHING)


def refused(row: CaseAction, why: str) -> None:
    """What is not even in the journal is left alone; anything else stays as the journal has it."""
    state = State.LEFT.value if row.state == ASKED else row.state
    CaseAction.objects.filter(pk=row.pk).update(state=state, note=why, changed=timezone.now())
    taken(row)
    _change(row.case_id, Change(note=f"{row.kind.capitalize()} {row.pk[:8]}: no {row.wish}: {why}"))


def looked(row_id: str, steps: list[str], fault: str) -> None:
    """What a dry run says."""
    CaseAction.objects.filter(pk=row_id).update(steps=steps, fault=fault)


def show(actions: Sequence[Action]) -> None:
    """Every action of the journal in the case of its file; what has not changed is not written again."""
    known = {row.pk: row for row in CaseAction.objects.all()}
    cases = _cases_of([action for action in actions if action.id not in known])
    for action in actions:
        row = known.get(action.id)
        if row is None and (case := cases.get((action.target.uri, action.target.sha256))):
            row = _adopted(action, case)
        if row is None:
            continue
        note = _note_of(row, action)
        if (row.state, row.note, row.approved_by) != (action.state.value, note, action.approved_by):
            _show(row, action, note)


def close_gone(gone: Set[tuple[str, str]]) -> int:
    """Closes the cases whose content a later scan no longer finds in any of its places; `gone` has uris and hashes."""
    cases = Case.objects.filter(state__in=IN_WORK, referral__sha256__in={sha256 for _, sha256 in gone})
    closed = 0
    for case in cases.select_related("referral"):
        places = case.referral.paths.values_list("uri", flat=True)
        if places and all((uri, case.referral.sha256) in gone for uri in places):
            change_case(case.pk, ACTOR, Change(CaseState.CLOSED, note="A later scan no longer finds this content."))
            closed += 1
    return closed


def _note_of(row: CaseAction, action: Action) -> str:
    """Why a wish was refused stays until something happens; without its path, the retention of a row has ended."""
    if not row.uri:
        return ""
    return action.note or (row.note if row.state == action.state.value else "")


def _cases_of(actions: Sequence[Action]) -> dict[tuple[str, str], Case]:
    """By the file and its content."""
    uris = sorted({action.target.uri for action in actions})
    found: dict[tuple[str, str], Case] = {}
    for low in range(0, len(uris), _AT_ONCE):
        cases = Case.objects.exclude(state=CaseState.VOID).filter(
            referral__paths__uri__in=uris[low : low + _AT_ONCE], referral__paths__current=True
        )
        for case in cases.select_related("referral").distinct():
            for uri in case.referral.paths.filter(current=True).values_list("uri", flat=True):
                found[uri, case.referral.sha256] = case
    return found


def _adopted(action: Action, case: Case) -> CaseAction:
    """An action of the command line gets a line, too, if its file has a case."""
    now = timezone.now()
    return CaseAction(
        id=action.id,
        case=case,
        uri=action.target.uri,
        kind=action.kind.value,
        proposed_by=action.proposed_by,
        wished=now,
        changed=now,
    )


@transaction.atomic
def _show(row: CaseAction, action: Action, note: str) -> None:
    before = row.state
    row.state, row.note, row.approved_by = action.state.value, note, action.approved_by
    row.changed = timezone.now()
    if row._state.adding:
        row.save(force_insert=True)
    else:
        row.save(update_fields=("state", "note", "approved_by", "changed"))  # a wish may come in the meantime
    if before != row.state and action.state in _ENDS:
        words = f"{row.kind.capitalize()} {row.pk[:8]}: {row.state}" + (f": {row.note}" if row.note else "")
        _change(row.case_id, Change(state=_state_after(row, action), note=words))


def _state_after(row: CaseAction, action: Action) -> CaseState | None:
    """Contained is a case when each of its files is, and no longer when one is back."""
    case: Case = row.case
    if action.state is State.UNDONE and action.kind in CONTAINING and case.state == CaseState.CONTAINED:
        return CaseState.OPEN
    if action.state is not State.DONE or case.state not in (CaseState.OPEN, CaseState.TOLD):
        return None
    if action.kind is Kind.TELL:
        return CaseState.TOLD
    return CaseState.CONTAINED if action.kind in CONTAINING and not _uncontained(case) else None


def _uncontained(case: Case) -> set[str]:
    done = CaseAction.objects.filter(case=case, state=State.DONE, kind__in=CONTAINING)
    places = case.referral.paths.filter(current=True).values_list("uri", flat=True)
    return set(places) - set(done.values_list("uri", flat=True))


def _change(case_id: str, change: Change) -> None:
    """A case that is void by now keeps its history as it is."""
    try:
        change_case(case_id, ACTOR, change)
    except CaseError:
        return
