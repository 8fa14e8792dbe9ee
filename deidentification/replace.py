"""A view and what is known of its original -> edits that put replacements in place of everything found."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from core.records import Span
from deidentification.people import NAMES, Naming, People, Person
from deidentification.surrogates.dates import day_of, days_first, other_forms, shifted, year_of
from deidentification.surrogates.dice import Dice
from deidentification.surrogates.names import SurrogateNames
from deidentification.surrogates.numbers import SurrogateNumbers, Validator, plain_code
from deidentification.surrogates.places import SurrogatePlaces, province_of
from deidentification.values import Place, Value, Values, is_filler, plain
from deidentification.view import Edit, View
from deidentification.ways import Ways
from screening.same_person import SamePerson, sections_of

MASK = "***"
_WORD = re.compile(r"[^\W_]+")
BORN = "birth_date"
_DATES = frozenset({"date", BORN})
_DAYS_BEFORE_MONTHS = frozenset({"fr", "de", "es", "it", "pt", "nl", "sv"})
_OLDEST = 89
_BAND = 10
_HEAD = 3


@dataclass(slots=True, repr=False)
class Folder:
    """What one run over a file or a folder knows: its people, and which number has which tag. It is never stored."""

    ways: Ways
    dice: Dice
    people: People
    same_person: SamePerson
    validators: Callable[[str], Sequence[Validator]]
    most_days: int
    tags: dict[tuple[str, str], int] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    births: set[date] = field(default_factory=set)  # so that one is known where nothing says that it is a birth date
    mapping: dict[tuple[str, str], str] | None = None  # (characteristic, value) -> replacement, if it was asked for


@dataclass(frozen=True, slots=True, repr=False)
class _Around:
    """What the text around a span says of it."""

    text: str
    language: str
    day_first: bool
    offset_days: int


class Replacer:
    """Of one file."""

    def __init__(self, folder: Folder, language: str) -> None:
        self._folder = folder
        self._language = language
        self._names = SurrogateNames(folder.dice, folder.people.words)
        self._places = SurrogatePlaces(folder.dice, self._names)
        self._numbers = SurrogateNumbers(folder.dice, folder.validators)
        self.replaced: dict[str, int] = {}  # by characteristic
        self.replacements: set[str] = set()
        self.only_tags = False  # in place of surrogates, which the screen may take together with their neighbours

    def not_ours(self, values: Iterable[Value]) -> list[Value]:
        """Without words that replacements put there."""
        words = {plain(word) for text in self.replacements for word in _WORD.findall(text)}
        return [value for value in values if plain(value.text) not in words]

    def edits(self, view: View, spans: Sequence[Span], values: Values) -> list[Edit]:
        """For spans and, outside of them, for every place of a value; none where the way is to keep."""
        ways = self._folder.ways
        found = [span for span in spans if not ways.keeps(span.characteristic) and not view.is_ours(*span[:2])]
        known = [
            place._replace(start=start, end=end)
            for place in values.places(view.text)
            for start, end in own_places(view, place.start, place.end, values.lists)
        ]
        found = _with_known(view.text, found, known)
        namings = self._folder.people.named(view.text, found)
        owners = self._owners(view.text, found, namings)
        dates = [view.text[span.start : span.end] for span in found if span.characteristic in _DATES]
        day_first = days_first(dates, self._language in _DAYS_BEFORE_MONTHS)
        self._folder.births |= births_of(view.text, found, day_first)
        edits: list[Edit] = []
        for span, owner in zip(found, owners, strict=True):
            if span.characteristic not in NAMES:
                around = _Around(view.text, self._language, day_first, self._offset(owner))
                edits.append(self._edit(span, around))
                if span.characteristic in _DATES:
                    self.replacements |= other_forms(edits[-1].text)
        for naming in namings:
            edits += self._name_edits(view.text, naming)
        for edit in edits:
            self.replacements.add(edit.text)
        return edits

    def _owners(self, text: str, spans: Sequence[Span], namings: Sequence[Naming]) -> list[Person | None]:
        """Whose each span is, of those who are no professionals; in a text about one person, everything is theirs."""
        subjects = [naming for naming in namings if not self._folder.people.is_professional(naming.person)]
        people = {naming.person for naming in subjects}
        only = next(iter(people)) if len(people) == 1 else None
        tied = self._folder.same_person.mentions_of(text, spans, subjects, sections_of(text))
        return [one.person if isinstance(one, Naming) else only for one in tied]

    def _offset(self, person: Person | None) -> int:
        """Days by which the dates of a person move: never none."""
        seed = (person.given, person.surname) if person else ("", "")
        most = self._folder.most_days
        days = self._folder.dice.number(2 * most, "days", *seed) - most
        return days if days < 0 else days + 1

    def _name_edits(self, text: str, naming: Naming) -> list[Edit]:
        way = self._way(naming.parts[0].kind)
        for part in naming.parts:
            self._count(part.kind)
        if way == "surrogate" and all(
            text[part.start : part.end].isascii() or _is_latin(text[part.start : part.end]) for part in naming.parts
        ):
            edits = [
                Edit(part.start, part.end, self._names.part(text, naming, part, self._language))
                for part in naming.parts
            ]
            for edit in edits:
                self._note("name", text[edit.start : edit.end], edit.text)
            return edits
        if way == "mask":
            return [Edit(naming.start, naming.end, MASK)]
        role, number = self._folder.people.number(naming.person)
        tag = f"[{role} {number}]"
        self._note("name", text[naming.start : naming.end], tag)
        return [Edit(naming.start, naming.end, tag)]

    def _edit(self, span: Span, around: _Around) -> Edit:
        whole = around.text[span.start : span.end]
        value = whole.strip()  # blanks at its ends separate it from its neighbours
        start = span.start + len(whole) - len(whole.lstrip())
        way = self._way(span.characteristic)
        made = MASK if way == "mask" else self._by_way(way, span.characteristic, value, around)
        if made is None:
            made = self._tag(span.characteristic, value)
        self._count(span.characteristic)
        self._note(span.characteristic, value, made)
        return Edit(start, start + len(value), made)

    def _way(self, characteristic: str) -> str:
        way = self._folder.ways.of(characteristic)
        return "tag" if self.only_tags and way == "surrogate" else way

    def _by_way(self, way: str, characteristic: str, value: str, around: _Around) -> str | None:
        """None where the way knows nothing to do with the value: then it becomes a tag."""
        if way == "year":
            return year_of(value)
        if way == "age":
            return _age(value)
        if way == "head":
            return value.strip()[:_HEAD]
        if way == "province":
            return province_of(value)
        return self._surrogate(characteristic, value, around) if way == "surrogate" else None

    def _surrogate(self, characteristic: str, value: str, around: _Around) -> str | None:
        made: Mapping[str, Callable[[], str | None]] = {
            "date": lambda: self._date(value, around),
            BORN: lambda: self._date(value, around),
            "city": lambda: self._places.town(value),
            "street_address": lambda: self._places.address(value, around.language),
            "hospital": lambda: self._places.organization(value, around.language),
            "organization_name": lambda: self._places.organization(value, around.language),
            "email": lambda: self._places.email(value),
            "url": lambda: self._places.url(value),
            "ip_address": lambda: self._places.ip(value),
            "phone_number": lambda: self._numbers.phone(characteristic, value),
            "fax_number": lambda: self._numbers.phone(characteristic, value),
        }
        if characteristic in made:
            return made[characteristic]()
        return self._numbers.number(characteristic, value) if any(one.isdigit() for one in value) else None

    def _date(self, value: str, around: _Around) -> str | None:
        """Moved with all dates of its person; a birth date goes to a day that has nothing to do with it."""
        day = day_of(value, around.day_first)
        if day not in self._folder.births:
            return shifted(value, around.offset_days, around.day_first)
        first, last = self._folder.ways.births
        drawn = first + timedelta(days=self._folder.dice.number((last - first).days + 1, "born", day.isoformat()))
        return shifted(value, (drawn - day).days, around.day_first)

    def _tag(self, characteristic: str, value: str) -> str:
        label = self._folder.ways.tag_of(characteristic)
        if characteristic not in self._folder.ways.numbered:
            return f"[{label}]"
        key = characteristic, plain_code(plain(value))
        if key not in self._folder.tags:
            self._folder.counts[characteristic] = self._folder.counts.get(characteristic, 0) + 1
            self._folder.tags[key] = self._folder.counts[characteristic]
        return f"[{label} {self._folder.tags[key]}]"

    def _count(self, characteristic: str) -> None:
        self.replaced[characteristic] = self.replaced.get(characteristic, 0) + 1

    def _note(self, characteristic: str, value: str, made: str) -> None:
        if self._folder.mapping is not None:
            self._folder.mapping[characteristic, value] = made


def own_spans(view: View, span: Span, lists: Mapping[str, int]) -> list[Span]:
    """What of a span is not a replacement already."""
    return [span._replace(start=start, end=end) for start, end in own_places(view, span.start, span.end, lists)]


def own_places(view: View, start: int, end: int, lists: Mapping[str, int]) -> list[tuple[int, int]]:
    """What of a stretch is not a replacement already; between replacements, words that tell nothing stay."""
    parts = view.own_parts(start, end)
    if parts == [(start, end)]:
        return parts
    own = []
    for low, high in parts:
        words = list(_WORD.finditer(view.text, low, high))
        if any(not is_filler(word.group(), lists) for word in words):
            own.append((words[0].start(), words[-1].end()))
    return own


def births_of(text: str, spans: Iterable[Span], day_first: bool) -> set[date]:
    days = (day_of(text[span.start : span.end].strip(), day_first) for span in spans if span.characteristic == BORN)
    return {day for day in days if day is not None}


def values_of(text: str, spans: Iterable[Span], ways: Ways) -> list[Value]:
    """What may be nowhere in the copy."""
    return [
        Value(span.characteristic, text[span.start : span.end])
        for span in spans
        if not ways.keeps(span.characteristic) and span.characteristic not in ways.in_place
    ]


def _with_known(text: str, spans: Sequence[Span], places: Sequence[Place]) -> list[Span]:
    """Spans, and known values outside of them; a known value that reaches further than a span widens it."""
    merged: list[Span] = list(spans)
    covered = sorted((span.start, span.end) for span in spans)
    at = 0
    for place in places:
        while at < len(covered) and covered[at][1] <= place.start:
            at += 1
        low = place.start
        for start, end in covered[at:]:
            if start >= place.end:
                break
            if low < start:
                merged.append(Span(low, start, place.value.characteristic, 1.0))
            low = max(low, end)
        if low < place.end:
            merged.append(Span(low, place.end, place.value.characteristic, 1.0))
    return sorted(span for span in merged if any(one.isalnum() for one in text[span.start : span.end]))


def _age(value: str) -> str | None:
    digits = "".join(one for one in value if one.isdecimal())
    if not digits or len(digits) > 3:
        return None
    age = int(digits)
    if age > _OLDEST:
        return value.replace(digits, f"{_OLDEST + 1}+")
    low = age // _BAND * _BAND
    return value.replace(digits, f"{low}-{low + _BAND - 1}")


def _is_latin(word: str) -> bool:
    return all(ord(one) < 0x250 for one in word)
