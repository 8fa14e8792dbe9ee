"""A random source -> fictitious identifying numbers with valid check digits and realistic punctuation."""

from collections.abc import Callable
from random import Random

from stdnum import luhn
from stdnum.ca import bc_phn, sin
from stdnum.gb import nhs
from stdnum.us import ssn


def social_insurance_number(dice: Random) -> str:
    digits = _checked(dice, dice.choice("1234567"), 9, sin.is_valid)
    return _grouped(digits, (3, 3, 3), dice)


def social_security_number(dice: Random) -> str:
    while True:
        digits = f"{dice.randint(1, 899):03}{dice.randint(1, 99):02}{dice.randint(1, 9999):04}"
        if ssn.is_valid(digits):
            return f"{digits[:3]}-{digits[3:5]}-{digits[5:]}"


def ontario_health_card(dice: Random) -> str:
    digits = _checked(dice, dice.choice("123456789"), 10, luhn.is_valid)
    return f"{digits[:4]}-{digits[4:7]}-{digits[7:]}-{dice.choice('ABCEGHJKMN')}{dice.choice('ABDFKLMPQT')}"


def british_columbia_phn(dice: Random) -> str:
    return _grouped(_checked(dice, "9", 10, bc_phn.is_valid), (4, 3, 3), dice)


def nhs_number(dice: Random) -> str:
    return _grouped(_checked(dice, dice.choice("467"), 10, nhs.is_valid), (3, 3, 4), dice)


def record_number(dice: Random) -> str:
    return dice.choice(
        (f"MRN {dice.randint(1_000_000, 9_999_999)}", f"{dice.choice('ABHK')}{dice.randint(100_000, 999_999)}")
    )


def north_american_phone(dice: Random, areas: tuple[str, ...]) -> str:
    """A number of the 555-01xx block, which is kept free for fiction."""
    area, line = dice.choice(areas), f"01{dice.randint(0, 99):02}"
    return dice.choice(
        (
            f"({area}) 555-{line}",
            f"{area}-555-{line}",
            f"{area}.555.{line}",
            f"+1 {area} 555 {line}",
            f"1-{area}-555-{line}",
        )
    )


def british_phone(dice: Random) -> str:
    """A number of the ranges that are kept free for drama."""
    tail = f"{dice.randint(0, 999):03}"
    return dice.choice(
        (f"020 7946 0{tail}", f"0113 496 0{tail}", f"0161 496 0{tail}", f"07700 900{tail}", f"+44 20 7946 0{tail}")
    )


def _checked(dice: Random, head: str, length: int, is_valid: Callable[[str], bool]) -> str:
    while True:
        body = head + "".join(dice.choices("0123456789", k=length - len(head) - 1))
        for check in "0123456789":
            if is_valid(body + check):
                return body + check


def _grouped(digits: str, sizes: tuple[int, ...], dice: Random) -> str:
    parts, start = [], 0
    for size in sizes:
        parts.append(digits[start : start + size])
        start += size
    return dice.choice((" ", " ", "-")).join(parts)
