"""What a way of notifying people has to offer: whether it is set up, the digests that are due, and a sender for them.

A module with a channel imports models and other parts of Django inside `drafts` alone: the scheduler asks whether a
channel is configured, and has no database.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from core.settings import Settings

if TYPE_CHECKING:
    from review.models import Outbox

_LONGEST_FAULT = 200


@dataclass(frozen=True, slots=True)
class Draft:
    """A digest that is not in the outbox yet."""

    key: str  # whose mark it moves
    message_id: str
    channel: str  # the name of its channel
    recipient: Any  # the user whom a mail goes to
    period: str
    subject: str
    text: str
    html: str
    counts: dict[str, int]


@dataclass(frozen=True, slots=True)
class Drafted:
    drafts: tuple[Draft, ...]
    without_address: tuple[str, ...] = ()  # people with waiting work whom this channel cannot reach


class NotTakenError(Exception):
    """The other side did not accept the message, or did not confirm it."""

    def __init__(self, why: str, *, for_good: bool = False, stop: bool = False) -> None:
        super().__init__("".join(letter if letter.isprintable() else " " for letter in why)[:_LONGEST_FAULT])
        self.for_good = for_good  # this message will never be accepted
        self.stop = stop  # the other messages would fail as well now


class Sender(Protocol):
    hold_seconds: float  # longer than one attempt can take

    def send(self, row: "Outbox") -> None:
        """Returns only after the other side has accepted the message; otherwise raises NotTakenError."""
        ...

    def close(self) -> None: ...


class Channel(Protocol):
    @property
    def name(self) -> str:
        """The value of the outbox's column `channel`, so it never changes."""
        ...

    @property
    def enabled_by(self) -> str:
        """The setting that turns the channel on, for messages."""
        ...

    def configured(self, settings: Settings) -> bool: ...

    def drafts(self, now: datetime) -> Drafted:
        """The digests that are due at this moment; writes nothing."""
        ...

    def sender(self, settings: Settings, environ: Mapping[str, str]) -> Sender:
        """Checks the settings before anything is sent."""
        ...
