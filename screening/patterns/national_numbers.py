"""A national number that python-stdnum does not know -> whether its check digit or its encoded birth date holds."""

from collections.abc import Sequence

from stdnum import luhn, verhoeff
from stdnum.gb import nhs

_NHI_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
_NINO_NEVER_ISSUED = frozenset({"BG", "GB", "KN", "NK", "NT", "TN", "ZZ"})
_RVNR_WEIGHTS = (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1)
_MONTHS_OF_WOMEN = 50


def _digits(value: str) -> list[int]:
    return [int(character) for character in value if character.isdecimal()]


def _characters(value: str) -> str:
    return "".join(character for character in value.upper() if character.isalnum())


def _weighted(digits: Sequence[int], weights: Sequence[int]) -> int:
    return sum(digit * weight for digit, weight in zip(digits, weights, strict=True))


def _cross_sums(digits: Sequence[int], weights: Sequence[int]) -> int:
    return sum(sum(divmod(digit * weight, 10)) for digit, weight in zip(digits, weights, strict=True))


def _letter_place(letter: str) -> list[int]:
    return list(divmod(ord(letter) - ord("A") + 1, 10))


def _day_and_month(day: int, month: int) -> bool:
    return 1 <= day <= 31 and 1 <= month <= 12


def australian_medicare(value: str) -> bool:
    digits = _digits(value)
    return (
        len(digits) in (10, 11)
        and 2 <= digits[0] <= 6
        and _weighted(digits[:8], (1, 3, 7, 9, 1, 3, 7, 9)) % 10 == digits[8]
    )


def australian_health_identifier(value: str) -> bool:
    digits = _characters(value)
    return len(digits) == 16 and digits.startswith("800360") and bool(luhn.is_valid(digits))


def german_health_insurance(value: str) -> bool:
    """A letter, eight digits and a check digit, over the letter's place in the alphabet and the digits."""
    code = _characters(value)
    if len(code) != 10 or not code[0].isalpha() or not code[1:].isdecimal():
        return False
    return _cross_sums([*_letter_place(code[0]), *_digits(code[1:9])], (1, 2) * 5) % 10 == int(code[9])


def german_pension_insurance(value: str) -> bool:
    """Area, birth date, first letter of the name, serial number, check digit."""
    code = _characters(value)
    if len(code) != 12 or not code[8].isalpha() or not (code[:8] + code[9:]).isdecimal():
        return False
    if not _day_and_month(int(code[2:4]), int(code[4:6])):
        return False
    return _cross_sums([*_digits(code[:8]), *_letter_place(code[8]), *_digits(code[9:11])], _RVNR_WEIGHTS) % 10 == int(
        code[11]
    )


def hungarian_health_insurance(value: str) -> bool:
    digits = _digits(value)
    return len(digits) == 9 and len(set(digits)) > 1 and _weighted(digits[:8], (3, 7) * 4) % 10 == digits[8]


def scottish_community_health_index(value: str) -> bool:
    """Birth date, serial number, and the check digit of an NHS number."""
    digits = _characters(value)
    return len(digits) == 10 and _day_and_month(int(digits[:2]), int(digits[2:4])) and bool(nhs.is_valid(digits))


def british_national_insurance(value: str) -> bool:
    return _characters(value)[:2] not in _NINO_NEVER_ISSUED


def british_driver_number(value: str) -> bool:
    """Five letters of the surname, then decade, month (50 more for women), day and year of the birth."""
    code = _characters(value)
    if len(code) != 16 or not code[5:11].isdecimal():
        return False
    month = int(code[6:8])
    return _day_and_month(int(code[8:10]), month - _MONTHS_OF_WOMEN if month > _MONTHS_OF_WOMEN else month)


def new_zealand_health_index(value: str) -> bool:
    code = _characters(value)
    if len(code) != 7 or not code[3:].isdecimal() or any(letter not in _NHI_LETTERS for letter in code[:3]):
        return False
    numbers = [*(_NHI_LETTERS.index(letter) + 1 for letter in code[:3]), *_digits(code[3:6])]
    rest = _weighted(numbers, (7, 6, 5, 4, 3, 2)) % 11
    return rest != 0 and (11 - rest) % 10 == int(code[6])


def luxembourgish_national(value: str) -> bool:
    """Birth date and serial number, closed by a Luhn and a Verhoeff check digit over the same eleven digits."""
    digits = _characters(value)
    if len(digits) != 13 or not digits.isdecimal() or not _day_and_month(int(digits[6:8]), int(digits[4:6])):
        return False
    return bool(luhn.is_valid(digits[:12])) and bool(verhoeff.is_valid(digits[:11] + digits[12]))


def spanish_social_security(value: str) -> bool:
    """Province, number and two check digits: the rest of province and number by 97."""
    digits = "".join(character for character in value if character.isdecimal())
    if len(digits) not in (11, 12):
        return False
    province, number, check = int(digits[:2]), int(digits[2:-2]), int(digits[-2:])
    whole = number + province * 10_000_000 if number < 10_000_000 else int(digits[:-2])
    return 0 < province <= 66 and whole % 97 == check
