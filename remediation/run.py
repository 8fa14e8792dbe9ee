"""Approved actions -> carried out, each announced in the journal first; what was interrupted -> finished; undo."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from core.errors import RemediationError
from extraction.opening.addresses import is_object
from remediation.action import Action, Kind, LeftAloneError, State, UnreachableError
from remediation.actions.beside import IgnoreFile, TellOwner
from remediation.actions.doing import Doing, Here
from remediation.actions.marks import LabelFile, RestrictFile
from remediation.actions.relocate import DeleteFile, MoveFile
from remediation.actions.swap import SwapFile
from remediation.register import Register, in_state

_FILES: dict[Kind, Doing] = {
    Kind.QUARANTINE: SwapFile(),
    Kind.REPLACE: SwapFile(),
    Kind.DELETE: DeleteFile(),
    Kind.MOVE: MoveFile(),
    Kind.RESTRICT: RestrictFile(),
    Kind.LABEL: LabelFile(),
    Kind.TELL: TellOwner(),
    Kind.IGNORE: IgnoreFile(),
}


def doing_of(action: Action) -> Doing:
    if is_object(action.target.uri):
        from remediation.objects.actions import doing_of_object

        return doing_of_object(action)
    return _FILES[action.kind]


@dataclass(slots=True)
class Runner:
    register: Register
    here: Here
    who: str
    tell: Callable[[Action], None] = lambda action: None  # called with each action that has come to an end

    def run(self, actions: Iterable[Action]) -> list[Action]:
        """Of several actions, one that fails stops no other."""
        return [self._run(action) for action in actions]

    def resume(self) -> list[Action]:
        """Whatever a crash interrupted is finished, or undone where it cannot be."""
        interrupted = in_state(self.register.actions, State.BEGUN, State.UNDOING)
        finish = {State.BEGUN: self._finish, State.UNDOING: self._finish_undo}
        return [finish[action.state](action) for action in interrupted]

    def undo(self, actions: Iterable[Action], to: str = "") -> list[Action]:
        return [self._undo(action, to) for action in actions]

    def _run(self, action: Action) -> Action:
        if action.state is not State.APPROVED:
            raise RemediationError(f"{action.id}: is {action.state}; only what is approved is carried out")
        try:
            facts = doing_of(action).begin(action, self.here)
        except LeftAloneError as why:
            return self._ended(action, "left", str(why))
        return self._finish(self.register.record(self.who, "begun", action.id, facts))

    def _finish(self, action: Action) -> Action:
        try:
            note = doing_of(action).carry_out(action, self.here)
        except UnreachableError as why:
            return self._unfinished(action, str(why))
        except LeftAloneError as why:
            return self._ended(action, "left", str(why))
        except (OSError, RemediationError) as error:
            return self._unfinished(action, _words(error))
        return self._ended(action, "done", note)

    def _undo(self, action: Action, to: str) -> Action:
        if action.state is not State.DONE:
            raise RemediationError(f"{action.id}: is {action.state}; only what is done can be undone")
        if not doing_of(action).can_undo:
            raise RemediationError(f"{action.id}: {action.kind} cannot be undone")
        facts: dict[str, Any] = {"to": to} if to else {}
        return self._finish_undo(self.register.record(self.who, "undoing", action.id, facts))

    def _finish_undo(self, action: Action) -> Action:
        try:
            note = doing_of(action).take_back(action, self.here)
        except UnreachableError as why:
            return self._unfinished(action, str(why))
        except LeftAloneError as why:
            return self._ended(action, "still done", str(why))
        except (OSError, RemediationError) as error:
            return self._unfinished(action, _words(error))
        return self._ended(action, "undone", note)

    def _ended(self, action: Action, event: str, note: str) -> Action:
        ended = self.register.record(self.who, event, action.id, {"note": note} if note else {})
        self.tell(ended)
        return ended

    def _unfinished(self, action: Action, why: str) -> Action:
        """Stays as it is in the journal; `--resume` tries again."""
        waiting = replace(action, note=why)
        self.tell(waiting)
        return waiting


def _words(error: Exception) -> str:
    """Without the path, which a message of the system has."""
    return (error.strerror or type(error).__name__).lower() if isinstance(error, OSError) else str(error)
