"""The nouns of remediation: a target, an action on it with its state, and what leaves a file alone."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any


class Kind(StrEnum):
    QUARANTINE = "quarantine"
    RESTRICT = "restrict"
    DELETE = "delete"
    MOVE = "move"
    REPLACE = "replace"
    TELL = "tell"
    LABEL = "label"
    IGNORE = "ignore"


LASTING = frozenset({Kind.DELETE, Kind.TELL})  # cannot be undone
CONTAINING = frozenset({Kind.QUARANTINE, Kind.RESTRICT, Kind.DELETE, Kind.MOVE, Kind.REPLACE})


class State(StrEnum):
    PROPOSED = "proposed"
    APPROVED = "approved"
    REJECTED = "rejected"
    BEGUN = "begun"  # on record before anything is touched
    DONE = "done"
    LEFT = "left alone"
    UNDOING = "undoing"
    UNDONE = "undone"


class LeftAloneError(Exception):
    """Why a file was left as it is; the message names neither the file nor anything in it."""


class UnreachableError(LeftAloneError):
    """A folder or store that cannot be reached now: what was begun there stays begun until it can."""


@dataclass(frozen=True, slots=True)
class Target:
    """A file, or an object in a store, with the hash of the content that was judged; an archive is one as a whole."""

    uri: str
    path: str  # for the system; bytes that are not UTF-8 as surrogates
    sha256: str
    size: int = 0
    owner: str = ""
    source: str = ""
    risk: str = ""
    access: str = ""
    mtime: str = ""
    members: int = 0  # referred members in it: why an archive is one
    name_tells: bool = False  # whether its name itself holds findings


@dataclass(frozen=True, slots=True)
class Action:
    """One action on one target, as the journal tells it up to now."""

    id: str
    kind: Kind
    target: Target
    state: State
    proposed_by: str
    proposed_at: str
    scan_id: str = ""
    policy: str = ""
    reason: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    approved_by: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)  # what was there before, written down before it was changed
    undo_facts: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""  # how it ended
    at: str = ""  # when its state last changed
    done_at: str = ""

    def as_json(self) -> dict[str, Any]:
        """For people and other programs: without raw paths and what only an undo needs."""
        shown = asdict(self)
        for hidden in ("facts", "undo_facts"):
            shown.pop(hidden)
        shown["target"].pop("path")
        return shown
