"""A reason that an untrusted child gives -> the same, if it says nothing but what our own code can say."""

import re
from functools import cache
from pathlib import Path

from core.settings import LimitSettings, OcrSettings

OTHER = "a reason that is not known"
LONGEST = 300
WORD = re.compile(r"[A-Za-z]+")
WORDS_FILE = Path(__file__).with_name("reason_words.txt")  # made and checked by tests/extraction/reason_words.py
_SHAPE = re.compile(r"[A-Za-z0-9 ,.:;()'%/+_-]*")
_NUMBER = re.compile(r"\d[\d,.]*")
_MOST_DIGITS = 5  # of a count; limits may be longer


def known_reason(reason: str, limits: LimitSettings, ocr: OcrSettings) -> str:
    """A file's content must not get into the results by way of a reason."""
    if not reason:
        return ""
    if len(reason) > LONGEST or not _SHAPE.fullmatch(reason):
        return OTHER
    if any(word not in _words() for word in WORD.findall(reason.replace(ocr.language, ""))):
        return OTHER
    numbers = [number.rstrip(",.").replace(",", "") for number in _NUMBER.findall(reason)]
    digits = sum(len(number) for number in numbers if number not in _limits_as_words(limits))
    return reason if digits <= _MOST_DIGITS else OTHER


@cache
def _words() -> frozenset[str]:
    return frozenset(WORDS_FILE.read_text(encoding="ascii").split())


@cache
def _limits_as_words(limits: LimitSettings) -> "_Limits":
    values = [getattr(limits, name) for name in limits.__dataclass_fields__]
    return _Limits(f"{value:g}" if isinstance(value, float) else str(value) for value in values)


class _Limits(frozenset[str]):
    """The numbers that limits have; those in the code are millions, which no number of a person is."""

    def __contains__(self, number: object) -> bool:
        return super().__contains__(number) or str(number).endswith("000000")
