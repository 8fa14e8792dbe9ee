"""Where somebody is named in a text -> name and addresses as they are written there."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from core.records import Span
from screening.people.persons import Places

_STREET, _CODE = "street_address", "postal_code"
_PARTS = ("street_address", "city", "postal_code", "place")
_LONGEST = 80  # characters of an address before its postal code
_GAP = 25  # characters between two parts of an address, such as a town that is not known
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True, repr=False)
class Written:
    """It holds values: only a list that is sealed at once may take them."""

    name: str  # in its fullest form
    addresses: tuple[str, ...]


def written_of(text: str, places: Places) -> Written:
    names = [_plain(text[mention.start : mention.end]) for mention in places.mentions if mention.key]
    return Written(
        max(names, key=lambda name: (name.count(" "), len(name)), default=""), _addresses(text, places.spans)
    )


def _addresses(text: str, spans: Sequence[Span]) -> tuple[str, ...]:
    """From the street to the last part that follows it closely; or of an unknown street what is before the code."""
    parts = sorted((span for span in spans if span.characteristic in _PARTS), key=lambda span: span.start)
    stretches: list[list[int]] = []
    for span in parts:
        if span.characteristic == _STREET:
            stretches.append([span.start, span.end])
        elif stretches and 0 <= span.start - stretches[-1][1] <= _GAP:
            stretches[-1][1] = span.end
        elif span.characteristic == _CODE and (start := _start_of_line(text, span, spans)) < span.start:
            stretches.append([start, span.end])
    return tuple(dict.fromkeys(_plain(text[start:end]) for start, end in stretches))


def _start_of_line(text: str, code: Span, spans: Sequence[Span]) -> int:
    """Where the words before a postal code begin: behind a label, or behind what is known to be something else."""
    low = max(text.rfind("\n", 0, code.start) + 1, text.rfind(":", 0, code.start) + 1, code.start - _LONGEST)
    others = (span.end for span in spans if span.characteristic not in _PARTS)
    return max([low, *(end for end in others if low < end <= code.start)])


def _plain(text: str) -> str:
    return _SPACE.sub(" ", text).strip(" ,;")
