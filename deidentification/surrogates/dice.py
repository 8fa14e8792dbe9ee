"""A secret key and a value -> numbers that are always the same for it, and say nothing about it."""

import hmac
from collections.abc import Sequence
from typing import TypeVar

_PURPOSE = b"leakscreen deidentify"
_T = TypeVar("_T")


class Dice:
    """Under a key of their own, so that surrogates cannot be compared with the keyed hashes of a scan."""

    def __init__(self, key: bytes) -> None:
        self._key = hmac.digest(key, _PURPOSE, "sha256")

    def number(self, below: int, *seed: str, turn: int = 0) -> int:
        """16 bytes: what is left over by the division shifts the odds by less than anyone can see."""
        message = "\0".join((*seed, str(turn))).encode("utf-8", "surrogatepass")
        return int.from_bytes(hmac.digest(self._key, message, "sha256")[:16]) % below

    def choice(self, among: Sequence[_T], *seed: str, turn: int = 0) -> _T:
        return among[self.number(len(among), *seed, turn=turn)]
