"""Names behind the title of a doctor -> the same, but those of patients who have the title are names of people.

`Ihren Patienten Herrn Dr. Lindemann` is treated, and treats nobody.
"""

import re
import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

from core.records import Span

_FILE = resources.files("screening") / "data" / "titled_patients.toml"
_PROFESSIONAL, _FIRST, _LAST = "health_professional_name", "first_name", "last_name"
_SEEN_BEFORE, _SEEN_BEHIND = 90, 90
_FEW_WORDS = r"(?:[^.\n]|(?<=\d)\.){1,60}"
_INSERTED = r"(?:, ?[^,.;:\n]{2,40}(?=,)|,? ?\([^().\n]{2,30}\))"  # `, 71 Jahre,`
_WORD = re.compile(r"[^\W\d_][\w'’-]*\.?")


class _Beside(NamedTuple):
    titles: re.Pattern[str]
    longest: int  # of the titles, with a blank
    before: re.Pattern[str]  # up to the titles
    endings: tuple[str, ...]  # of what that finds, in small letters
    about: re.Pattern[str]
    born: re.Pattern[str]
    ill: re.Pattern[str]


def with_titled_patients(text: str, spans: Sequence[Span]) -> Sequence[Span]:
    """Once somebody is a patient, so is whoever has the same last name and a title in this text."""
    titled = [span for span in spans if span.characteristic == _PROFESSIONAL]
    patients = {_last_name(text, span) for span in titled if is_titled_patient(text, span.start, span.end)}
    if not patients:
        return spans
    return [part for span in spans for part in _told_apart(text, span, patients)]


def _told_apart(text: str, span: Span, patients: set[str]) -> Iterator[Span]:
    words = list(_WORD.finditer(text, span.start, span.end))
    if span.characteristic != _PROFESSIONAL or not words or _last_name(text, span) not in patients:
        yield span
        return
    *first, last = words
    if first:
        yield Span(span.start, first[-1].end(), _FIRST, span.score)
    yield Span(last.start(), span.end, _LAST, span.score)


def _last_name(text: str, span: Span) -> str:
    return text[span.start : span.end].split()[-1].casefold()


def is_titled_patient(text: str, start: int, end: int) -> bool:
    """Whether titles are before the name, and words before them or behind it show a patient."""
    beside = _beside()
    before = text[max(0, start - _SEEN_BEFORE) : start]
    titles = _begin_of_titles(before, beside)
    if titles == len(before):
        return False
    before = before[:titles]
    if before.rstrip().lower().endswith(beside.endings) and beside.before.search(before):
        return True
    return is_said_to_be_ill(text, end) or (
        beside.born.match(text[end : end + _SEEN_BEHIND]) is not None
        and (before.rstrip()[-1:] != ":" or beside.about.search(before) is not None)
    )


def _begin_of_titles(before: str, beside: _Beside) -> int:
    """Where the row of titles at the end begins; one title after the other, as each is short."""
    begin = len(before)
    while (found := beside.titles.search(before, max(0, begin - beside.longest))) is not None and found.start() < begin:
        begin = found.start()
    return begin


def is_said_to_be_ill(text: str, end: int) -> bool:
    """Whether words behind a name show a patient, at once or behind an insertion: `Herr Roth, Arzt, klagt über`."""
    return (
        text[end : end + 1] in (" ", ",", "(", ")") and _beside().ill.match(text[end : end + _SEEN_BEHIND]) is not None
    )


@cache
def _beside() -> _Beside:
    groups: dict[str, list[str]] = tomllib.loads(_FILE.read_text(encoding="utf-8"))
    names = ("titles", "address", "labels", "about", "patients", "born", "ill")
    titles, address, labels, about, patients, born, ill = (_any_of(groups[name]) for name in names)
    return _Beside(
        titles=_pattern(rf"(?:(?<!\w){address}\s)?(?:(?<!\w){titles}\s?)+$"),
        longest=1 + max(map(len, (*groups["titles"], *groups["address"]))),
        before=_pattern(rf"(?<![^\W\d_])(?:{labels}\s?:|{patients})\s{{0,3}}$"),
        endings=(":", *sorted({re.split(r"[. ]", phrase.lower())[-1] for phrase in groups["patients"]})),
        about=_pattern(rf"(?<![^\W\d_]){about}\s?:\s{{0,3}}$"),
        born=_pattern(rf"(?:,| ?\(|\n)\s?{born}\s?:?\s?\d"),
        ill=_pattern(rf"\)?{_INSERTED}?,? {ill}(?!\w)"),
    )


def _any_of(phrases: Sequence[str]) -> str:
    longest_first = sorted(phrases, key=len, reverse=True)
    return f"(?:{'|'.join(_FEW_WORDS.join(map(re.escape, phrase.split('...'))) for phrase in longest_first)})"


def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
