"""Text -> the same text in which codes of medical code systems stand as one word each, so that they are found like any other term."""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class _System:
    """Bare numbers are looked at only where a text names the code system: elsewhere they are prices, dates and part numbers."""

    word: str
    names: tuple[str, ...]
    pattern: re.Pattern[str]
    before: int = 0  # signs of the code that stand before the match


_SYSTEMS = (
    _System("loinccode", ("LOINC", "loinc", "^LN"), re.compile(r"\b[0-9]{1,5}-[0-9]\b")),
    _System("snomedcode", ("SNOMED", "snomed", "^SCT"), re.compile(r"\b[0-9]{6,18}\b")),
    _System("cptcode", ("CPT", "HCPCS", "rocedure code", "PROCEDURE CODE"), re.compile(r"\b(?:[0-9]{4}[0-9FTU]|[A-V][0-9]{4})\b")),
    # It is named in most notes; a pattern that begins with its full stop is found ten times faster.
    _System("icdcode", ("ICD", "iagnos", "DIAGNOS", "Dx", "DG1"), re.compile(r"\.(?<=\b[A-TV-Z][0-9][0-9AB]\.)[0-9A-Z]{1,4}\b"), before=3),
)


def with_code_words(text: str) -> str:
    """Most texts name no code system and come back as they are."""
    for system in _SYSTEMS:
        pieces, low = [], 0
        for start, end in _found(text, system):
            pieces += [text[low:start], system.word]
            low = end
        text = " ".join([*pieces, text[low:]]) if pieces else text
    return text


def code_places(text: str) -> list[tuple[int, int, str]]:
    """Start, end and word of each code, in the text as it is."""
    return [(start, end, system.word) for system in _SYSTEMS for start, end in _found(text, system)]


def _found(text: str, system: _System) -> list[tuple[int, int]]:
    if not any(name in text for name in system.names):
        return []
    return [(found.start() - system.before, found.end()) for found in system.pattern.finditer(text)]
