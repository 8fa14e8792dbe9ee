"""A decision, a person or a command that acts -> the state, assignee and due day of a case, and a line of its history.

Whatever acts on files sets states through `change_case`; nothing else writes cases.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from review.audit import record
from review.models import Case, CaseEvent, CaseEventKind, CaseState, Referral, Verdict
from review.translation import gettext as _

IN_WORK = (CaseState.OPEN, CaseState.TOLD, CaseState.CONTAINED)
CHOSEN = (*IN_WORK, CaseState.CLOSED)  # by people and commands; the decision alone makes a case void
LONGEST_NOTE = 4_000


class _Unchanged:
    """None is a value: nobody, or no day."""


UNCHANGED: Final = _Unchanged()


@dataclass(frozen=True, slots=True)
class Change:
    """What is to be different from now on."""

    state: CaseState | None = None
    assignee: Any = UNCHANGED  # a user, or None for nobody
    due: date | _Unchanged | None = UNCHANGED
    note: str = ""


class CaseError(Exception):
    """The change is not accepted; the message says why."""


@transaction.atomic
def change_case(referral_id: str, actor: str, change: Change) -> Case:
    """The case with the change; what stays as it is leaves no line in the history."""
    case: Case | None = Case.objects.select_for_update().filter(pk=referral_id).first()
    if case is None or case.state == CaseState.VOID:
        raise CaseError(_("There is no case: people did not decide that this file holds health information."))
    if change.state is not None and change.state not in CHOSEN:
        raise CaseError(_("A case is never set to %s.") % _(change.state.value))
    events = [*_apply(case, change)]
    note = change.note.replace("\0", "").strip()[:LONGEST_NOTE]
    if note:
        events.append((CaseEventKind.NOTE, "", ""))
    if not events:
        return case
    now = timezone.now()
    case.changed = now
    case.save()
    for kind, before, after in events:
        CaseEvent.objects.create(
            case=case,
            at=now,
            actor=actor,
            kind=kind,
            before=before,
            after=after,
            note=note if kind is CaseEventKind.NOTE else "",
        )
    details = {kind.value: after for kind, _, after in events if kind is not CaseEventKind.NOTE}
    record(actor, "case", f"referral:{case.pk}", **details, note=bool(note))
    return case


def _apply(case: Case, change: Change) -> list[tuple[CaseEventKind, str, str]]:
    events = []
    if change.state is not None and change.state != case.state:
        events.append((CaseEventKind.STATE, case.state, change.state.value))
        case.state = change.state.value
        case.closed = timezone.now() if change.state is CaseState.CLOSED else None
    if not isinstance(change.assignee, _Unchanged):
        before = case.assignee.get_username() if case.assignee else ""
        after = change.assignee.get_username() if change.assignee else ""
        if before != after:
            events.append((CaseEventKind.ASSIGNEE, before, after))
            case.assignee = change.assignee
    if not isinstance(change.due, _Unchanged) and change.due != case.due:
        events.append((CaseEventKind.DUE, _day(case.due), _day(change.due)))
        case.due = change.due
    return events


def follow_decision(referral: Referral, actor: str) -> None:
    """Part of the vote's transaction, whose entry in the audit log says as much: PHI opens a case, or opens it again
    where it was void; any other decision, or none any more, makes it void."""
    case = Case.objects.select_for_update().filter(pk=referral.pk).first()
    if referral.decision == Verdict.PHI:
        if case is None:
            _open(referral, actor)
        else:
            _set(case, actor, CaseState.OPEN if case.state == CaseState.VOID else None, referral.round)
    elif case is not None and (referral.decision or case.round == referral.round):
        # A later round that is not decided yet leaves the case as the earlier decision made it.
        _set(case, actor, CaseState.VOID, case.round)


def _open(referral: Referral, actor: str) -> None:
    now = timezone.now()
    days = settings.LEAKSCREEN.review.case_days
    due = now.date() + timedelta(days=days) if days else None
    case = Case.objects.create(
        referral=referral, state=CaseState.OPEN, due=due, round=referral.round, opened=now, changed=now
    )
    CaseEvent.objects.create(case=case, at=now, actor=actor, kind=CaseEventKind.OPENED, after=_day(due))


def _set(case: Case, actor: str, state: CaseState | None, number: int) -> None:
    case.round = number
    if state is not None and state != case.state:
        now = timezone.now()
        CaseEvent.objects.create(
            case=case, at=now, actor=actor, kind=CaseEventKind.STATE, before=case.state, after=state.value
        )
        case.state, case.changed, case.closed = state.value, now, None
    case.save()


def _day(day: date | None) -> str:
    return day.isoformat() if day else ""
