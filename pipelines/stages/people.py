"""People of a document and its positive passages -> whose health it tells of; people of several windows -> one list."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter
from typing import Any, cast

from core.records import Candidate, PersonKeys, PersonSeen, Role

Keys = tuple[int | tuple[int, ...], ...]
MOST_VALUES = 4  # of one kind that are kept of a person
MOST_JOINED = 50_000  # people of one file that are known again in a later window; further ones have a row a window


def with_health(people: Sequence[PersonSeen], positive: Sequence[Candidate]) -> tuple[PersonSeen, ...]:
    """Health information stands with whom a positive passage is about, and with every subject named in it.

    Relatives are subjects where the passage is about a relative, of whoever writes; beside a patient they are contacts.
    """
    if not positive or not people:
        return tuple(people)
    chosen = {candidate.person for candidate in positive} | {at for one in positive for at, _ in one.others}
    passages = sorted((*candidate.passage[:2], candidate.role is Role.RELATIVE) for candidate in positive)
    return tuple(person._replace(health=True) if _is_in(person, chosen, passages) else person for person in people)


def identified(people: Iterable[PersonSeen]) -> Iterator[PersonSeen]:
    """Of a text that tells of nobody's health, those who are more than a name in it."""
    return (person for person in people if person.known or not person.is_name_alone)


def _is_in(person: PersonSeen, chosen: set[int], passages: Sequence[tuple[int, int, bool]]) -> bool:
    if not chosen.isdisjoint(person.mentions):
        return True
    if person.role not in (Role.SUBJECT, Role.RELATIVE):
        return False
    for at in person.mentions:
        number = bisect_right(passages, at, key=itemgetter(0)) - 1
        if number >= 0 and at < passages[number][1] and (person.role is Role.SUBJECT or passages[number][2]):
            return True
    return False


class PeopleOfWindows:
    """Whoever is in several windows of one text is one person; as many as fit into little memory are remembered."""

    def __init__(self) -> None:
        self._known: dict[int, PersonSeen] = {}

    def add(self, people: Sequence[PersonSeen]) -> list[PersonSeen]:
        """Those that there is no room to remember."""
        beyond = []
        for person in people:
            known = self._known.get(person.identity)
            if known is not None:
                self._known[person.identity] = _as_one(known, person)
            elif len(self._known) < MOST_JOINED:
                self._known[person.identity] = person._replace(place="")  # passages are numbered by window
            else:
                beyond.append(person._replace(place=""))
        return beyond

    def take(self, *, is_health: bool = True) -> Iterator[PersonSeen]:
        """All of them; `is_health` says whether the text as a whole was found to tell of anybody's health."""
        known, self._known = self._known, {}
        if is_health:
            return iter(known.values())
        return (person._replace(health=False) for person in identified(known.values()))


def _as_one(first: PersonSeen, second: PersonSeen) -> PersonSeen:
    role = first.role if first.role is not Role.OTHER else second.role
    joined: list[Any] = [
        tuple(dict.fromkeys(here + cast(tuple[int, ...], there)))[:MOST_VALUES]
        if isinstance(here, tuple)
        else here or there
        for here, there in zip(cast(Keys, first.keys), cast(Keys, second.keys), strict=True)
    ]
    return first._replace(
        role=role,
        bits=first.bits | second.bits,
        health=first.health or second.health,
        known=first.known or second.known,
        is_name_alone=first.is_name_alone and second.is_name_alone,
        mentions=(*first.mentions, *second.mentions),
        keys=PersonKeys(*joined),
        country=first.country or second.country,
        region=first.region or second.region,
    )
