"""PII bits -> how much of a person is readable: all three of name, location and other, two, one, or none."""

from collections.abc import Sequence

from core.records import Risk
from screening.definitions import Characteristic

_BY_GROUPS = (Risk.NONE, Risk.LOW, Risk.MEDIUM, Risk.HIGH)


def risk_of(bits: int, characteristics: Sequence[Characteristic]) -> Risk:
    return _BY_GROUPS[len({each.group for each in characteristics if bits & each.value})]
