"""PII bits -> how much of a person is readable: all three of name, location and other, two, one, or none."""

from collections.abc import Sequence

from core.records import Risk
from screening.ruleset.definitions import Characteristic

_BY_GROUPS = (Risk.NONE, Risk.LOW, Risk.MEDIUM, Risk.HIGH)


def risk_of(bits: int, tied: int, characteristics: Sequence[Characteristic]) -> Risk:
    """What is tied to one person counts in full; what is merely in the same file as a name counts a level less."""
    groups = groups_in(bits, characteristics)
    if (
        any(bits & characteristic.value for characteristic in characteristics if characteristic.group == "name")
        and groups > 1
    ):
        groups = max(groups - 1, groups_in(tied, characteristics))
    return _BY_GROUPS[groups]


def groups_in(bits: int, characteristics: Sequence[Characteristic]) -> int:
    return len(
        {
            characteristic.group
            for characteristic in characteristics
            if bits & characteristic.value and characteristic.group != "none"
        }
    )
