"""A value -> its masked preview and its keyed hash, the two forms in which it may be kept."""

from collections.abc import Sequence
from functools import lru_cache

from screening.privacy.key import keyed_hash
from screening.privacy.mask import mask, plain_form
from screening.ruleset.definitions import Characteristic

_REMEMBERED = 256  # a value that comes again in a file is masked and hashed once


class Disguise:
    def __init__(self, key: bytes, characteristics: Sequence[Characteristic]) -> None:
        self._key = key
        self._styles = {each.id: each.mask for each in characteristics}
        self.of = lru_cache(maxsize=_REMEMBERED)(self._of)

    def _of(self, characteristic: str, value: str) -> tuple[str, str]:
        style = self._styles[characteristic]
        return mask(value, style), keyed_hash(self._key, characteristic, plain_form(value, style))
