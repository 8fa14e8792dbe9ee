"""A text and its candidates -> the mentions that are most likely of somebody, in order and apart."""

import re
from collections.abc import Iterator, Sequence

from core.records import Candidate
from screening.people.mentions import Mention
from screening.people.person_names import PROFESSIONAL
from screening.people.read_text import ReadText

_HOUSE_NUMBER = re.compile(r"(?<![\d:])\d{1,6}[A-Za-z]?,? $")  # `9:20 Tony Hart` has a time before it
_LEAST_HALF = 0.8  # likelihood of a word that alone is a name, whatever follows it
_SMALL_WORD = re.compile(r" [a-z]")
_DIGIT = re.compile(r"\d")


def likely_mentions(read: ReadText, candidates: Sequence[Candidate]) -> Iterator[Mention]:
    """Likely names, doctors, and whom a candidate is about; a street is named after people, but is nobody."""
    text = read.text
    ill = {at for candidate in candidates for at, _ in candidate.others}
    is_unsure = any(0 < mention.likelihood < _LEAST_HALF for mention in read.mentions)
    full = [mention for mention in read.mentions if mention.is_full] if is_unsure else []
    halves = {half for mention in full for half in _halves(mention.key)}
    named = [
        mention
        for mention in read.mentions
        if mention.likelihood > 0
        and (mention.likelihood >= _LEAST_HALF or mention.key in halves or not _begins_phrase(read, mention))
        and (mention.start in ill or not _has_house_number(text, mention.start))
    ]
    named += [
        Mention(span.start, span.end, PROFESSIONAL, True, 0.0)
        for span in read.spans
        if span.characteristic == PROFESSIONAL
    ]
    for candidate in candidates:  # names that only their shape gives away
        named += [
            Mention(low, high, text[low:high].casefold(), True, 0.0)
            for low, high, _ in candidate.replaced
            if low == candidate.person and not _DIGIT.search(text, low, high)
        ]
    end = 0
    for mention in sorted(named, key=lambda mention: (mention.start, -mention.likelihood)):
        if mention.start >= end:
            yield mention
            end = mention.end


def _has_house_number(text: str, start: int) -> bool:
    return text[start - 1 : start] == " " and _HOUSE_NUMBER.search(text, max(0, start - 8), start) is not None


def _halves(key: str) -> tuple[str, str]:
    surname, _, given = key.partition("\0")
    return f"{surname}\0", f"\0{given}"


def _begins_phrase(read: ReadText, mention: Mention) -> bool:
    """`Major depressive disorder`: half a name, and hardly that, before a word in small letters."""
    if mention.is_full or not _SMALL_WORD.match(read.text, mention.end):
        return False
    standing = read.standing(mention.start, mention.end)
    return not (standing.has_title or standing.is_labelled)
