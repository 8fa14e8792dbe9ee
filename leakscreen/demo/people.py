"""A random source -> invented people of three countries, with the identifiers that such people carry."""

import functools
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

from faker import Faker

from leakscreen.demo import numbers

_FIRST_BIRTH = date(1931, 1, 1)
_DAYS_OF_BIRTHS = 31_500
_MAIL_HOSTS = ("example.com", "example.net", "example.org", "mail.example.com", "post.example.net")
_AREAS = {
    "en_CA": ("416", "613", "604", "902", "514", "647", "780"),
    "en_US": ("212", "312", "415", "617", "713", "206", "404"),
}
_REGIONS = {"en_CA": ("ON", "BC", "NS", "AB", "QC", "MB"), "en_US": ("NY", "IL", "CA", "MA", "TX", "WA", "GA")}
LOCALES = ("en_CA", "en_US", "en_GB")


@dataclass(frozen=True, slots=True)
class Person:
    """An invented person; nobody of that name, number and address is meant."""

    locale: str
    female: bool
    first: str
    last: str
    born: date
    street: str
    city: str
    postcode: str
    phone: str
    email: str
    health_card: str  # with its label, such as `NHS number: 943 476 5919`
    national_id: str  # with its label, such as `SIN: 046 454 286`
    record: str
    number: int = 0  # by which somebody is known whose name is written in several ways

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}"

    @property
    def formal(self) -> str:
        return f"{'Ms.' if self.female else 'Mr.'} {self.last}"

    @property
    def subject(self) -> str:
        return "she" if self.female else "he"

    @property
    def possessive(self) -> str:
        return "her" if self.female else "his"

    @property
    def address(self) -> str:
        return f"{self.street}, {self.city} {self.postcode}"

    def age(self, on: date) -> int:
        return on.year - self.born.year - ((on.month, on.day) < (self.born.month, self.born.day))


def make_people(dice: Random, count: int) -> tuple[Person, ...]:
    """People of all three countries in turn; the same random source gives the same people."""
    for locale in LOCALES:
        _faker(locale).seed_instance(dice.getrandbits(64))
    return tuple(_person(dice, LOCALES[index % len(LOCALES)]) for index in range(count))


@functools.cache
def _faker(locale: str) -> Faker:
    return Faker(locale)


def _person(dice: Random, locale: str) -> Person:
    fake = _faker(locale)
    female = dice.random() < 0.52
    first = fake.first_name_female() if female else fake.first_name_male()
    last = fake.last_name()
    born = _FIRST_BIRTH + timedelta(days=dice.randrange(_DAYS_OF_BIRTHS))
    city = fake.city()
    if locale in _REGIONS:
        city = f"{city}, {dice.choice(_REGIONS[locale])}"
        phone = numbers.north_american_phone(dice, _AREAS[locale])
    else:
        phone = numbers.british_phone(dice)
    return Person(
        locale=locale,
        female=female,
        first=first,
        last=last,
        born=born,
        street=fake.street_address().replace("\n", ", "),
        city=city,
        postcode=fake.postcode(),
        phone=phone,
        email=_email(dice, first, last, born),
        health_card=_health_card(dice, locale),
        national_id=_national_id(dice, locale),
        record=numbers.record_number(dice),
    )


def _email(dice: Random, first: str, last: str, born: date) -> str:
    first, last = first.lower(), last.lower().replace(" ", "").replace("'", "")
    user = dice.choice((f"{first}.{last}", f"{first[0]}{last}", f"{first}_{last}", f"{last}{born.year % 100:02}"))
    return f"{user}@{dice.choice(_MAIL_HOSTS)}"


def _health_card(dice: Random, locale: str) -> str:
    if locale == "en_GB":
        return f"NHS number: {numbers.nhs_number(dice)}"
    if locale == "en_US":
        return f"Medical record number: {dice.randint(1_000_000, 99_999_999)}"
    if dice.random() < 0.6:
        return f"Health card number: {numbers.ontario_health_card(dice)}"
    return f"PHN: {numbers.british_columbia_phn(dice)}"


def _national_id(dice: Random, locale: str) -> str:
    if locale == "en_US":
        return f"SSN: {numbers.social_security_number(dice)}"
    if locale == "en_CA":
        return f"SIN: {numbers.social_insurance_number(dice)}"
    letters = f"{dice.choice('ABCEHJKLMPRSTWXYZ')}{dice.choice('ABCEHJKLMPRSTWXYZ')}"
    digits = f"{dice.randint(100_000, 999_999)}"
    return f"National Insurance number: {letters} {digits[:2]} {digits[2:4]} {digits[4:]} {dice.choice('ABCD')}"
