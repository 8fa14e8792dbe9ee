"""A text, its spans and the passages that may be medical -> everybody of whom it tells more than a name.

One entry a person, however often named. Nothing of it is capped, so a table of 10,000 patients has 10,000 entries.
"""

import tomllib
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from importlib.resources import files
from typing import NamedTuple, Protocol

from core.records import Candidate, PersonKeys, PersonSeen, Role, Span
from screening.people.evidence import ROLES
from screening.people.jurisdiction import jurisdiction_of
from screening.people.likely_mentions import likely_mentions
from screening.people.mentions import Mention
from screening.people.people_here import people_in
from screening.people.person_names import PROFESSIONAL, Name, name_of
from screening.people.read_text import ReadText
from screening.privacy.person_keys import Keyed, birth_of, plain_number, sound_of
from screening.same_person import SamePerson

KNOWN_PERSON = "listed_person"  # a characteristic
_MOST_VALUES = 4  # of one kind that are kept of a person
_HEAD = 3  # letters
_LOOKED_AT = 4  # mentions of a person that may show the role
_REMEMBERED_NAMES = 2_048
_REMEMBERED_ROWS = 512  # what is written with people: the rows of a table have the same
_STRONGEST = ("health_numbers", "national_numbers", "record_numbers", "birth", "emails", "phones", "addresses")


_LISTS = PersonKeys._fields[PersonKeys._fields.index("birth_day") + 1 :]  # kinds of which somebody may have several
_person_keys = partial(tuple.__new__, PersonKeys)  # a third of the time of PersonKeys(...)
_person_seen = partial(tuple.__new__, PersonSeen)


class Kinds(NamedTuple):
    """What screening/data/people.toml says."""

    kind_of: Mapping[str, str]  # characteristic -> kind of key
    make: frozenset[str]  # what makes a person of a name
    subjects: frozenset[str]
    nameless: frozenset[str]
    distinct: tuple[str, ...]


@cache
def read_kinds() -> Kinds:
    data = tomllib.loads(files("screening").joinpath("data", "people.toml").read_text("utf-8"))
    kind_of = {name: kind for kind, names in data["keys"].items() for name in names}
    return Kinds(
        kind_of,
        frozenset(kind_of) | frozenset(data["beside_a_name"]["characteristics"]),
        frozenset(data["subjects"]["characteristics"]),
        frozenset(data["nameless"]["characteristics"]),
        tuple(data["distinct"]["kinds"]),
    )


class Places(NamedTuple):
    """Where somebody is named, and everything that is tied to them."""

    mentions: Sequence[Mention]
    spans: Sequence[Span]


@dataclass(slots=True, repr=False)
class _Somebody:
    """One person while a text is read; it holds values, so it never leaves this module."""

    name: Name
    values: dict[str, list[str]] = field(default_factory=dict)  # by kind, in the order of the text
    spans: list[Span] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)
    is_professional: bool = False

    def conflicts_with(self, values: Mapping[str, Sequence[str]], distinct: Sequence[str]) -> bool:
        """The first kind that both have decides: patients may have several record numbers, but one date of birth."""
        for kind in distinct:
            if self.values.get(kind) and values.get(kind):
                return not set(self.values[kind]) & set(values[kind])
        return False

    def add(self, other: "_Somebody") -> None:
        for kind, values in other.values.items():
            own = self.values.setdefault(kind, [])
            own += [value for value in values if value not in own]
        self.spans += other.spans
        self.mentions += other.mentions
        self.is_professional = self.is_professional or other.is_professional
        if len(other.name.given) > len(self.name.given) or not self.name.surname:
            self.name = Name(other.name.given or self.name.given, self.name.surname or other.name.surname)


class Found(Protocol):
    """Somebody of a list, by a number that stands here."""

    @property
    def start(self) -> int: ...

    @property
    def passage(self) -> tuple[int, int]: ...

    @property
    def row(self) -> int: ...


def with_known(people: Sequence[PersonSeen], found: Sequence[Found], bit: int) -> tuple[PersonSeen, ...]:
    """Whoever is named nearest to the number, in its passage, is the known person; or else a person without a name."""
    if not found:
        return tuple(people)
    named = sorted((at, number) for number, person in enumerate(people) for at in person.mentions)
    places = [at for at, _ in named]
    known: dict[int, None] = {}
    nameless = []
    for one in found:
        around = range(bisect_left(places, one.passage[0]), bisect_left(places, one.passage[1]))
        near = [named[at] for at in around if named[at][1] not in known]
        if near:
            known[min(near, key=lambda place: abs(place[0] - one.start))[1]] = None
        else:
            nameless.append(PersonSeen(one.row + 1, Role.SUBJECT, bit, "", (one.start,), PersonKeys(), known=True))
    marked = [
        person._replace(known=True, role=Role.SUBJECT, bits=person.bits | bit) if number in known else person
        for number, person in enumerate(people)
    ]
    return (*marked, *nameless)


class Persons:
    """What is needed to find them, for any number of texts."""

    def __init__(self, same_person: SamePerson, keyed: Keyed, bits: Mapping[str, int]) -> None:
        self._same_person = same_person
        self._keyed = keyed
        self._bits = bits
        self._kinds = read_kinds()
        self._shown_by = lru_cache(maxsize=_REMEMBERED_ROWS)(self._bits_and_subjects)
        self._keys_of_given = lru_cache(maxsize=_REMEMBERED_NAMES)(partial(_keys_of_given, keyed))
        self._keys_of_surname = lru_cache(maxsize=_REMEMBERED_NAMES)(partial(_keys_of_surname, keyed))

    def in_text(self, read: ReadText, candidates: Sequence[Candidate]) -> list[PersonSeen]:
        """In the order in which they are first named; candidates count in the same text."""
        return [person for person, _ in self.with_places(read, candidates)]

    def with_places(self, read: ReadText, candidates: Sequence[Candidate]) -> list[tuple[PersonSeen, Places]]:
        """The same, and where names and addresses of each are written."""
        text, spans = read.text, read.spans
        if not candidates and not any(span.characteristic in self._kinds.make for span in spans):
            return []
        mentions = list(likely_mentions(read, candidates))
        ties = self._same_person.mentions_of(text, spans, mentions, read.sections)
        chosen = {at: role for candidate in candidates for at, role in candidate.others}
        chosen |= {candidate.person: candidate.role for candidate in candidates}
        named = _merged(self._occurring(text, spans, mentions, ties), self._kinds.distinct)
        people = [one for one in named if self._is_person(one, chosen)]
        people += self._nameless(text, spans, ties, candidates)
        if not people:
            return []
        passages = _Passages(read, mentions, candidates)
        seen = [(self._seen(text, one, passages, chosen), one) for one in people]
        seen.sort(key=lambda pair: pair[0].mentions[0])
        return [(person, Places(one.mentions, one.spans)) for person, one in seen]

    def _occurring(
        self, text: str, spans: Sequence[Span], mentions: Sequence[Mention], ties: Sequence[object]
    ) -> list[_Somebody]:
        """For each mention what is tied to it."""
        parts: dict[int, list[Span]] = {mention.start: [] for mention in mentions}
        tied: dict[int, list[Span]] = {mention.start: [] for mention in mentions}
        for span, mention in zip(spans, ties, strict=True):
            if isinstance(mention, Mention):
                low, high, _, _, _ = mention
                (parts if low <= span[0] < high else tied)[low].append(span)
        somebody = []
        for mention in mentions:
            own, name_parts = tied[mention[0]], parts[mention[0]]
            name = name_of(text, mention, name_parts)
            is_professional = mention[2] == PROFESSIONAL
            values = self._values(text, own) if own else {}
            somebody.append(_Somebody(name, values, name_parts + own, [mention], is_professional))
        return somebody

    def _values(self, text: str, spans: Sequence[Span]) -> dict[str, list[str]]:
        values: dict[str, list[str]] = {}
        kind_of = self._kinds.kind_of
        for start, end, characteristic, _ in spans:
            kind = kind_of.get(characteristic)
            if kind is None:
                continue
            value = text[start:end]
            if kind == "birth":
                born = birth_of(value)
                plain = "{}-{}-{}".format(*born) if born else ""
            else:
                plain = plain_number(kind, value)
            own = values.get(kind)
            if own is None:
                values[kind] = [plain] if plain else []
            elif plain and plain not in own:
                own.append(plain)
        return values

    def _is_person(self, one: _Somebody, chosen: Mapping[int, Role]) -> bool:
        """A name with anything that identifies, half a name with much, or whom a medical passage may be about."""
        return any(mention.start in chosen for mention in one.mentions) or self._is_identified(one)

    def _is_identified(self, one: _Somebody) -> bool:
        kinds, (given, surname) = self._kinds, one.name
        enough = kinds.make if given and surname else kinds.subjects if given or surname else kinds.nameless
        return not enough.isdisjoint([span[2] for span in one.spans])

    def _nameless(
        self, text: str, spans: Sequence[Span], ties: Sequence[object], candidates: Sequence[Candidate]
    ) -> list[_Somebody]:
        """Numbers that stand by themselves: for each line one person, if it has a date of birth or is medical."""
        free = [span for span, mention in zip(spans, ties, strict=True) if mention is None]
        if not any(span.characteristic in self._kinds.nameless for span in free):
            return []
        judged = sorted(candidate.passage[:2] for candidate in candidates)
        lines: dict[int, list[Span]] = {}
        for span in free:
            lines.setdefault(text.rfind("\n", 0, span.start), []).append(span)
        people = []
        for own in lines.values():
            number = next((span for span in own if span.characteristic in self._kinds.nameless), None)
            if number is None:
                continue
            at = bisect_right(judged, (number.start, len(text))) - 1
            is_medical = at >= 0 and number.start < judged[at][1]
            if is_medical or any(span.characteristic == "birth_date" for span in own):
                mention = Mention(number.start, number.end, "", False, 0.0)
                people.append(_Somebody(Name("", ""), self._values(text, own), own, [mention]))
        return people

    def _seen(self, text: str, one: _Somebody, passages: "_Passages", chosen: Mapping[int, Role]) -> PersonSeen:
        bits, shows_subject = self._shown_by(tuple([span[2] for span in one.spans]))
        starts = tuple([mention[0] for mention in one.mentions])
        role = next((chosen[start] for start in starts if start in chosen), None)
        role = role or passages.role_of(one.mentions[:_LOOKED_AT])
        if one.is_professional:
            role = Role.PROFESSIONAL
        elif role is Role.OTHER and shows_subject:
            role = Role.SUBJECT
        given, surname = one.name
        strongest = next((one.values[kind][0] for kind in _STRONGEST if one.values.get(kind)), "")
        return _person_seen(
            (
                self._keyed.fresh("identity", f"{surname}\0{given}\0{strongest}"),
                role,
                bits,
                passages.place_of(one.mentions[0]),
                starts,
                self._keys(one),
                *jurisdiction_of(text, one.spans),
                False,  # health and known are found out later
                False,
                not self._is_identified(one),
            )
        )

    def _bits_and_subjects(self, characteristics: tuple[str, ...]) -> tuple[int, bool]:
        """The vector of these, and whether one of them shows that somebody is a subject."""
        bits = 0
        for characteristic in characteristics:
            bits |= self._bits[characteristic]
        return bits, not self._kinds.subjects.isdisjoint(characteristics)

    def _keys(self, one: _Somebody) -> PersonKeys:
        key, fresh, (given, surname) = self._keyed.of, self._keyed.fresh, one.name
        born = next(iter(one.values.get("birth", ())), "")
        year, _, day = born.partition("-")
        # Names, years and days recur; dates and numbers hardly do, and would drive them out of what is remembered.
        return _person_keys(
            (
                *self._keys_of_given(given),
                *self._keys_of_surname(surname),
                fresh("birth", born),
                key("birth_year", year),
                key("birth_day", day),
                *[self._keys_of_kind(kind, one.values[kind]) if kind in one.values else () for kind in _LISTS],
            )
        )

    def _keys_of_kind(self, kind: str, values: Sequence[str]) -> tuple[int, ...]:
        fresh = self._keyed.fresh
        return (
            (fresh(kind, values[0]),)
            if len(values) == 1
            else tuple([fresh(kind, value) for value in values[:_MOST_VALUES]])
        )


def _keys_of_given(keyed: Keyed, given: str) -> tuple[int, int, int]:
    """Of the name, its sound and its initial."""
    whole = "" if len(given) == 1 else given
    initial = keyed.of("given_initial", given[:1])
    return keyed.fresh("given", whole), keyed.of("given_sound", sound_of(whole)), initial


def _keys_of_surname(keyed: Keyed, surname: str) -> tuple[int, int, int, int]:
    """Of the name, its sound, its first letters and its last."""
    head, tail = keyed.of("surname_head", surname[:_HEAD]), keyed.of("surname_tail", surname[-_HEAD:])
    return keyed.fresh("surname", surname), keyed.of("surname_sound", sound_of(surname)), head, tail


class _Passages:
    """The passages of a text, and for each mention its passage and what the person is there.

    Of candidates both are known.
    """

    def __init__(self, read: ReadText, mentions: Sequence[Mention], candidates: Sequence[Candidate]) -> None:
        self._read = read
        self._mentions = [mention for mention in mentions if mention.key != PROFESSIONAL]
        self._places = [mention.start for mention in self._mentions]
        self._candidates = candidates
        self._starts_of_candidates = [candidate.passage.start for candidate in candidates]
        self._known = {low: ROLES[token] for one in candidates for low, _, token in one.replaced if token in ROLES}
        self._roles: dict[int, dict[int, Role]] = {}  # by passage, by mention
        self._starts = [passage.start for passage in read.passages]

    def place_of(self, mention: Mention) -> str:
        at = bisect_right(self._starts_of_candidates, mention.start) - 1
        if at >= 0 and mention.start < self._candidates[at].passage.end:
            return self._candidates[at].passage.place
        around = self._around(mention)
        return "" if around is None else self._read.passages[around].place

    def role_of(self, mentions: Sequence[Mention]) -> Role:
        """The first that shows something decides."""
        for mention in mentions:
            role = self._known.get(mention.start)
            if role is None and (at := self._around(mention)) is not None:
                role = self._roles_in(at).get(mention.start)
            if role is not None and role is not Role.OTHER:
                return role
        return Role.OTHER

    def _around(self, mention: Mention) -> int | None:
        at = bisect_right(self._starts, mention.start) - 1
        return at if at >= 0 and mention.start < self._read.passages[at].end else None

    def _roles_in(self, at: int) -> dict[int, Role]:
        if at not in self._roles:
            passage = self._read.passages[at]
            here = self._mentions[bisect_left(self._places, passage.start) : bisect_left(self._places, passage.end)]
            people = people_in(self._read, here, passage)
            self._roles[at] = {person.mention.start: person.role for person in people}
        return self._roles[at]


def _merged(occurring: Sequence[_Somebody], distinct: Sequence[str]) -> list[_Somebody]:
    """Mentions of one name are one person, unless what is tied to them differs.

    Half a name is whoever bore it last, or else whoever bears it first.
    """
    by_name: dict[tuple[str, str], list[_Somebody]] = {}  # given name and surname
    latest: dict[tuple[str, str], _Somebody] = {}  # by half a name, and by surname and initial
    for one in occurring:
        known = [latest[one.name]] if one.name in latest else by_name.get(one.name, [])
        same = next((other for other in reversed(known) if not other.conflicts_with(one.values, distinct)), None)
        if same is not None:
            same.add(one)
        else:
            same = one
            by_name.setdefault(one.name, []).append(one)
        given, surname = same.name
        if given and surname:
            for half in (("", surname), (given, ""), (given[0], surname)):
                if half == same.name:
                    continue
                latest[half] = same
                if (before := by_name.get(half)) and not same.conflicts_with(before[-1].values, distinct):
                    same.add(before.pop())
    return [one for people in by_name.values() for one in people]
