"""A piece of a revealed text, and what it is."""

from dataclasses import dataclass
from typing import NoReturn


@dataclass(frozen=True, slots=True, repr=False)
class Piece:
    """A piece of the text, its characteristic if it has one, and whether it is of the passage that decided."""

    text: str
    characteristic: str = ""
    deciding: bool = False

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Piece holds content, which must not leave the page")
