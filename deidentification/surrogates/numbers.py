"""A number or code -> another of the same form, whose check digits are wrong."""

import re
import string
from collections.abc import Callable, Collection

from stdnum import luhn

from deidentification.surrogates.dice import Dice

_MOST_TURNS = 64
_NOT_CODE = re.compile(r"[\W_]+")
_DIGITS = re.compile(r"\d")
_LETTERS = string.ascii_uppercase
_FICTITIOUS = "55501"  # exchange and first digits of the numbers that are kept for stories in North America
_NORTH_AMERICAN = re.compile(r"\D*(?:\+?1[-. (]{0,3})?\(?[2-9]\d\d\)?[-. /]{0,3}[2-9]\d\d[-. ]?\d{4}\D*(?:\d{1,6})?")
Validator = Callable[[str], bool]


def plain_code(value: str) -> str:
    return _NOT_CODE.sub("", value).casefold()


class SurrogateNumbers:
    def __init__(self, dice: Dice, validators: Callable[[str], Collection[Validator]]) -> None:
        self._dice = dice
        self._validators = validators

    def number(self, characteristic: str, value: str) -> str:
        """Letters become letters and digits digits; never the same number, and never one that could be issued."""
        validators = self._validators(characteristic)
        made = value
        for turn in range(_MOST_TURNS):
            made = self._of_same_form(characteristic, value, turn)
            code = _NOT_CODE.sub("", made)
            checked = any(validator(made) for validator in validators) or (code.isdecimal() and luhn.is_valid(code))
            if plain_code(made) != plain_code(value) and not checked:
                return made
        return made  # its check is so weak that every number of this form passes

    def phone(self, characteristic: str, value: str) -> str:
        if _NORTH_AMERICAN.fullmatch(value) is None:
            return self._of_same_form(characteristic, value, 0)
        digits = _DIGITS.findall(value)
        has_country = digits[0] == "1"
        seed = "".join(digits[has_country : 10 + has_country])
        area = str(200 + self._dice.number(800, "phone", seed))
        line = f"{self._dice.number(100, 'phone line', seed):02}"
        made = iter(("1" if has_country else "") + area + _FICTITIOUS + line + "".join("0" for _ in digits))
        return _DIGITS.sub(lambda _: next(made), value)

    def _of_same_form(self, characteristic: str, value: str, turn: int) -> str:
        seed = plain_code(value)
        made = []
        place = 0
        for character in value:
            if character.isalnum():
                made.append(self._character(character, characteristic, seed, place, turn))
                place += 1
            else:
                made.append(character)
        return "".join(made)

    def _character(self, character: str, characteristic: str, seed: str, place: int, turn: int) -> str:
        if character.isdecimal():
            lowest = 1 if place == 0 and character != "0" else 0  # spreadsheets drop a zero in front
            return str(lowest + self._dice.number(10 - lowest, characteristic, seed, str(place), turn=turn))
        letter = self._dice.choice(_LETTERS, characteristic, seed, str(place), turn=turn)
        return letter.lower() if character.islower() else letter
