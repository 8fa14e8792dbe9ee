"""Names, dates and numbers of a person -> keyed hashes, by which the person is known again without the values."""

import hmac
import re
import unicodedata
from functools import lru_cache

from screening.privacy.key import Begun

_PURPOSE = b"leakscreen people"
_REMEMBERED = 4_096
_ISO_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_LETTERS = re.compile(r"[^\W\d_]")
_PARTS = re.compile(r"\d+|[^\W\d_]+")
_NOT_DIGITS = re.compile(r"\D")
_NOT_CODE = re.compile(r"[\W_]+")
_EXTENSION = re.compile(r"\s*(?:x|ext\.?|extension|#)\s*\d{1,6}\s*$", re.IGNORECASE)
_CARD_VERSION = re.compile(r"^(\d{10})[a-z]{2}$")  # the two letters of an Ontario health card change with each card
_CARD_WITH_VERSION = 12  # characters
_SUBSCRIBER = 9  # last digits of a phone number, which are the same with and without the country's code
_WORDS_OF_STREET = 2
_THIS_CENTURY = 26  # a year of birth in two digits up to this one is of this century
# Soundex: letters that sound alike have the same figure; vowels have none.
_SOUNDS = {
    letter: str(figure)
    for figure, letters in enumerate(("bfpv", "cgjkqsxz", "dt", "l", "mn", "r"), 1)
    for letter in letters
}
_SOUND_LENGTH = 6
MONTHS = {
    name: month
    for month, names in enumerate(
        (
            "jan january janvier januar enero ene jän jänner",
            "feb february fév fev février fevrier februar febrero",
            "mar march mars märz maerz mär marzo",
            "apr april avr avril abril abr",
            "may mai mayo",
            "jun june juin juni junio",
            "jul july juil juillet juli julio",
            "aug august août aout agosto ago",
            "sep sept september septembre septiembre",
            "oct october octobre okt oktober octubre",
            "nov november novembre noviembre",
            "dec december déc décembre decembre dez dezember diciembre dic",
        ),
        1,
    )
    for name in names.split()
}


class Keyed:
    """Hashes under a key of their own, so that they cannot be compared with those of the evidence."""

    def __init__(self, key: bytes) -> None:
        self._digest = Begun(hmac.digest(key, _PURPOSE, "sha256")).digest
        self.of = lru_cache(maxsize=_REMEMBERED)(self.fresh)

    def fresh(self, kind: str, plain_value: str) -> int:
        """64 bits: of ten million values, two have the same hash once in 400,000 times."""
        if not plain_value:
            return 0
        message = f"{kind}\0{plain_value}".encode("utf-8", "surrogatepass")
        return int.from_bytes(self._digest(message)[:8]) or 1


@lru_cache(maxsize=_REMEMBERED)
def plain_name(name: str) -> str:
    """Letters alone, small and without accents."""
    if name.isascii() and name.isalpha():
        return name.lower()
    decomposed = unicodedata.normalize("NFKD", name.casefold())
    return "".join(_LETTERS.findall("".join(one for one in decomposed if not unicodedata.combining(one))))


@lru_cache(maxsize=_REMEMBERED)
def sound_of(plain: str) -> str:
    """Soundex with six characters instead of four; empty for a name that has no Latin letter."""
    sound, before = plain[:1], _SOUNDS.get(plain[:1], "")
    for letter in plain[1:]:
        figure = _SOUNDS.get(letter, "")
        if figure and figure != before:
            sound += figure
        if letter not in "hw":
            before = figure
    return sound[:_SOUND_LENGTH] if plain.isascii() else ""


@lru_cache(maxsize=_REMEMBERED)
def birth_of(date: str) -> tuple[int, int, int] | None:
    """Year, and day and month with the smaller first, as both orders are written; None for what is no whole date."""
    if (plain := _ISO_DATE.fullmatch(date)) is not None:
        low, high = sorted((int(plain[2]), int(plain[3])))
        return (int(plain[1]), low, high) if 1 <= low <= 12 and high <= 31 else None
    numbers, month = [], 0
    for part in _PARTS.findall(date.casefold()):
        if part.isdigit():
            numbers.append(part)
        else:
            month = month or MONTHS.get(part, 0)
    if len(numbers) == 1 and len(numbers[0]) == 8:
        whole = numbers[0]
        numbers = (
            [whole[:4], whole[4:6], whole[6:]]
            if whole[:2] in ("18", "19", "20")
            else [whole[:2], whole[2:4], whole[4:]]
        )
    if month:
        numbers = [*numbers[:1], str(month), *numbers[1:]]
    if len(numbers) < 3:
        return None
    year = next((at for at, number in enumerate(numbers[:3]) if len(number) == 4), 2)
    low, high = sorted(int(number) for at, number in enumerate(numbers[:3]) if at != year)
    if not (1 <= low <= 12 and 1 <= high <= 31):
        return None
    return _whole_year(numbers[year]), low, high


def _whole_year(year: str) -> int:
    number = int(year)
    return number if len(year) > 2 else number + (2000 if number <= _THIS_CENTURY else 1900)


def digits_in(value: str) -> str:
    """Without the marks that phone numbers have; most have no others, and those are taken out faster one by one."""
    plain = value.replace("-", "").replace(" ", "").replace("(", "").replace(")", "").replace(".", "").replace("+", "")
    return plain if plain.isdecimal() else _NOT_DIGITS.sub("", value)


def plain_number(kind: str, value: str) -> str:
    """A number or address as it is compared: without what is written or left out at will."""
    if kind == "phones":
        extended = "x" in value or "X" in value or "#" in value
        digits = digits_in(_EXTENSION.sub("", value) if extended else value)
        return digits[-_SUBSCRIBER:] if len(digits) > _SUBSCRIBER else digits
    if kind == "emails":
        mailbox, at, domain = value.strip().casefold().partition("@")
        return mailbox.partition("+")[0] + at + domain
    if kind == "addresses":
        return " ".join(_NOT_CODE.sub(" ", value.casefold()).split()[:_WORDS_OF_STREET])
    code = value.replace("-", "").replace(" ", "").casefold()
    if not code.isalnum():
        code = _NOT_CODE.sub("", code)
    return _CARD_VERSION.sub(r"\1", code) if len(code) == _CARD_WITH_VERSION else code
