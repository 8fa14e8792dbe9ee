"""The parts of a name in a text -> given name and surname as they are compared."""

import re
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from core.records import Span
from screening.people.mentions import Mention
from screening.privacy.person_keys import plain_name

PROFESSIONAL = "health_professional_name"
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_LABEL = re.compile(r"(?:[^\W\d_]+[ _]){0,3}[^\W\d_]+[\"'>]?[ \t]*[:=>]")  # between parts of a name that are fields
_GIVEN_LABEL = re.compile(r"first|given|fore|pr[eé]nom|vorname|nombre", re.IGNORECASE)
_REMEMBERED = 1_024
_IN_ORDER = ("first_name", "last_name")


class Name(NamedTuple):
    """Its parts as they are compared; a part that is not written is empty, of an initial there is one letter."""

    given: str
    surname: str


_whole_name = partial(tuple.__new__, Name)  # half the time of Name(...)


def in_fields(text: str, parts: Sequence[Span]) -> tuple[Span, Span] | None:
    """Given name and surname, where they are fields of a record that have labels; what labels say counts."""
    labels = _LABEL.findall(text, parts[0].end, parts[1].start) if len(parts) > 1 else []
    if not labels:
        return None
    return (parts[1], parts[0]) if _GIVEN_LABEL.search(labels[-1]) else (parts[0], parts[1])


@lru_cache(maxsize=_REMEMBERED)  # doctors recur
def _plain_words(name: str) -> tuple[str, ...]:
    return tuple(plain_name(word) for word in _WORD.findall(name))


def name_of(text: str, mention: Mention, parts: Sequence[Span]) -> Name:
    if len(parts) == 2 and (parts[0][2], parts[1][2]) == _IN_ORDER:
        (low, high, _, _), (start, end, _, _) = parts
        given, surname = plain_name(text[low:high]), plain_name(text[start:end])
        if given and surname:
            return _whole_name((given, surname))
    written: dict[str, str] = {}  # the first part of each kind
    for start, end, kind, _ in parts:
        if kind not in written:
            written[kind] = plain_name(text[start:end])
    given, surname = written.get("first_name", ""), written.get("last_name", "")
    if given and surname:
        return Name(given, surname)
    if fields := in_fields(text, parts):
        first, last = (plain_name(text[part.start : part.end]) for part in fields)
        return Name(first, last)
    words = _plain_words(text[mention.start : mention.end])
    if len(words) < 2:
        initial = written.get("initials", "")
        if mention.key == PROFESSIONAL and words:
            return Name("", words[0])
        return Name(given or (initial[:1] if surname else ""), surname)
    if "," in text[mention.start : mention.end] or (surname and words[0] == surname):
        return Name(words[1], words[0])
    return Name(words[0], words[-1])
