"""A passage and the names in it -> its lines, a few together, where each is about somebody else who is ill."""

import re
from collections.abc import Sequence
from itertools import pairwise

from core.records import Passage
from screening.passages.rows import grouped
from screening.people.health_words import hints_at_health
from screening.people.mentions import Mention

# Before the first name of a line: `3. `, `- [x] `, `08:30 `, `rm 4 Mr `, `s5520117 `.
_BEGINS = re.compile(
    r"(?:[A-Z]{1,3}-?(?=\d{4}))?[\W\d]*(?:(?:rm|room|bed|bay|pt|patient|mrs?|ms|miss|baby|client)\b[\W\d]*){0,2}",
    re.IGNORECASE,
)
_LEAST_LINES = 9  # fewer are judged together
_LONGEST_LINE = 200  # characters
_LISTED = 0.6  # of the lines begin with a name
_ILL = 0.5  # of these have a medical word


def begins_line(text: str, mention: Mention) -> bool:
    start = mention[0]
    line = text.rfind("\n", 0, start) + 1
    return line == start or _BEGINS.fullmatch(text, line, start) is not None


def lines_of_patients(text: str, passage: Passage, mentions: Sequence[Mention]) -> list[Passage]:
    """Forty patients in one passage are further from every note that is known than six are."""
    if len(mentions) < _LEAST_LINES or passage.place.startswith("row"):
        return [passage]
    named = [mention.start for mention in mentions if begins_line(text, mention)]
    breaks = [place.start() for place in re.finditer(r"\n", text[passage.start : passage.end])]
    lines = [
        (passage.start + low, passage.start + high)
        for low, high in pairwise([0, *(place + 1 for place in breaks), passage.end - passage.start])
        if high > low + 1
    ]
    if len(named) < max(_LEAST_LINES, _LISTED * len(lines)) or passage.end - passage.start > _LONGEST_LINE * len(lines):
        return [passage]
    ill = sum(hints_at_health(text[low:high]) for low, high in lines)
    if ill < _ILL * len(lines):
        return [passage]
    first = text.count("\n", 0, passage.start) + 1
    return [some._replace(place=some.place.replace("row", "line")) for some in grouped(lines, first, passage.carried)]
