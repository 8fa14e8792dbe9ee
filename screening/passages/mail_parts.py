"""A place in a mail -> the message around it, without the messages, fields and notices above and below."""

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from importlib import resources

_FILE = resources.files("screening") / "data" / "mail_parts.toml"
_QUOTED = r"^[ \t>|]*"
_LONGEST_HEADERS = 3_000
_SUBJECT = re.compile(
    rf"{_QUOTED}\*?(?:subject|objet|asunto|betreff)[ ]?:[ \t]*(?:(?:re|fwd?|aw|wg|tr|rv)[ ]?:[ \t]*)*([^\n]+)",
    re.MULTILINE | re.IGNORECASE,
)


def message_around(text: str, start: int, end: int, place: int) -> tuple[int, int]:
    """The stretch from `start` to `end`, narrowed to the message that contains the place."""
    if (fields := _technical_fields().match(text, start, end)) is not None and fields.end() <= place:
        start = fields.end()
    for seam in _seams().finditer(text, start, end):
        if seam.start() > place:
            return start, seam.start()
        start = max(start, min(seam.end(), place))
    return start, end


def subject_above(text: str, start: int) -> tuple[int, int] | None:
    """Where the subject of the message that begins there is written, without `Re:` and the like."""
    subjects = list(_SUBJECT.finditer(text, max(0, start - _LONGEST_HEADERS), start))
    return subjects[-1].span(1) if subjects else None


@cache
def _lists() -> dict[str, list[str]]:
    return tomllib.loads(_FILE.read_text(encoding="utf-8"))


@cache
def _technical_fields() -> re.Pattern[str]:
    labels = rf"(?:{_any_of(_lists()['technical'])})(?:[_ ]?(?:at|on|date|time|by))?"
    return re.compile(rf"(?:[ \t-]*{labels}[ ]?:[^\n]{{0,60}}\n)+", re.IGNORECASE)


@cache
def _seams() -> re.Pattern[str]:
    lists = _lists()
    begins = rf"{_QUOTED}[-_=* ]*(?:{_any_of(lists['begins'])})[-_=*: ]*$"
    wrote = rf"{_QUOTED}[^\n]{{8,200}}\b(?:{_any_of(lists['wrote'])})[ ]?:[ \t]*$"
    fields = rf"(?:{_QUOTED}\*?(?:{_any_of(lists['fields'])})[ ]?:[^\n]*\n?){{3,12}}"
    adverts = rf"{_QUOTED}(?:{_any_of(lists['adverts'])})\b"
    notices = (
        rf"{_QUOTED}[*_\[(]*(?:{_any_of(lists['notices'])})\b(?=[^\n]{{0,300}}(?:{_any_of(lists['notices_hold'])}))"
    )
    signs = rf"{_QUOTED}(?:-- ?|(?:{_any_of(lists['closings'])})[ ]?[,.!]?[ \t]*)$"
    return re.compile("|".join((begins, wrote, fields, adverts, notices, signs)), re.MULTILINE | re.IGNORECASE)


def _any_of(words: Sequence[str]) -> str:
    return "|".join(re.escape(word) for word in words)
