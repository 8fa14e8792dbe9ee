"""A stretch of a chat -> passages of a few messages each, and who wrote which message."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.records import Passage

PLACE = "message"
_MOST_MESSAGES = 14
_MOST_CHARS = 900
_LOOKED_AT = 4_000  # characters at the beginning that must look like a chat
_LEAST_SHARE = 0.25  # of the filled lines there must begin a message
_TIME = r"\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:[ \u202f]?[ap]\.?m\.?)?"
# What every time has, and every speaker behind the name.
_CLOCK = (re.compile(r":(?<=\d:)\d{2}"), re.compile(r"\.(?<=\d\.)\d{2}"))
_COLON = (re.compile(r":(?=[ \t])"),)
_DAY = (
    r"(?:\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,2} [A-Z][a-z]{2,8}(?: \d{4})?"
    r"|[A-Z][a-z]{2,8},? \d{1,2}(?:, \d{4})?|Today|Yesterday)"
)
_NAME = r"(?P<speaker>[^\W\d_][^:\n\[\]<>|=;{}\"—–]{0,38}?)"
_DATED = rf"[\[(]?{_DAY},?[T ][ ]?(?:at )?{_TIME}[\])]?"
# `[12/03/24, 08:01:12] Mary Sloan: `, `12/03/2024, 08:02 - Mary: `, `[9:02 AM] Sloan, Mary`, `<Mary> `
_STAMPED = re.compile(
    rf"^[ \t]*(?:(?P<dated>{_DATED}|[\[(]{_TIME}[\])])|{_TIME})[ \t]*[-–—|]?[ \t]*<?{_NAME}>?[ \t]*(?::(?=[ \t\n])|$)",
    re.MULTILINE | re.IGNORECASE,
)
# `Mary Sloan  9:14 AM`, `Mary Sloan, 12/03/2024 9:14 AM:`, `Mary Sloan — Today at 9:14 AM`
_SIGNED = re.compile(
    rf"^[ \t]*{_NAME}(?:[ \t]*[,—–\[(-][ \t]*|[ \t]+)(?P<dated>{_DAY},?[ ](?:at )?)?{_TIME}[\])]?[ \t]*"
    r"(?::(?=[ \t\n])|$)",
    re.MULTILINE | re.IGNORECASE,
)
# `Mary: `, as in transcripts
_SPOKEN = re.compile(r"^[ \t]*(?P<speaker>[^\W\d_][\w.'’ -]{0,30}?(?<!\d)):(?=[ \t])", re.MULTILINE)


class Message(NamedTuple):
    """Where a message and its speaker's name begin and end."""

    start: int
    speaker: tuple[int, int]
    body: int
    end: int


def messages_in(text: str, start: int, end: int) -> list[Message]:
    """Nothing where the stretch is no chat."""
    looked_at = min(end, start + _LOOKED_AT)
    if text.find(":", start, looked_at) < 0:
        return []
    timed = _lines_with(_CLOCK, text, start, looked_at)
    for pattern, signs in ((_STAMPED, _CLOCK), (_SIGNED, _CLOCK), (_SPOKEN, _COLON)):
        lines = timed if signs is _CLOCK else _lines_with(signs, text, start, looked_at)
        heads = _heads(pattern, text, lines, looked_at)
        if heads and _is_chat(heads, text[start:looked_at], is_timed=pattern is not _SPOKEN):
            lines = lines if looked_at == end else _lines_with(signs, text, start, end)
            return _messages(_heads(pattern, text, lines, end), end)
    return []


def _heads(pattern: re.Pattern[str], text: str, lines: Sequence[int], end: int) -> list[re.Match[str]]:
    return [head for line in lines if (head := pattern.match(text, line, end)) is not None]


def _lines_with(signs: Sequence[re.Pattern[str]], text: str, start: int, end: int) -> list[int]:
    """Where lines begin that have one of the signs: to try every line takes five times as long."""
    places = sorted(place.start() for sign in signs for place in sign.finditer(text, start, end))
    lines: list[int] = []
    done = -1  # where the last of them ends
    for at in places:
        if at > done:
            lines.append(text.rfind("\n", start, at) + 1 or start)
            done = text.find("\n", at, end)
            if done < 0:
                break
    return lines


def _is_chat(heads: Sequence[re.Match[str]], stretch: str, *, is_timed: bool) -> bool:
    """A list of appointments has a time on each line too, but no name again; a form has each label once."""
    filled = sum(1 for line in stretch.split("\n") if line and not line.isspace())
    if len(heads) < _LEAST_SHARE * filled:
        return False
    speakers = Counter(head["speaker"].strip().casefold() for head in heads)
    if is_timed and len(heads) == 1:
        return bool(heads[0]["dated"]) and heads[0].group().endswith(":")
    if is_timed:
        return len(speakers) < len(heads) or all(head["dated"] for head in heads)
    twice = sum(count > 1 for count in speakers.values())
    return len(heads) > 2 and 2 * len(heads) >= filled and twice > 1 and 2 * len(speakers) <= len(heads) + 1


def _messages(heads: Sequence[re.Match[str]], end: int) -> list[Message]:
    starts = [*(head.start() for head in heads[1:]), end]
    return [
        Message(head.start(), head.span("speaker"), head.end(), after)
        for head, after in zip(heads, starts, strict=True)
    ]


def message_passages(text: str, start: int, end: int, whole: int) -> list[Passage]:
    """A few consecutive messages together, as they answer each other."""
    messages = messages_in(text, start, end)
    if not messages:
        return []
    if end - start <= whole:
        return [Passage(start, end, f"{PLACE}s 1 to {len(messages):,}")]
    return list(_grouped(messages, start))


def _grouped(messages: Sequence[Message], start: int) -> Iterator[Passage]:
    low = 0
    while low < len(messages):
        high = low + 1
        while (
            high < len(messages)
            and high - low < _MOST_MESSAGES
            and messages[high].end - messages[low].start <= _MOST_CHARS
        ):
            high += 1
        first = start if low == 0 else messages[low].start
        place = f"{PLACE} {low + 1:,}" if high == low + 1 else f"{PLACE}s {low + 1:,} to {high:,}"
        yield Passage(first, messages[high - 1].end, place)
        low = high
