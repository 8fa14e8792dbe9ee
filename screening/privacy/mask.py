"""A value -> its masked preview and its keyed hash, the only two forms in which it may be stored."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from screening.folding import shown
from screening.privacy.key import keyed_hash
from screening.ruleset.definitions import Characteristic

SHOWN_DIGITS = 4
DIGITS_TO_SHOW_SOME = 9
LONGEST = 48
NOTHING = "***"  # shorter than any value that the mask promises to hide

_REMEMBERED = 256  # a value that recurs in a file is masked and hashed once
_WORD = re.compile(r"[^\W_]+")
_SEPARATORS = re.compile(r"[\W_]+")


class Masker:
    """Masks and hashes the values of one rule set with one key."""

    def __init__(self, key: bytes, characteristics: Sequence[Characteristic]) -> None:
        self._key = key
        self._styles = {characteristic.id: characteristic.mask for characteristic in characteristics}
        self.masked_and_hashed = lru_cache(maxsize=_REMEMBERED)(self._masked_and_hashed)

    def _masked_and_hashed(self, characteristic: str, value: str) -> tuple[str, str]:
        style, value = self._styles[characteristic], shown(value)
        return mask(value, style), keyed_hash(self._key, characteristic, plain_form(value, style))


def mask(value: str, style: str) -> str:
    """At most the first letters of words, or the last four digits of a number with nine or more."""
    masked = _STYLES[style](value)
    if len(masked) > LONGEST:
        masked = masked[: LONGEST - 1] + "…"
    return NOTHING if value in masked else masked


def plain_form(value: str, style: str) -> str:
    """Case, accents' encodings, and separators that mean nothing, taken away."""
    if value.isascii() and value.isalnum():
        return value.lower()
    folded = unicodedata.normalize("NFKC", value).casefold()
    if style == "number":
        return _SEPARATORS.sub("", folded)
    if style == "email":
        return folded.strip()
    return _SEPARATORS.sub(" ", folded).strip()


def _words(value: str) -> str:
    if value.isalpha():
        return _first_letter(value)
    return _WORD.sub(lambda word: _first_letter(word.group()), " ".join(value.split()))


def _first_letter(word: str) -> str:
    return word[0] + "*" * (len(word) - 1) if word[0].isalpha() else "*" * len(word)


def _number(value: str) -> str:
    shown = SHOWN_DIGITS if sum(character.isdigit() for character in value) >= DIGITS_TO_SHOW_SOME else 0
    masked = []
    for character in reversed(value):
        if character.isdigit() and shown:
            shown -= 1
            masked.append(character)
        else:
            masked.append("*" if character.isalnum() else character)
    return "".join(reversed(masked))


def _all(value: str) -> str:
    return _WORD.sub(lambda word: "*" * len(word.group()), value)


def _email(value: str) -> str:
    mailbox, at, domain = value.rpartition("@")
    host, dot, top = domain.rpartition(".")
    if not (mailbox and at and host and dot):
        return _all(value)
    return f"{mailbox[0]}***@{host[0]}***.{top}"


_STYLES = {"words": _words, "number": _number, "all": _all, "email": _email}
