"""Detectors -> Hyperscan databases that tell, in a single pass over the bytes, where each detector is worth a look."""

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import hyperscan

from screening.database_cache import MODE, Expression, cached_database
from screening.definitions import Detector
from screening.obligatory import GAP, LONG, LongNumber, beyond_ascii, is_plain, long_number

Event = tuple[int, int, int]  # number of the detector, first byte, last byte + 1
OnMatch = Callable[[int, int, int, int, object], None]

_SHORT = 5  # letters of words that also stand inside longer ones
_A_LONG_NUMBER: Expression = (rf"(?:^[^\d]{{0,{GAP}}}|[^\d]{{{GAP + 1}}})\d(?:[^\d]{{0,{GAP}}}\d){{{LONG - 1}}}", 0)
_WIDEST_BEGINNING = LONG + (LONG - 1) * GAP  # of a long number
_REST_OF_NUMBER = re.compile(rf"(?:[^\d]{{0,{GAP}}}\d)*+".encode())


class PatternError(ValueError):
    """A pattern that cannot be used; the message says why, and how to mend it."""


class Triggers:
    """What Hyperscan looks for on behalf of each detector; usable by several threads.

    Expressions of which every match holds a long number are looked for around long numbers alone, and those that need a letter beyond
    ASCII only in texts that have one: each of them would slow down the pass over all the text.
    """

    def __init__(self, detectors: Sequence[Detector]) -> None:
        waiting = _waiting_for_keywords(detectors)
        own = {number: expression_of(each) for number, each in enumerate(detectors) if not by_keyword(each)}
        numbers = {number: found for number, (text, _) in own.items() if (found := long_number(text)) is not None}
        foreign = {number for number, (text, _) in own.items() if beyond_ascii(text)}
        self._first_keyword = len(detectors)  # numbers from here on are keywords
        self._owners = tuple(waiting.values())
        self._long_number = self._first_keyword + len(waiting)
        everywhere = {number: expression for number, expression in own.items() if number not in numbers and number not in foreign}
        everywhere |= {self._first_keyword + at: _keyword_expression(word) for at, word in enumerate(waiting)}
        self._everywhere = _Scanner(everywhere | ({self._long_number: _A_LONG_NUMBER} if numbers else {}))
        self._numbers = _Scanner({number: own[number] for number in numbers})
        self._foreign = _Scanner({number: own[number] for number in foreign})
        self._before, self._behind = _around(numbers.values())
        self._one_scan_at_a_time = threading.Lock()  # each scanner has one scratch space

    def events(self, encoded: bytes, *, only_ascii: bool) -> list[Event]:
        found: list[Event] = []
        numbers: list[int] = []
        add, keyword, long_number = found.append, self._first_keyword, self._long_number

        def on_match(number: int, start: int, end: int, _flags: int, _context: object) -> None:
            if number < keyword:
                add((number, start, end))
            elif number < long_number:
                found.extend([(owner, end - 1, end) for owner in self._owners[number - keyword]])
            else:
                numbers.append(end)

        with self._one_scan_at_a_time:
            self._everywhere.scan(encoded, on_match)
            if not only_ascii:
                self._foreign.scan(encoded, on_match)
            if numbers:
                self._look_at_numbers(encoded, numbers, add)
        return found

    def _look_at_numbers(self, encoded: bytes, ends: Iterable[int], add: Callable[[Event], None]) -> None:
        def on_match(number: int, start: int, end: int, _flags: int, _context: object) -> None:
            add((number, first + start, first + end))

        for first, last in _stretches(encoded, ends, self._before, self._behind):
            self._numbers.scan(encoded[first:last], on_match)


class _Scanner:
    """Numbered expressions in one database, with its scratch space."""

    def __init__(self, expressions: Mapping[int, Expression]) -> None:
        self._database = _database(expressions) if expressions else None
        self._scratch = hyperscan.Scratch(self._database) if expressions else None

    def scan(self, data: bytes, on_match: OnMatch) -> None:
        if self._database is not None:
            self._database.scan(data, match_event_handler=on_match, scratch=self._scratch)


def _around(numbers: Iterable[LongNumber]) -> tuple[int, int]:
    """How far before the first digits and behind the last of a long number a match may reach; a byte more tells where words end."""
    listed = list(numbers) or [LongNumber(0, LONG)]
    return _WIDEST_BEGINNING + max(each.lead for each in listed) + 1, max(each.width for each in listed) - LONG + 1


def _stretches(encoded: bytes, ends: Iterable[int], before: int, behind: int) -> Iterator[tuple[int, int]]:
    """Where the first digits of long numbers end -> the stretches around the numbers, joined where they touch."""
    first, last = 0, -1
    for end in ends:
        if end - before > last:
            if last >= 0:
                yield first, last
            first = max(0, end - before)
        number = _REST_OF_NUMBER.match(encoded, end)
        last = (number.end() if number else end) + behind
    yield first, last


def by_keyword(detector: Detector) -> bool:
    """Whether the words that must stand before a match are looked for, instead of the match itself."""
    return bool(detector.keywords) and not detector.trigger


def expression_of(detector: Detector) -> Expression:
    text = detector.trigger or detector.pattern
    flags = hyperscan.HS_FLAG_SOM_LEFTMOST | (hyperscan.HS_FLAG_CASELESS if detector.ignore_case else 0)
    return text, flags if is_plain(text) else flags | hyperscan.HS_FLAG_UTF8


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


def _database(expressions: Mapping[int, Expression]) -> hyperscan.Database:
    return cached_database(list(expressions.items()), lambda: _compiled(expressions))


def _compiled(expressions: Mapping[int, Expression]) -> hyperscan.Database:
    database = hyperscan.Database(mode=MODE)
    try:
        database.compile(
            expressions=[text.encode() for text, _ in expressions.values()],
            ids=list(expressions),
            flags=[flags for _, flags in expressions.values()],
        )
    except hyperscan.error as error:
        raise PatternError(
            f"Hyperscan refuses the pattern: {error} Write it without lookaround and back-references, or add a short trigger"
        ) from None
    return database
