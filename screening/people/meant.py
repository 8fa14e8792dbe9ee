"""A text that a scanner misread -> the letters that were meant, where a word shows it."""

import re

from screening.people.health_words import is_medical
from screening.people.letter_runs import Meanings, letter_runs

# A figure inside a word is a misread letter: `carcin0ma`, but not `hba1c`; and so is a small l amid capitals.
# The letter first, because a set of characters is searched fast; one look at what is before it rules out most.
_MISREAD = re.compile(
    r"[015l](?:(?<=[A-Za-z][015])"
    r"(?:(?<=[a-z]{2}[015])(?=[a-z]{2})|(?<=\b[a-zA-Z][015])(?=[a-z]{3})|(?<=[A-Z]0)(?=[A-Z]{1,30}\b))"
    r"|(?<=[A-Z]l)(?:(?=[A-Z])|(?<=[A-Z]{2}l)\b)|(?<=\bl)(?=[A-Z]{2}))"
)
_LETTERS = {"0": "o", "1": "i", "5": "s", "l": "I"}
# Bounded: a long run of letters would take the square of its length.
_WORD = re.compile(r"\b[^\W\d_]{0,30}(?:rn|ii|vv)[^\W\d_]{0,30}\b")
_TWO_FOR_ONE = (("rn", "m"), ("vv", "w"), ("ii", "n"))


def as_meant(text: str) -> str:
    """Each letter at its place, so that places in the text stay what they are."""
    return _MISREAD.sub(_letter, text)


def _letter(match: re.Match[str]) -> str:
    letter = _LETTERS[match[0]]
    return letter.upper() if match.start() and match.string[match.start() - 1].isupper() else letter


def with_joined_letters(text: str) -> str:
    """`asthrna` and `pneurnonia` are medical words in which a letter was read as two."""
    if not any(two in text for two, _ in _TWO_FOR_ONE):
        return text
    if text.isascii() and (runs := letter_runs(text)) is not None and not _MEANINGS.among(runs):
        return text
    return _WORD.sub(lambda match: _joined(match.group()), text)


def _joined(word: str) -> str:
    if is_medical(word.lower()):
        return word
    for two, one in _TWO_FOR_ONE:
        if two in word and is_medical(word.replace(two, one).lower()):
            return word.replace(two, one)
    return word


def _meaning_of(run: str) -> str | None:
    meant = _joined(run)
    return meant if meant != run else None


_MEANINGS = Meanings(_meaning_of)
