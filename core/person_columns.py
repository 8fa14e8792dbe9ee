"""The one table of the columns of `people/*.parquet`: what each means, and where its value comes from."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from core.records import PersonSeen


@dataclass(frozen=True, slots=True)
class PersonColumn:
    name: str
    type: str  # the name of an Arrow type
    value: Callable[[PersonSeen], Any]
    meaning: str
    is_list: bool = False
    since: int = 4  # the results format that it came with


def _key(name: str, meaning: str) -> PersonColumn:
    return PersonColumn(name, "uint64", lambda person: getattr(person.keys, name) or None, meaning)


def _keys(name: str, meaning: str) -> PersonColumn:
    return PersonColumn(name, "uint64", lambda person: getattr(person.keys, name), meaning, is_list=True)


PERSON_COLUMNS = (
    PersonColumn("identity", "uint64", lambda person: person.identity, "of the name and the strongest identifier"),
    PersonColumn(
        "role",
        "string",
        lambda person: person.role.value,
        "`subject`, `relative`, `professional`, `author` or `other`",
    ),
    PersonColumn("bits", "uint64", lambda person: person.bits, "the PII vector of all that is tied to the person"),
    PersonColumn("health", "bool", lambda person: person.health, "whether health information is tied to the person"),
    PersonColumn(
        "known", "bool", lambda person: person.known, "whether the person is in the list of `rules.known_file`"
    ),
    PersonColumn("place", "string", lambda person: person.place, "the passage that names the person first"),
    PersonColumn("mentions", "int32", lambda person: len(person.mentions), "how often the person is named"),
    PersonColumn(
        "country",
        "string",
        lambda person: person.country or None,
        "two letters, from addresses, phone numbers and kinds of numbers; null where nothing shows it",
    ),
    PersonColumn(
        "region", "string", lambda person: person.region or None, "state or province of the United States and Canada"
    ),
    _key("given", "first name"),
    _key("given_sound", "how the first name sounds"),
    _key("given_initial", "first letter of the first name, which may be all that is written"),
    _key("surname", "last name"),
    _key("surname_sound", "how the last name sounds"),
    _key("surname_head", "first three letters of the last name"),
    _key("surname_tail", "last three letters of the last name"),
    _key("birth", "date of birth, whichever of day and month comes first"),
    _key("birth_year", "year of birth"),
    _key("birth_day", "day and month of birth"),
    _keys("record_numbers", "medical record numbers"),
    _keys("health_numbers", "health card and health plan numbers"),
    _keys("national_numbers", "social security and other national numbers"),
    _keys("phones", "phone numbers"),
    _keys("emails", "e-mail addresses"),
    _keys("addresses", "street addresses"),
)
