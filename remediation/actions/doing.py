"""What every action has to offer, and what all of them get: the vault, the settings, and ways out of this room."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Protocol

from core.settings import SourceSettings
from core.settings.act import ActSettings
from remediation.action import Action
from remediation.vault import Vault


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail to an owner: counts, a reference and whom to ask, and nothing of what was found."""

    to: str
    message_id: str
    subject: str
    text: str


@dataclass(frozen=True, slots=True)
class Here:
    """Where actions happen. `send` returns when a server has taken the letter, and raises LeftAloneError otherwise."""

    vault: Vault
    settings: ActSettings
    allow_file: str = ""
    site: str = "leakscreen"
    mail_domain: str = ""
    send: Callable[[Letter], None] | None = None
    today: Callable[[], date] = date.today
    sources: SourceSettings = field(default_factory=SourceSettings)  # where passwords of servers are


class Doing(Protocol):
    """One kind of action on one kind of place.

    `begin` only looks. What it returns is on the disk before `carry_out` changes anything; after a crash `carry_out` is
    called again with the same facts, and finds out by itself how far it had come. The same for an undo.
    """

    can_undo: bool

    def would(self, action: Action, here: Here) -> list[str]:
        """What happens, step by step, for a dry run."""
        ...

    def begin(self, action: Action, here: Here) -> dict[str, Any]: ...

    def carry_out(self, action: Action, here: Here) -> str:
        """A note for the journal. LeftAloneError: everything is as it was."""
        ...

    def take_back(self, action: Action, here: Here) -> str:
        """A note for the journal. LeftAloneError: it is still done."""
        ...
