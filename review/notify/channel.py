"""What a way of sending has to offer, and how it says that something was not taken."""

from typing import Protocol

from review.models import Outbox

_LONGEST_FAULT = 200


class NotTakenError(Exception):
    """The other side has not taken it, or did not say so."""

    def __init__(self, why: str, *, for_good: bool = False, stop: bool = False) -> None:
        super().__init__("".join(letter if letter.isprintable() else " " for letter in why)[:_LONGEST_FAULT])
        self.for_good = for_good  # this one will never be taken
        self.stop = stop  # the others would fare no better now


class Sender(Protocol):
    hold_seconds: float  # longer than one attempt can take

    def send(self, row: Outbox) -> None:
        """Returns only after the other side has taken it; otherwise raises NotTakenError."""
        ...

    def close(self) -> None: ...
