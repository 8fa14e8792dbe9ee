"""Texts of a folder and their spans -> which names are whose: one person however often and however named."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from core.records import Role, Span
from deidentification.values import TITLES
from screening.people.roles import standing_of
from screening.privacy.person_keys import plain_name

GIVEN, SURNAME, INITIALS, PROFESSIONAL = "first_name", "last_name", "initials", "health_professional_name"
NAMES = frozenset({GIVEN, SURNAME, INITIALS, PROFESSIONAL})
_WITH_NAMES = NAMES | {"city", "street_address", "hospital", "organization_name", "email"}
_BETWEEN = re.compile(r"[ \t,.'’^\"-]{1,4}|[ \t]*\n?[ \t]*(?:van|der|den|de|la|von|da|del|di|dos|bin|al|el)[ \t]+")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_PERSON = "PERSON"
_ROLES = {Role.PROFESSIONAL: "DOCTOR", Role.AUTHOR: "DOCTOR", Role.SUBJECT: "PATIENT"}


class Person(NamedTuple):
    """The name as it is compared; a part that is not known is empty."""

    given: str
    surname: str


class Part(NamedTuple):
    """One word of a name, where it is, and whether it is a surname."""

    start: int
    end: int
    kind: str


class Naming(NamedTuple):
    """A place where somebody is named."""

    start: int
    end: int
    parts: tuple[Part, ...]
    person: Person
    key: str = ""  # unused: what ties identifiers to people compares places


class People:
    """Everybody who is named in a folder; learned before anything is replaced, so that the order plays no part."""

    def __init__(self) -> None:
        self._by_surname: dict[str, dict[str, None]] = {}
        self._by_given: dict[str, dict[str, None]] = {}
        self._roles: dict[Person, str] = {}
        self._numbers: dict[Person, tuple[str, int]] = {}
        self._counts: dict[str, int] = {}
        self.words: set[str] = set()  # of all names: no surrogate may be one of them

    def learn(self, text: str, spans: Sequence[Span]) -> None:
        for span in spans:
            if span.characteristic in _WITH_NAMES:
                self.words.update(plain_name(word) for word in _WORD.findall(text[span.start : span.end]))
        for parts in _grouped(text, spans):
            given, surname = _name(text, parts)
            if len(given) > 1 and surname:
                self._by_surname.setdefault(surname, {})[given] = None
                self._by_given.setdefault(given, {})[surname] = None
        for naming in self.named(text, spans):
            if self._roles.get(naming.person, _PERSON) == _PERSON:
                self._roles[naming.person] = _role(text, naming)

    def named(self, text: str, spans: Sequence[Span]) -> list[Naming]:
        """In the order of the text; a surname alone is the last person of that name here, else in the folder."""
        here_by_surname: dict[str, str] = {}
        here_by_given: dict[str, str] = {}
        namings = []
        for parts in _grouped(text, spans):
            given, surname = _name(text, parts)
            if surname and len(given) < 2:
                given = self._given_of(surname, given, here_by_surname.get(surname))
            elif given and not surname:
                surname = self._one(self._by_given.get(given), here_by_given.get(given))
            if len(given) > 1 and surname:
                here_by_surname[surname], here_by_given[given] = given, surname
            namings.append(Naming(parts[0].start, parts[-1].end, parts, Person(given, surname)))
        return namings

    def _given_of(self, surname: str, initial: str, last: str | None) -> str:
        known = [given for given in self._by_surname.get(surname, ()) if given.startswith(initial)]
        if last is not None and last in known:
            return last
        return known[0] if len(known) == 1 else initial

    @staticmethod
    def _one(known: dict[str, None] | None, last: str | None) -> str:
        return last if last is not None else next(iter(known)) if known and len(known) == 1 else ""

    def is_professional(self, person: Person) -> bool:
        return self._roles.get(person) == _ROLES[Role.PROFESSIONAL]

    def number(self, person: Person) -> tuple[str, int]:
        """What the person is, and which one of the folder: `PATIENT`, 3."""
        role = self._roles.get(person, _PERSON)
        if person not in self._numbers:
            self._counts[role] = self._counts.get(role, 0) + 1
            self._numbers[person] = role, self._counts[role]
        return self._numbers[person]


def _role(text: str, naming: Naming) -> str:
    if naming.parts[0].kind == PROFESSIONAL:
        return _ROLES[Role.PROFESSIONAL]
    return _ROLES.get(standing_of(text, naming.start, naming.end).role, _PERSON)


def _grouped(text: str, spans: Sequence[Span]) -> list[tuple[Part, ...]]:
    """Neighbouring parts of one name; a name of a professional is one span, whose words are its parts."""
    groups: list[list[Part]] = []
    named = [span for span in spans if span.characteristic in NAMES]
    for before, span in pairwise([None, *named]):
        assert span is not None
        parts = _parts(text, span)
        if not parts:
            continue
        if before is not None and groups and _is_one_name(text, groups[-1], before, span):
            groups[-1] += parts
        else:
            groups.append(parts)
    return [tuple(group) for group in groups]


def _is_one_name(text: str, group: Sequence[Part], before: Span, span: Span) -> bool:
    between = text[before.end : span.start]
    if PROFESSIONAL in (before.characteristic, span.characteristic) or not _BETWEEN.fullmatch(between):
        return False
    kinds = {part.kind == SURNAME for part in group}
    if len(kinds) == 2 and ("," in between or '"' in between):
        return False
    return not (len(kinds) == 2 and span.characteristic == GIVEN)


def _parts(text: str, span: Span) -> list[Part]:
    words = [
        (span.start + match.start(), span.start + match.end()) for match in _WORD.finditer(text[span.start : span.end])
    ]
    if span.characteristic != PROFESSIONAL:
        return [Part(start, end, span.characteristic) for start, end in words]
    words = [(start, end) for start, end in words if text[start:end].casefold() not in TITLES]
    return [Part(start, end, PROFESSIONAL) for start, end in words]


def _name(text: str, parts: Sequence[Part]) -> Person:
    """Given name or initial, and surname; of a professional the last word is the surname."""
    if parts[0].kind == PROFESSIONAL:
        words = [plain_name(text[part.start : part.end]) for part in parts]
        return Person(words[0] if len(words) > 1 else "", words[-1])
    given = [plain_name(text[part.start : part.end]) for part in parts if part.kind == GIVEN]
    initials = [plain_name(text[part.start : part.end])[:1] for part in parts if part.kind == INITIALS]
    surname = "".join(plain_name(text[part.start : part.end]) for part in parts if part.kind == SURNAME)
    return Person((given or initials or [""])[0], surname)
