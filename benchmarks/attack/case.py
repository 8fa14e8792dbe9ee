"""One attack: what is tried, and whether it was held."""

from collections.abc import Callable, Iterator
from typing import NamedTuple


class Tried(NamedTuple):
    name: str
    held: bool


Group = Callable[[], Iterator[Tried]]
