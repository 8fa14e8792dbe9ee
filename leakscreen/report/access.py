"""How many referred files have which access -> a plot of who may read them, with its conclusion."""

from collections.abc import Mapping
from dataclasses import dataclass

from core.access import CIRCLES, EVERYONE, GROUP, UNKNOWN, access_in_words, count_access
from leakscreen.report.format import count, share
from leakscreen.report.plots import Bar, width

_MOST = 12
_TONES = {EVERYONE: "high", GROUP: "medium"}


@dataclass(frozen=True, slots=True)
class Access:
    conclusion: str
    circles: list[Bar]
    readers: list[Bar]
    left_out: int


def access_of(files: Mapping[str | None, int]) -> Access | None:
    """None where no source says who may read anything."""
    circles, readers = count_access(files.items())
    if set(circles) <= {UNKNOWN}:
        return None
    total, largest = sum(circles.values()), max(circles.values())
    named = sorted(readers.items(), key=lambda entry: (-entry[1], entry[0]))
    most = named[0][1] if named else None
    return Access(
        access_in_words(circles),
        [
            Bar(words, count(circles[name]), share(circles[name], total), width(circles[name], largest), _tone(name))
            for name, words in CIRCLES.items()
            if circles[name] or name == EVERYONE
        ],
        [Bar(name, count(amount), "", width(amount, most), "medium") for name, amount in named[:_MOST]],
        max(0, len(named) - _MOST),
    )


def _tone(circle: str) -> str:
    return _TONES.get(circle, "low")
