"""Detectors -> one Hyperscan database that tells, in a single pass over the bytes, where each detector is worth a look."""

import re
import threading
from collections import defaultdict
from collections.abc import Sequence

import hyperscan

from screening.database_cache import MODE, Expression, cached_database
from screening.definitions import Detector

Event = tuple[int, int]  # first byte, last byte + 1
Events = dict[int, list[Event]]  # by the number of the detector, in the order of their ends


class PatternError(ValueError):
    """A pattern that cannot be used; the message says why, and how to mend it."""


class Triggers:
    """What Hyperscan looks for on behalf of each detector; usable by several threads."""

    def __init__(self, detectors: Sequence[Detector]) -> None:
        expressions = [expression_of(each) for each in detectors]
        self._database = cached_database(expressions, lambda: _compiled(expressions))
        self._scratch = hyperscan.Scratch(self._database)
        self._scratch_lock = threading.Lock()  # one scratch space, one scan at a time

    def events(self, encoded: bytes) -> Events:
        found: Events = defaultdict(list)

        def on_match(number: int, start: int, end: int, _flags: int, _context: object) -> None:
            found[number].append((start, end))

        with self._scratch_lock:
            self._database.scan(encoded, match_event_handler=on_match, scratch=self._scratch)
        return found


def by_keyword(detector: Detector) -> bool:
    """Whether the words that must stand before a match are looked for, instead of the match itself."""
    return bool(detector.keywords) and not detector.trigger


def expression_of(detector: Detector) -> Expression:
    if by_keyword(detector):
        expression, caseless = _any_keyword(detector.keywords), True
    else:
        expression, caseless = detector.trigger or detector.pattern, detector.ignore_case
    flags = hyperscan.HS_FLAG_SOM_LEFTMOST | hyperscan.HS_FLAG_UTF8 | (hyperscan.HS_FLAG_CASELESS if caseless else 0)
    return expression, flags


def _any_keyword(keywords: Sequence[str]) -> str:
    """Any of the words, not inside a longer word of ASCII letters; the exact question is asked again at the match."""
    forms = sorted({form for word in keywords for form in ((word,) if word.isascii() else (word.lower(), word.upper()))})
    return f"(?:{'|'.join(_opened(form) for form in forms)})(?:[^a-z]|\\z)"


def _opened(word: str) -> str:
    escaped = re.sub(r"([^\w\s])", r"\\\1", word).replace(" ", r"\s{1,3}")
    return rf"\b{escaped}" if word[0].isascii() and word[0].isalnum() else escaped


def _compiled(expressions: Sequence[Expression]) -> hyperscan.Database:
    database = hyperscan.Database(mode=MODE)
    try:
        database.compile(
            expressions=[text.encode() for text, _ in expressions],
            ids=list(range(len(expressions))),
            flags=[flags for _, flags in expressions],
        )
    except hyperscan.error as error:
        raise PatternError(
            f"Hyperscan refuses the pattern: {error} Write it without lookaround and back-references, or add a short trigger"
        ) from None
    return database
