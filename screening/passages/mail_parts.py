"""A place in a mail -> the message around it, without the messages, fields and notices above and below."""

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib import resources

_FILE = resources.files("screening") / "data" / "mail_parts.toml"
_QUOTED = r"^[ \t>|]*"
_LONGEST_HEADERS = 3_000


def message_around(text: str, start: int, end: int, place: int, *, is_mail: bool = False) -> tuple[int, int]:
    """The stretch from `start` to `end`, narrowed to the message that contains the place.

    A text that is not known to be a mail is one if it has headers, or begins a message inside of another.
    """
    if (fields := _technical_fields().match(text, start, end)) is not None and fields.end() <= place:
        start = fields.end()
    beginnings, endings = _seams()
    if not is_mail and beginnings.search(text, start, end) is None:
        return start, end
    seams = (seam.span() for pattern in (beginnings, endings) for seam in pattern.finditer(text, start, end))
    for low, high in sorted(seams):
        if low > place:
            return start, low
        start = max(start, min(high, place))
    return start, end


def subject_above(text: str, start: int) -> tuple[int, int] | None:
    """Where the subject of the message that begins there is written, without `Re:` and the like."""
    subjects = list(_subject().finditer(text, max(0, start - _LONGEST_HEADERS), start))
    return subjects[-1].span(1) if subjects else None


@cache
def _lists() -> dict[str, list[str]]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


@cache
def _subject() -> re.Pattern[str]:
    lists = _lists()
    replies = rf"(?:(?:{_any_of(lists['replies'])})[ ]?:[ \t]*)*"
    return _compiled(rf"{_QUOTED}\*?(?:{_any_of(lists['subjects'])})[ ]?:[ \t]*{replies}([^\n]+)")


@cache
def _technical_fields() -> re.Pattern[str]:
    labels = rf"(?:{_any_of(_lists()['technical'])})(?:[_ ]?(?:at|on|date|time|by))?"
    return re.compile(rf"(?:[ \t-]*{labels}[ ]?:[^\n]{{0,60}}\n)+", re.IGNORECASE)


@cache
def _seams() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What begins a message, and what is below one."""
    lists = _lists()
    begins = rf"{_QUOTED}[-_=* ]*(?:{_any_of(lists['begins'])})[-_=*: ]*$"
    wrote = rf"{_QUOTED}[^\n]{{8,200}}\b(?:{_any_of(lists['wrote'])})[ ]?:[ \t]*$"
    fields = rf"(?:{_QUOTED}\*?(?:{_any_of(lists['fields'])})[ ]?:[^\n]*\n?){{3,12}}"
    adverts = rf"{_QUOTED}(?:{_any_of(lists['adverts'])})\b"
    notices = (
        rf"{_QUOTED}[*_\[(]*(?:{_any_of(lists['notices'])})\b(?=[^\n]{{0,300}}(?:{_any_of(lists['notices_hold'])}))"
    )
    signs = rf"{_QUOTED}(?:-- ?|(?:{_any_of(lists['closings'])})[ ]?[,.!]?[ \t]*)$"
    return _compiled(begins, wrote, fields), _compiled(adverts, notices, signs)


def _compiled(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.MULTILINE | re.IGNORECASE)


def _any_of(words: Sequence[str]) -> str:
    return "|".join(re.escape(word) for word in words)
