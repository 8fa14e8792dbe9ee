"""Words that look like somebody's name -> mentions, for medical passages in which the model of names saw nobody."""

import re
from collections.abc import Iterator, Mapping

from core.records import Role
from screening.entities.gazetteer import ANY_LAST, ANY_NAME, ANY_PLACE, GERMAN, MEDICAL
from screening.entities.words import plain_form
from screening.people.mentions import Mention, is_day, words_likelihood
from screening.people.roles import standing_of
from screening.people.streets import is_street

_CAPITAL = "[A-ZÀ-ÖØ-ÞŠŽŁŚŻČĆŐ]"
# No word of code such as `SearchParameter`.
_PART = rf"(?:O['’]|Mc|Mac|De|Di|Al)?{_CAPITAL}(?:[a-zß-öø-ÿšžłśżčćőąęğıű'’]+|{_CAPITAL}{{3,}})"
_NAME = rf"{_PART}(?:-(?:{_PART}|[a-z]+))*"
_PARTICLE = r"(?:van|der|den|de|la|von|da|del|di|dos|du|le|bin|al|el|ter|ten|St\.|Mc) "
_PARTICLES = rf"(?:{_PARTICLE}){{0,2}}"
_IN_FULL = re.compile(
    rf"(?<![\w.@/-])(?:{_NAME},? {_PARTICLES}(?:{_CAPITAL}\.? ){{0,2}}{_NAME}(?: {_NAME})?"
    rf"|{_CAPITAL}\. ?{_PARTICLES}{_NAME}|{_NAME},? {_CAPITAL}(?:\.|(?=[\s,;:)]|$)))(?![\w@/-]| {_CAPITAL}[^\W\d_]+)"
)
_TITLED = re.compile(
    rf"(?<!\w)(?:[Mm]rs?|[Mm]s|Mme|Mlle|M|Monsieur|Madame|Hr|Fr|Herrn?|Frau|Sra?|Srta|[Ss]eñor(?:a|ita)?|Don|Doña|Dn|Dña"
    rf"|Meneer|Mevrouw|Signora?|Senhora?)\.? ({_NAME}(?: {_NAME}){{0,2}})"
)
# A last name alone.
_LABELLED = re.compile(
    r"\b(?:(?:[Dd]er|Ihr|[Uu]nser|o\. ?g\.) Patient|Patient(?:in|en)|Pat\.|Bewohner(?:in|s)?|Klient(?:in|en)):? "
    rf"({_NAME})(?=[.,;:)\n]|$| [a-zäöü(*\d])"
)
# Before a last name that lists know; other nouns stand there too.
_WEAKLY_LABELLED = re.compile(
    r"\b(?:Kind(?:es)?|Epikrise|Gutachten über|[Bb]ericht(?:en)? über|(?:[Vv]erlauf|Diagnose|Therapie|Befund) bei"
    r"|(?:Material|Probe|Gewebe|Behandlung|Aufenthalt|Zustand|Vorstellung|Überweisung|Zuweisung|Verlegung|Entlassung"
    r"|Untersuchung|Operation) (?:von|des)|(?:[Ss]tationäre|[Aa]mbulante) Behandlung|Rentner(?:in)?|Pensionist(?:in)?"
    r"|Landwirt(?:in)?|Hausfrau|Witwer?|[Jj]ährige[rn]?(?: [A-ZÄÖÜ][a-zäöüß]+)?"
    r"|[Dd](?:er|ie|en|em) [A-ZÄÖÜ][a-zäöüß]{2,20}(?:er|in|mann|frau|wirt|ist|ent|ant)|Bei|bei|über) "
    rf"({_NAME})(?=[.,;:)\n]|$| [a-zäöü(*\d])"
)
_IN_LABELS = ("Pat", "Bewohner", "Klient")  # found in a fraction of the time
# What a name in full begins with: an initial, or a word with a blank and a capital or a particle behind it.
_CAPITALISED = re.compile(rf"{_CAPITAL}(?<![\w.@/-].)(?=\.|(?:[^\W\d_]|['’-])*+,? (?:{_CAPITAL}|{_PARTICLE}))")
_BEGINS_TITLE = re.compile(r"[MmHFSsD](?<!\w.)")
_LEAST = 2.0  # likelihood of words that nothing announces
_LEAST_WITH_INITIAL = 1.2
_INITIAL = re.compile(rf"(?<!\w){_CAPITAL}(?!\w)")


def mentions_by_shape(
    text: str, start: int, end: int, lists: Mapping[str, int], *, is_note: bool = False
) -> Iterator[Mention]:
    """Capital letters behind each other, some of them listed as names; or behind a title or a label of a patient.

    In a short clinical note none needs to be listed.
    """
    at = start
    starts: set[int] = set()
    while match := _next_at(_CAPITALISED, _IN_FULL, text, at, end):
        likelihood = _likelihood(text, match, lists, is_note)
        if likelihood is not None:
            yield Mention(match.start(), match.end(), match.group().casefold(), True, likelihood)
            starts.add(match.start())
            at = match.end()
        else:  # the second word may begin a name
            at = _next_word(text, match.start(), match.end())
    yield from _titled(text, start, end, lists)
    labelled = (*_labelled(text, start, end, lists), *(_weakly_labelled(text, start, end, lists) if is_note else ()))
    yield from (mention for mention in labelled if mention.start not in starts)


def _titled(text: str, start: int, end: int, lists: Mapping[str, int]) -> Iterator[Mention]:
    at = start
    while match := _next_at(_BEGINS_TITLE, _TITLED, text, at, end):
        at = match.end()
        name = match[1]
        likelihood, _ = words_likelihood(name, lists)
        if likelihood is None and " " in name:  # `Frau Bergers Laborwerte`
            name = name.partition(" ")[0]
            likelihood, _ = words_likelihood(name, lists)
        if likelihood is not None:
            yield Mention(match.start(1), match.start(1) + len(name), name.casefold(), " " in name, likelihood)


def _labelled(text: str, start: int, end: int, lists: Mapping[str, int]) -> Iterator[Mention]:
    """No nouns, which have capitals in German too."""
    if all(text.find(label, start, end) < 0 for label in _IN_LABELS):
        return
    for match in _LABELLED.finditer(text, start, end):
        likelihood, _ = words_likelihood(match[1], lists)
        code = lists.get(plain_form(match[1]), 0)
        if likelihood is not None and (code & ANY_NAME or not code & GERMAN):
            yield Mention(match.start(1), match.end(1), match[1].casefold(), False, likelihood)


def _weakly_labelled(text: str, start: int, end: int, lists: Mapping[str, int]) -> Iterator[Mention]:
    """Behind words that other nouns follow too: listed as a last name, and as nothing else."""
    for match in _WEAKLY_LABELLED.finditer(text, start, end):
        likelihood, _ = words_likelihood(match[1], lists)
        code = lists.get(plain_form(match[1]), 0)
        if likelihood is not None and code & ANY_LAST and not code & (GERMAN | MEDICAL | ANY_PLACE):
            yield Mention(match.start(1), match.end(1), match[1].casefold(), False, likelihood)


def _next_at(first: re.Pattern[str], pattern: re.Pattern[str], text: str, start: int, end: int) -> re.Match[str] | None:
    """The next match of a pattern; `first` finds where one may begin, which is faster than to try it everywhere."""
    for place in first.finditer(text, start, end):
        match = pattern.match(text, place.start(), end)
        if match is not None:
            return match
    return None


def _likelihood(text: str, match: re.Match[str], lists: Mapping[str, int], is_note: bool) -> float | None:
    name = match.group()
    if is_street(text, *match.span()) or is_day(text, match.start()):
        return None
    likelihood, is_listed = words_likelihood(name, lists)
    if likelihood is None:
        return None
    if is_listed and likelihood >= (_LEAST_WITH_INITIAL if _INITIAL.search(name) else _LEAST):
        return likelihood
    return likelihood if is_note or standing_of(text, *match.span()).role is Role.SUBJECT else None


def _next_word(text: str, start: int, end: int) -> int:
    gap = text.find(" ", start, end)
    return gap + 1 if gap > 0 else end
