"""Texts -> the same texts with each medical code written as one word, so that it matches like any other term."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Places = NDArray[np.int64]
_LOOK = 1 << 20  # signs that are looked at together
_LONGEST_LOOK = 6  # signs of a code that are looked for


@dataclass(frozen=True, slots=True)
class _System:
    """Bare numbers count only where a text names the code system: elsewhere they are prices, dates and part numbers."""

    word: str
    names: tuple[str, ...]
    pattern: re.Pattern[str]
    before: int = 0  # signs of the code that stand before the match


_SYSTEMS = (
    _System("loinccode", ("LOINC", "loinc", "^LN"), re.compile(r"\b[0-9]{1,5}-[0-9]\b")),
    _System("snomedcode", ("SNOMED", "snomed", "^SCT"), re.compile(r"\b[0-9]{6,18}\b")),
    _System(
        "cptcode",
        ("CPT", "HCPCS", "rocedure code", "PROCEDURE CODE"),
        re.compile(r"\b(?:[0-9]{4}[0-9FTU]|[A-V][0-9]{4})\b"),
    ),
    # It is named in most notes; a pattern that begins with its full stop is found ten times faster.
    _System(
        "icdcode",
        ("ICD", "iagnos", "DIAGNOS", "Dx", "DG1"),
        re.compile(r"\.(?<=\b[A-TV-Z][0-9][0-9AB]\.)[0-9A-Z]{1,4}\b"),
        before=3,
    ),
)


def with_code_words(texts: Sequence[str]) -> list[str]:
    """Most texts hold no code, or do not name its system, and come back as they are."""
    changed = list(texts)
    for system, numbers in zip(_SYSTEMS, _possible(texts), strict=True):
        for number in sorted(numbers):
            changed[number] = _replaced(changed[number], system)
    return changed


def code_places(texts: Sequence[str]) -> list[list[tuple[int, int, str]]]:
    """The start, end and word of every code, text by text, in the unchanged texts."""
    places: list[list[tuple[int, int, str]]] = [[] for _ in texts]
    for system, numbers in zip(_SYSTEMS, _possible(texts), strict=True):
        for number in numbers:
            places[number] += [(start, end, system.word) for start, end in _found(texts[number], system)]
    return places


def _replaced(text: str, system: _System) -> str:
    pieces, low = [], 0
    for start, end in _found(text, system):
        pieces += [text[low:start], system.word]
        low = end
    return " ".join([*pieces, text[low:]]) if pieces else text


def _found(text: str, system: _System) -> list[tuple[int, int]]:
    if not any(name in text for name in system.names):
        return []
    return [(match.start() - system.before, match.end()) for match in system.pattern.finditer(text)]


def _possible(texts: Sequence[str]) -> list[set[int]]:
    """For each system, the texts that have the characters of all its codes.

    Testing all bytes at once is faster than searching each text for the system's name.
    """
    bounds = np.cumsum([0, *(len(text) + 1 for text in texts)])
    together = "\n".join(texts) if len(texts) > 1 else "".join(texts)
    possible: list[set[int]] = [set() for _ in _SYSTEMS]
    for low in range(0, len(together), _LOOK):
        raw = together[low : low + _LOOK + _LONGEST_LOOK].encode("latin-1", "replace").ljust(_LONGEST_LOOK, b" ")
        for numbers, places in zip(possible, _places(np.frombuffer(raw, dtype=np.uint8)), strict=True):
            numbers.update(np.flatnonzero(np.diff(np.searchsorted(places, bounds - low))).tolist())
    return possible


def _places(signs: NDArray[np.uint8]) -> tuple[Places, ...]:
    digit = signs - np.uint8(ord("0")) < np.uint8(10)
    capital = signs - np.uint8(ord("A")) < np.uint8(26)
    two = digit[:-1] & digit[1:]
    four = two[:-2] & two[2:]
    loinc = digit[:-2] & (signs[1:-1] == ord("-")) & digit[2:]
    snomed = four[:-2] & four[2:]
    cpt = (four[:-1] & (digit[4:] | capital[4:])) | (capital[:-4] & four[1:])
    icd = capital[:-3] & digit[1:-2] & (signs[3:] == ord("."))
    return tuple(np.flatnonzero(some) for some in (loinc, snomed, cpt, icd))
