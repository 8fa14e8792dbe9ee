"""A date as people write it -> the same date moved by some days, written the same way; or its year."""

import re
from collections.abc import Iterable
from datetime import date, timedelta
from typing import NamedTuple

from screening.privacy.person_keys import MONTHS

_NUMBER_OR_WORD = re.compile(r"\d+|[^\W\d_]+")
_LONG_MONTHS = {
    "en": [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
    "fr": [
        "janvier",
        "février",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août",
        "septembre",
        "octobre",
        "novembre",
        "décembre",
    ],
    "de": [
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ],
    "es": [
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ],
    "it": [
        "gennaio",
        "febbraio",
        "marzo",
        "aprile",
        "maggio",
        "giugno",
        "luglio",
        "agosto",
        "settembre",
        "ottobre",
        "novembre",
        "dicembre",
    ],
}
_DAYS = {
    "en": ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"],
    "fr": ["lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"],
    "de": ["Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"],
    "es": ["lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"],
    "it": ["lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica"],
}
_MONTH_OF = {word.casefold(): at for words in _LONG_MONTHS.values() for at, word in enumerate(words, 1)} | MONTHS
_DAY_WORDS = {
    form.casefold(): (language, len(form) == 3)
    for language, words in _DAYS.items()
    for word in words
    for form in (word, word[:3])
}
_ORDINALS = frozenset({"st", "nd", "rd", "th", "er"})
_SMALL = frozenset({"of", "de", "du", "del", "den", "the", "le", "el", "on", "t", "z"})
_PIVOT = 30  # a year in two digits up to this one is of this century
_WHOLE = re.compile(r"(?:18|19|20)\d{6}")


class _Token(NamedTuple):
    start: int
    end: int
    text: str


class Reading(NamedTuple):
    """Where year, month and day are in the tokens; -1 where one is not written."""

    tokens: tuple[_Token, ...]
    year: int
    month: int
    day: int
    value: date


def days_first(values: Iterable[str], otherwise: bool) -> bool:
    """Whether 3/4/2021 is the third of April, by those dates of the text that can be read in one way alone."""
    votes = 0
    for value in values:
        numbers = re.fullmatch(r"\s*(\d{1,2})[/.-](\d{1,2})[/.-](?:\d{4}|\d\d)\b.*", value)
        if numbers is None:
            continue
        first, second = int(numbers[1]), int(numbers[2])
        votes += (first > 12) - (second > 12) + ("." in value)
    return votes > 0 if votes else otherwise


def shifted(value: str, days: int, day_first: bool) -> str | None:
    """None for what is no date with a day, or lies outside of the calendar."""
    if (whole := _WHOLE.match(value)) is not None:
        return _shifted_whole(value, whole.group(), days)
    reading = _read(value, day_first)
    if reading is None or reading.day < 0:
        return None
    try:
        moved = reading.value + timedelta(days=days)
    except OverflowError:
        return None
    return _written(value, reading, moved)


def day_of(value: str, day_first: bool) -> date | None:
    """The day that is written, with its year; None for anything less."""
    if (whole := _WHOLE.match(value)) is not None:
        digits = whole.group()
        try:
            return date(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
        except ValueError:
            return None
    reading = _read(value, day_first)
    return None if reading is None or reading.day < 0 or reading.year < 0 else reading.value


def other_forms(value: str) -> set[str]:
    """As readers may show a date that a file writes in another form, such as a moment or the date of a mail."""
    days = {day_of(value, day_first) for day_first in (False, True)} - {None}
    forms = ("%Y-%m-%d", "%d %b %Y", "%-d %b %Y", "%d %B %Y", "%-d %B %Y", "%m/%d/%Y", "%d/%m/%Y")
    return {day.strftime(form) for day in days if day is not None for form in forms}


def year_of(value: str) -> str | None:
    """The year in four digits, where one is written."""
    if (whole := _WHOLE.match(value)) is not None:
        return whole.group()[:4]
    numbers = re.findall(r"(?<!\d)(?:1[89]|20)\d\d(?!\d)", value)
    if len(set(numbers)) == 1:
        return str(numbers[0])
    reading = _read(value, day_first=False)
    return str(reading.value.year) if reading is not None and reading.year >= 0 else None


def _shifted_whole(value: str, digits: str, days: int) -> str | None:
    """20210312, and with a time behind it 202103121530, as messages write it."""
    day = day_of(digits, day_first=False)
    try:
        moved = day + timedelta(days=days) if day is not None else None
    except OverflowError:
        return None
    return None if moved is None else moved.strftime("%Y%m%d") + value[8:]


def _read(value: str, day_first: bool) -> Reading | None:
    tokens = tuple(_Token(*match.span(), match.group()) for match in _NUMBER_OR_WORD.finditer(value))
    numbers = [at for at, token in enumerate(tokens) if token.text.isdecimal()]
    months = [
        at for at, token in enumerate(tokens) if token.text.casefold() in _MONTH_OF and not token.text.isdecimal()
    ]
    if months:
        month = months[0]
        if len(months) > 1 or not _only_known_words(tokens, month):
            return None
        rest = [at for at in numbers if len(tokens[at].text) <= 4][:2]
        year = next((at for at in rest if len(tokens[at].text) == 4), rest[1] if len(rest) == 2 else -1)
        day = next((at for at in rest if at != year), -1)
        return _checked(tokens, year, month, day)
    if len(numbers) < 3 or not _only_known_words(tokens, -1):
        return None
    first, second, third = numbers[:3]
    if len(tokens[first].text) == 4:
        return _checked(tokens, first, second, third)
    if day_first or int(tokens[first].text) > 12:
        return _checked(tokens, third, second, first) or _checked(tokens, third, first, second)
    return _checked(tokens, third, first, second)


def _only_known_words(tokens: tuple[_Token, ...], month: int) -> bool:
    return all(
        token.text.isdecimal()
        or at == month
        or token.text.casefold() in _DAY_WORDS
        or token.text.casefold() in _ORDINALS | _SMALL
        for at, token in enumerate(tokens)
    )


def _checked(tokens: tuple[_Token, ...], year: int, month: int, day: int) -> Reading | None:
    name = tokens[month].text
    number = int(name) if name.isdecimal() else _MONTH_OF[name.casefold()]
    try:
        # Without a year a leap year counts, so that 29 February is a date.
        value = date(_whole_year(tokens[year].text) if year >= 0 else 2000, number, _day(tokens, day))
    except ValueError:
        return None
    return Reading(tokens, year, month, day, value)


def _day(tokens: tuple[_Token, ...], day: int) -> int:
    return int(tokens[day].text) if day >= 0 else 1


def _whole_year(text: str) -> int:
    number = int(text)
    if len(text) == 4:
        return number
    if len(text) != 2:
        raise ValueError
    return number + (2000 if number <= _PIVOT else 1900)


def _written(value: str, reading: Reading, moved: date) -> str:
    month = reading.tokens[reading.month].text
    day = _padded(reading.tokens[reading.day].text, moved.day, in_words=not month.isdecimal())
    new: dict[int, str] = {reading.day: day}
    if reading.year >= 0:
        text = reading.tokens[reading.year].text
        new[reading.year] = str(moved.year) if len(text) == 4 else f"{moved.year % 100:02}"
    new[reading.month] = _padded(month, moved.month) if month.isdecimal() else _month_word(month, moved.month)
    for at, token in enumerate(reading.tokens):
        if token.text.casefold() in _DAY_WORDS and at != reading.month:
            language, is_short = _DAY_WORDS[token.text.casefold()]
            word = _DAYS[language][moved.weekday()]
            new[at] = _as_capital(word[:3] if is_short else word, token.text)
        elif token.text.casefold() in _ORDINALS and at == reading.day + 1:
            new[at] = _ordinal(moved.day)
    pieces, last = [], 0
    for at, token in enumerate(reading.tokens):
        pieces += [value[last : token.start], new.get(at, token.text)]
        last = token.end
    return "".join(pieces) + value[last:]


def _padded(old: str, number: int, *, in_words: bool = False) -> str:
    """`2021-11-30` has two digits always; `12 March` becomes `2 March`."""
    return f"{number:02}" if old.startswith("0") or (len(old) == 2 and not in_words) else str(number)


def _month_word(old: str, month: int) -> str:
    folded = old.casefold()
    for words in _LONG_MONTHS.values():
        if folded in (word.casefold() for word in words):
            return _as_capital(words[month - 1], old)
    for words in _LONG_MONTHS.values():
        if any(word.casefold().startswith(folded) for word in words):
            return _as_capital(words[month - 1][: max(3, len(old))], old)
    return _as_capital(_LONG_MONTHS["en"][month - 1][:3], old)


def _as_capital(word: str, old: str) -> str:
    if old.isupper():
        return word.upper()
    return word[0].upper() + word[1:] if old[0].isupper() else word.lower()


def _ordinal(day: int) -> str:
    if day % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
