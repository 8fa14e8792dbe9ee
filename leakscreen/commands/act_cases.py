"""Wishes from the cases of a review service -> entries of the journal; and the journal's states -> the cases.

The service has rights neither on the files nor on the journal. A wish counts only for a file that the sealed results of
the case's scan refer, so that whoever can write to the service's database still cannot name any other file.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from core.errors import LeakscreenError, RemediationError
from core.settings.act import CASE_ACTIONS
from leakscreen.commands.act_copies import Copies, NoCopyError
from leakscreen.commands.act_propose import Draft, Wish, chosen_of_scan, proposed
from leakscreen.commands.act_setup import Setup, looked_at, open_service
from remediation.action import Action, Kind, State, Target
from remediation.actions.swap import copy_id
from remediation.run import Runner
from remediation.targets import outer_uris

if TYPE_CHECKING:
    from review.models import CaseAction

_VOID = "the decision was taken back, so there is no case any more"


def take_wishes(setup: Setup) -> list[Action]:
    """Proposes, approves, rejects and undoes what people asked for in cases; the actions that were undone or not."""
    if not open_service(setup.settings):
        return []
    from review.acting.following import wished

    ended: list[Action] = []
    with contextlib.closing(Copies(None, setup.settings)) as copies:
        taking = _Taking(setup, copies)
        for row in wished():
            ended += taking.take(row)
    return ended


class _Taking:
    def __init__(self, setup: Setup, copies: Copies) -> None:
        self._setup = setup
        self._copies = copies
        self._targets = lru_cache(maxsize=4)(self._read_targets)

    def take(self, row: "CaseAction") -> Iterator[Action]:
        """A wish that the rules forbid changes nothing, and the case says why."""
        from review.acting.following import refused, taken

        try:
            yield from self._take(row)
        except LeakscreenError as error:
            refused(row, str(error))
        else:
            taken(row)

    def _take(self, row: "CaseAction") -> Iterator[Action]:
        register = self._setup.register
        known = {action.id: action for action in register.actions}.get(row.pk)
        if row.wish == "propose":
            if known is None:  # else an earlier run came as far as this
                known = self._propose(row)
            self._look(known)
            return
        if known is None and row.wish == "reject":
            raise RemediationError("rejected before anybody looked at the file")
        if known is None or known.target.uri not in _own_uris(row.uri):
            raise RemediationError("the journal has no such action")
        if _is_settled(row, known):
            return
        if row.wish == "approve":
            if row.case.state == "void":
                raise RemediationError(_VOID)
            register.approve(row.wished_by, known)
        elif row.wish == "reject":
            register.reject(row.wished_by, known, "")
            self._setup.here.vault.remove(copy_id(known.id))
        elif row.wish == "undo":
            yield from Runner(register, self._setup.here, row.wished_by).undo([known])

    def _propose(self, row: "CaseAction") -> Action:
        if row.kind not in CASE_ACTIONS or row.kind not in self._setup.settings.act.from_cases:
            raise RemediationError(f"{row.kind} is not among act.from_cases")
        if row.case.state == "void":
            raise RemediationError(_VOID)
        scan = row.case.referral.last_scan
        targets = self._targets(scan.folder)
        target = next((targets[uri] for uri in _own_uris(row.uri) if uri in targets), None)
        if target is None:
            raise RemediationError("the results of the scan do not refer this file")
        setup = replace(self._setup, who=row.proposed_by)
        draft = Draft(Kind(row.kind), target, {})
        try:
            action = proposed(setup, draft, Wish(reason="from a case"), self._copies, scan.pk, id=row.pk)
        except NoCopyError as error:
            raise RemediationError(f"there is no redacted copy of it: {error}") from None
        if action is None:
            raise RemediationError("the same is proposed or done already")
        return action

    def _read_targets(self, folder: str) -> dict[str, Target]:
        chosen, _ = chosen_of_scan(folder, self._setup.settings)
        return {target.uri: target for target in chosen.targets}

    def _look(self, action: Action) -> None:
        from review.acting.following import looked

        if action.state is State.PROPOSED:
            looked(action.id, *looked_at(action, self._setup.here))


def _is_settled(row: "CaseAction", known: Action) -> bool:
    """An earlier run came as far as this, and was killed before the case knew."""
    match row.wish:
        case "approve":
            return known.state is not State.PROPOSED and known.approved_by == row.wished_by
        case "reject":
            return known.state is State.REJECTED
        case "undo":
            return known.state is State.UNDONE
    return False


def _own_uris(uri: str) -> list[str]:
    """Of a file, or of the archive around a member."""
    return [uri, *outer_uris(uri)]
