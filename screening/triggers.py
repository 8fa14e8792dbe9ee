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


_SHORT = 5  # letters of words that also stand inside longer ones
_NOTHING: Expression = (r"\x01\x02\x03\x01", 0)  # keeps the number of a detector that its keywords lead to


class PatternError(ValueError):
    """A pattern that cannot be used; the message says why, and how to mend it."""


class Triggers:
    """What Hyperscan looks for on behalf of each detector; usable by several threads."""

    def __init__(self, detectors: Sequence[Detector]) -> None:
        self._waiting = _waiting_for_keywords(detectors)
        self._own = len(detectors)  # numbers from here on are keywords
        expressions = [*(expression_of(each) for each in detectors), *(_keyword_expression(word) for word in self._waiting)]
        self._owners = tuple(self._waiting.values())
        self._database = cached_database(expressions, lambda: _compiled(expressions))
        self._scratch = hyperscan.Scratch(self._database)
        self._scratch_lock = threading.Lock()  # one scratch space, one scan at a time

    def events(self, encoded: bytes) -> Events:
        found: Events = defaultdict(list)

        def on_match(number: int, start: int, end: int, _flags: int, _context: object) -> None:
            found[number].append((start, end))

        with self._scratch_lock:
            self._database.scan(encoded, match_event_handler=on_match, scratch=self._scratch)
        for number in [number for number in found if number >= self._own]:
            ends = [(end - 1, end) for _, end in found.pop(number)]
            for owner in self._owners[number - self._own]:
                found[owner].extend(ends)
        return found


def by_keyword(detector: Detector) -> bool:
    """Whether the words that must stand before a match are looked for, instead of the match itself."""
    return bool(detector.keywords) and not detector.trigger


def expression_of(detector: Detector) -> Expression:
    if by_keyword(detector):
        return _NOTHING
    flags = hyperscan.HS_FLAG_SOM_LEFTMOST | hyperscan.HS_FLAG_UTF8 | (hyperscan.HS_FLAG_CASELESS if detector.ignore_case else 0)
    return detector.trigger or detector.pattern, flags


def _waiting_for_keywords(detectors: Sequence[Detector]) -> dict[str, list[int]]:
    """Each keyword, in each of its writings, and the detectors that wait for it."""
    waiting: dict[str, list[int]] = {}
    for number, detector in enumerate(detectors):
        if by_keyword(detector):
            for form in {form for word in detector.keywords for form in _writings(word)}:
                waiting.setdefault(form, []).append(number)
    return waiting


def _writings(word: str) -> tuple[str, ...]:
    """Hyperscan takes small for capital letters only in ASCII."""
    return (word.lower(),) if word.isascii() else (word.lower(), word.upper())


def _keyword_expression(word: str) -> Expression:
    """Literal wherever it can be, which is fastest; whether it is a word of its own is asked again at the match."""
    escaped = re.sub(r"([^\w\s])", r"\\\1", word).replace(" ", r"\s{1,3}")
    if len(word) <= _SHORT:
        opening = r"\b" if word[0].isascii() and word[0].isalnum() else ""
        escaped = opening + escaped + (r"(?:\b|\d)" if word[-1].isascii() and word[-1].isalnum() else "")
    return escaped, hyperscan.HS_FLAG_UTF8 | hyperscan.HS_FLAG_CASELESS


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
