"""Numbers and names as people and attackers disguise them -> each is found all the same."""

from collections.abc import Iterator

from benchmarks.attack.case import Tried
from core.settings import RuleSettings
from screening.ruleset.ruleset import rules_of
from screening.screen import Screen

_SEPARATORS = {
    "hyphen": "-",
    "space": " ",
    "no-break space": "\u00a0",
    "thin space": "\u2009",
    "narrow no-break space": "\u202f",
    "ideographic space": "\u3000",
    "hyphen of Unicode": "\u2010",
    "non-breaking hyphen": "\u2011",
    "figure dash": "\u2012",
    "en dash": "\u2013",
    "em dash": "\u2014",
    "minus": "\u2212",
    "full-width hyphen": "\uff0d",
    "small hyphen": "\ufe63",
}
_INSIDE = {
    "nothing": "",
    "soft hyphen": "\u00ad",
    "zero-width space": "\u200b",
    "zero-width joiner": "\u200d",
    "zero-width non-joiner": "\u200c",
    "word joiner": "\u2060",
    "byte order mark": "\ufeff",
}
_FIGURES = {"ASCII": "0123456789", "full-width": "".join(map(chr, range(0xFF10, 0xFF1A)))}
_NUMBER = ("219", "09", "9999")


def disguises() -> Iterator[Tried]:
    screen = Screen(rules_of(RuleSettings()), b"k" * 32)
    for figures, digits in _FIGURES.items():
        for separator, between in _SEPARATORS.items():
            for hidden, inside in _INSIDE.items():
                number = between.join(inside.join(digits[int(figure)] for figure in part) for part in _NUMBER)
                text = f"Patient Mary Jones, SSN: {number}, has type 2 diabetes.\n"
                found = any(span.characteristic == "ssn" for span in screen.spans(text))
                yield Tried(f"SSN with {separator}, {hidden} inside, {figures} figures", found)
    for hidden, inside in _INSIDE.items():
        text = f"Patient: {inside.join('Mary')} {inside.join('Jones')}, born 12 March 1961.\n"
        yield Tried(f"name with {hidden} inside", _has_name(screen, text))
    for digit in ("0", "7", "12"):
        text = f"Patient: John Smith {digit}, SSN 219-09-9999, DOB 1961-03-12, diabetes.\n"
        yield Tried(f"name before the figure {digit}", _has_name(screen, text))


def _has_name(screen: Screen, text: str) -> bool:
    return {"first_name", "last_name"} <= {span.characteristic for span in screen.spans(text)}
