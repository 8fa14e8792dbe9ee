"""A candidate value -> whether its check digits, ranges or encoded dates hold."""

import importlib
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from socket import AF_INET, AF_INET6, inet_pton

from stdnum import iban, imei
from stdnum.ca import bc_phn, sin
from stdnum.gb import nhs
from stdnum.us import itin

from screening.patterns import national_numbers

Validator = Callable[[str], bool]

_MONTHS = {
    **{
        name: at
        for at, name in enumerate(
            ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), 1
        )
    },
    "fév": 2,
    "fev": 2,
    "avr": 4,
    "mai": 5,
    "juin": 6,
    "juil": 7,
    "aoû": 8,
    "aou": 8,
    "déc": 12,
}
_DIGITS = frozenset("0123456789")
_EXTENSION = re.compile(r"[xXeE]")
_PARTS = re.compile(r"\d+|[^\W\d_]{3,}")
_SSN = re.compile(r"(?!000|666|9)[0-9]{3}(?!00)[0-9]{2}(?!0000)[0-9]{4}")
_ADVERTISED_SSNS = frozenset(("078051120", "457555462", "219099999"))  # printed in public, so they are nobody's
_REMEMBERED_DATES = 8_192
_LOOPBACK = bytes(15) + b"\1"  # ::1
_NOT_ALNUM = re.compile(r"[^0-9A-Za-z]")
_VIN_VALUES = {
    letter: value
    for letters, value in (
        ("AJ", 1),
        ("BKS", 2),
        ("CLT", 3),
        ("DMU", 4),
        ("ENV", 5),
        ("FW", 6),
        ("GPX", 7),
        ("HY", 8),
        ("RZ", 9),
    )
    for letter in letters
}
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
_CARD_LENGTHS = tuple(
    (re.compile(prefix), lengths)
    for prefix, lengths in (
        ("4", (13, 16, 19)),
        ("5[1-5]|2[2-7]", (16,)),
        ("3[47]", (15,)),
        ("3[068]|39", (14,)),
        ("35", (16,)),
        ("1800|2131", (15,)),
        ("60|6[45]|62", (16, 17, 18, 19)),
        ("5[06-8]|6", (12, 13, 14, 15, 16, 17, 18, 19)),
    )
)
_DOUBLED = {str(digit): (2 * digit) // 10 + (2 * digit) % 10 for digit in range(10)}
_MOST_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def _compact(value: str) -> str:
    return _NOT_ALNUM.sub("", value).upper()


def payment_card(value: str) -> bool:
    """The check digit, and a length that the issuer gives out."""
    digits = _compact(value)
    lengths: tuple[int, ...] = next((lengths for prefix, lengths in _CARD_LENGTHS if prefix.match(digits)), ())
    return len(digits) in lengths and len(set(digits)) > 1 and luhn_digits(digits)


def social_insurance_number(value: str) -> bool:
    digits = _compact(value)
    return digits[:1] not in ("0", "8") and len(set(digits)) > 2 and sin.is_valid(digits)


def social_security_number(value: str) -> bool:
    """What python-stdnum says too, in an eighth of its time."""
    digits = _compact(value)
    return _SSN.fullmatch(digits) is not None and digits not in _ADVERTISED_SSNS


def ontario_health_card(value: str) -> bool:
    digits = _compact(value)[:10]
    return digits[:1] != "0" and len(set(digits)) > 2 and luhn_digits(digits)


def quebec_health_card(value: str) -> bool:
    """Four letters of the name, then a birth date with 50 added to the month of women, then two digits."""
    digits = _compact(value)[4:]
    month = int(digits[2:4])
    return _day_of_month(int(digits[4:6]), month - 50 if month > 50 else month)


def ontario_driver_licence(value: str) -> bool:
    """A letter, eight digits, then the birth date as YYMMDD with 50 added to the month of women."""
    digits = _compact(value)[1:]
    month = int(digits[10:12])
    return _day_of_month(int(digits[12:14]), month - 50 if month > 50 else month)


def vehicle_identification_number(value: str) -> bool:
    code = _compact(value)
    if len(code) != 17 or code.isdigit() or code.isalpha():
        return False
    values = [int(c) if c.isdigit() else _VIN_VALUES.get(c, -1) for c in code]
    if min(values) < 0:
        return False
    check = sum(value * weight for value, weight in zip(values, _VIN_WEIGHTS, strict=True)) % 11
    return code[8] == ("X" if check == 10 else str(check))


def national_provider_identifier(value: str) -> bool:
    digits = _compact(value)
    return len(digits) == 10 and digits[0] in "12" and luhn_digits("80840" + digits)


def dea_number(value: str) -> bool:
    digits = [int(c) for c in _compact(value)[2:]]
    return (
        len(digits) == 7
        and (digits[0] + digits[2] + digits[4] + 2 * (digits[1] + digits[3] + digits[5])) % 10 == digits[6]
    )


def hardware_address(value: str) -> bool:
    """Twelve hexadecimal digits that are not all the same; the manufacturer in the first half does not matter."""
    return len(set(_compact(value))) > 2


def ip_address(value: str) -> bool:
    if "." not in value and "::" not in value and value.count(":") != 7:
        return False
    try:
        packed = inet_pton(AF_INET6 if ":" in value else AF_INET, value)
    except (OSError, ValueError):
        return False
    loopback = packed[0] == 127 if len(packed) == 4 else packed == _LOOPBACK
    return any(packed) and not loopback


@lru_cache(maxsize=_REMEMBERED_DATES)
def calendar_date(value: str) -> bool:
    """Whether some usual order of day, month and year makes it a day of the years 1850 to 2099."""
    numbers, month = [], 0
    parts = _PARTS.findall(value)
    for part in parts:
        if part.isdigit():
            numbers.append(int(part))
        elif not month:
            month = _named_month(part.lower())
    if month:
        return any(_day_of_month(day, month) for day in numbers)
    if len(numbers) == 1:
        digits = next(part for part in parts if part.isdigit())  # with its leading zero
        return len(digits) == 8 and (
            _exists(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
            or _exists(int(digits[4:]), int(digits[:2]), int(digits[2:4]))
        )
    if len(numbers) == 2:
        return _day_of_month(numbers[0], numbers[1]) or _day_of_month(numbers[1], numbers[0])
    first, second, third = numbers[:3]
    return _exists(first, second, third) or _exists(third, first, second) or _exists(third, second, first)


def not_a_plain_year(value: str) -> bool:
    return not re.fullmatch(r"(?:19|20)\d\d(?:[-/](?:19|20)?\d\d)?", value.strip())


def mixed_code(value: str) -> bool:
    """A code worth the name: at least four digits, and not one digit over and over, nor a year."""
    digits = re.sub(r"\D", "", value)
    return len(digits) >= 4 and len(set(digits)) > 1 and not_a_plain_year(value)


def north_american_phone(value: str) -> bool:
    """Area codes and exchanges never begin with 0 or 1; made-up ones do, so only long repeats are refused."""
    number = _EXTENSION.split(value, maxsplit=1)[0]
    if number.isascii():
        return len(_DIGITS.intersection(number)) > 2
    return len({character for character in number if character.isdigit()}) > 2


def phone_digits(value: str) -> bool:
    """Seven to fifteen digits, and not two years."""
    digits = re.sub(r"\D", "", value)
    return 7 <= len(digits) <= 15 and len(set(digits)) > 2 and not_a_plain_year(value)


def canadian_postal_code(value: str) -> bool:
    """The stage of a tumour, T2N0M0, has the same form."""
    return not re.fullmatch(r"T\dN\dM\d", value)


def _named_month(word: str) -> int:
    return _MONTHS.get(word[:4], 0) or _MONTHS.get(word[:3], 0)


def _day_of_month(day: int, month: int) -> bool:
    return 1 <= month <= 12 and 1 <= day <= _MOST_DAYS[month - 1]


def _exists(year: int, month: int, day: int) -> bool:
    if year < 100:
        year += 2000 if year < 50 else 1900
    if not (1850 <= year <= 2099 and _day_of_month(day, month)):
        return False
    return month != 2 or day < 29 or (year % 4 == 0 and (year % 100 != 0 or year % 400 == 0))


def luhn_digits(digits: str) -> bool:
    """The check digit of payment cards and many other numbers; `digits` holds nothing else."""
    if not digits.isdecimal():
        return False
    odd = digits[-1::-2]
    return (sum(map(int, odd)) + sum(_DOUBLED[digit] for digit in digits[-2::-2])) % 10 == 0


def _stdnum(check: Callable[[str], bool]) -> Validator:
    return lambda value: check(_compact(value))


VALIDATORS: Mapping[str, Validator] = {
    "au-ihi": national_numbers.australian_health_identifier,
    "au-medicare": national_numbers.australian_medicare,
    "bc-phn": _stdnum(bc_phn.is_valid),
    "calendar-date": calendar_date,
    "canadian-postal-code": canadian_postal_code,
    "de-kvnr": national_numbers.german_health_insurance,
    "de-rvnr": national_numbers.german_pension_insurance,
    "dea": dea_number,
    "es-nss": national_numbers.spanish_social_security,
    "gb-chi": national_numbers.scottish_community_health_index,
    "gb-driver": national_numbers.british_driver_number,
    "gb-nino": national_numbers.british_national_insurance,
    "hu-taj": national_numbers.hungarian_health_insurance,
    "iban": lambda value: bool(iban.is_valid(_compact(value), check_country=False)),
    "imei": _stdnum(imei.is_valid),
    "ip-address": ip_address,
    "itin": _stdnum(itin.is_valid),
    "lu-national": national_numbers.luxembourgish_national,
    "luhn": _stdnum(luhn_digits),
    "mac-address": hardware_address,
    "mixed-code": mixed_code,
    "nhs": _stdnum(nhs.is_valid),
    "north-american-phone": north_american_phone,
    "nz-nhi": national_numbers.new_zealand_health_index,
    "npi": national_provider_identifier,
    "ontario-driver-licence": ontario_driver_licence,
    "ontario-health-card": ontario_health_card,
    "payment-card": payment_card,
    "phone-digits": phone_digits,
    "quebec-health-card": quebec_health_card,
    "sin": social_insurance_number,
    "ssn": social_security_number,
    "vin": vehicle_identification_number,
}

_REMEMBERED = 256  # the same date or number often comes again in a file
STDNUM = "stdnum."  # `stdnum.pl.pesel` and the like name a module of python-stdnum


def validator_of(name: str) -> Validator | None:
    """The check of that name: one of ours, or a module of python-stdnum."""
    check = _check_of(name)
    return None if check is None else lru_cache(maxsize=_REMEMBERED)(check)


def _check_of(name: str) -> Validator | None:
    if not name.startswith(STDNUM):
        return VALIDATORS.get(name)
    try:
        check = importlib.import_module(name).is_valid
    except (ImportError, AttributeError):
        return None
    return _unfailing(check)


def _unfailing(check: Callable[[str], object]) -> Validator:
    """Some modules stumble over numbers that their own tables lack, such as a Chinese county: those are not valid."""

    def checked(value: str) -> bool:
        try:
            return bool(check(value))
        except (LookupError, ValueError, TypeError, ArithmeticError):
            return False

    return checked
