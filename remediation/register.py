"""The journal's entries -> every action with its state; and the rules of who may propose, approve and reject."""

import os
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from core.errors import RemediationError
from remediation.action import Action, Kind, State, Target
from remediation.journal import Entry, Journal

_NEXT = {
    "approved": State.APPROVED,
    "rejected": State.REJECTED,
    "begun": State.BEGUN,
    "done": State.DONE,
    "left": State.LEFT,
    "undoing": State.UNDOING,
    "undone": State.UNDONE,
    "still done": State.DONE,  # an undo that was left alone
}
OPEN = frozenset({State.PROPOSED, State.APPROVED, State.BEGUN, State.UNDOING})


@dataclass(slots=True)
class Register:
    journal: Journal
    one_person: frozenset[str] = frozenset()
    _actions: dict[str, Action] = field(default_factory=dict)
    _last: dict[tuple[Kind, str, str], str] = field(default_factory=dict)  # the newest action of a kind on a content

    def __post_init__(self) -> None:
        for entry in self.journal.entries:
            self._take(entry)

    @property
    def actions(self) -> list[Action]:
        """In the order of their proposals."""
        return list(self._actions.values())

    def find(self, words: Sequence[str]) -> list[Action]:
        """By id, or the beginning of one."""
        found = []
        for word in words:
            matching = [action for action in self._actions.values() if word and action.id.startswith(word)]
            if len(matching) != 1:
                what = "fits several actions; give more of it" if matching else "is no action"
                raise RemediationError(f"{word!r} {what}; see `leakscreen act list`")
            found += matching
        return found

    def propose(
        self,
        who: str,
        kind: Kind,
        target: Target,
        *,
        id: str = "",
        scan_id: str = "",
        policy: str = "",
        reason: str = "",
        options: Mapping[str, str] | None = None,
    ) -> Action | None:
        """None where the same is proposed or under way already, so that proposing twice changes nothing."""
        if self.is_open(kind, target):
            return None
        facts = {
            "kind": kind.value,
            "target": asdict(target),
            "scan_id": scan_id,
            "policy": policy,
            "reason": reason,
            "options": dict(options or {}),
        }
        return self.record(who, "proposed", id or self.new_id(), facts)

    def is_open(self, kind: Kind, target: Target) -> bool:
        """Proposed, under way, or done and not undone."""
        last = self._last.get((kind, target.uri, target.sha256))
        return last is not None and self._actions[last].state in OPEN | {State.DONE}

    def new_id(self) -> str:
        while (id := os.urandom(4).hex()) in self._actions:
            pass
        return id

    def approve(self, who: str, action: Action) -> Action:
        self.check_approval(who, action)
        return self.record(who, "approved", action.id)

    def check_approval(self, who: str, action: Action) -> None:
        """Four eyes, and only what waits for them."""
        if action.state is not State.PROPOSED:
            raise RemediationError(f"{action.id}: is {action.state}, so there is nothing to approve")
        if not may_approve(who, action.proposed_by, action.kind, self.one_person):
            raise RemediationError(
                f"{action.id}: was proposed by {who}; somebody else approves it (or act.one_person lists {action.kind})"
            )

    def reject(self, who: str, action: Action, why: str) -> Action:
        if action.state not in (State.PROPOSED, State.APPROVED):
            raise RemediationError(f"{action.id}: is {action.state}, so there is nothing to reject")
        return self.record(who, "rejected", action.id, {"note": why})

    def record(self, who: str, event: str, id: str, facts: Mapping[str, Any] | None = None) -> Action:
        return self._take(self.journal.append(who, event, id, dict(facts or {})))

    def _take(self, entry: Entry) -> Action:
        if entry.event == "proposed":
            action = _proposed(entry)
            self._last[action.kind, action.target.uri, action.target.sha256] = action.id
        else:
            action = _followed(self._actions[entry.id], entry)
        self._actions[entry.id] = action
        return action


def may_approve(who: str, proposed_by: str, kind: str, one_person: Container[str]) -> bool:
    """Four eyes, except for the kinds that one person may do alone."""
    return who != proposed_by or str(kind) in one_person


def in_state(actions: Iterable[Action], *states: State) -> list[Action]:
    return [action for action in actions if action.state in states]


def _proposed(entry: Entry) -> Action:
    facts = entry.facts
    return Action(
        id=entry.id,
        kind=Kind(facts["kind"]),
        target=Target(**facts["target"]),
        state=State.PROPOSED,
        proposed_by=entry.who,
        proposed_at=entry.at,
        scan_id=facts["scan_id"],
        policy=facts["policy"],
        reason=facts["reason"],
        options=facts["options"],
        at=entry.at,
    )


def _followed(action: Action, entry: Entry) -> Action:
    changed = replace(action, state=_NEXT[entry.event], at=entry.at, note=str(entry.facts.get("note", "")))
    match entry.event:
        case "approved":
            return replace(changed, approved_by=entry.who)
        case "begun":
            return replace(changed, facts=entry.facts)
        case "undoing":
            return replace(changed, undo_facts=entry.facts)
        case "done":
            return replace(changed, done_at=entry.at)
    return changed
