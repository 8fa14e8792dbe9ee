"""Detectors -> Hyperscan databases that find, in a single pass over the bytes, where each detector must look."""

import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import hyperscan

from screening.patterns.hyperscan_cache import MODE, Expression, cached_database
from screening.patterns.required_content import GAP, LONG, LongNumber, beyond_ascii, is_plain, long_number
from screening.ruleset.definitions import Detector

Event = tuple[int, int, int]  # number of the detector, first byte, last byte + 1
OnMatch = Callable[[int, int, int, int, object], None]

_MARK = re.compile(r"[!-/:-@\[-`{-~]")  # Hyperscan knows no escapes of others
_SHORT = 5  # letters of words that are often inside longer ones
_A_LONG_NUMBER: Expression = (rf"(?:^[^\d]{{0,{GAP}}}|[^\d]{{{GAP + 1}}})\d(?:[^\d]{{0,{GAP}}}\d){{{LONG - 1}}}", 0)
_WIDEST_BEGINNING = LONG + (LONG - 1) * GAP  # of a long number
_WIDEST_CHARACTER = 4  # bytes
_CONTINUING_MASK, _CONTINUING = 0xC0, 0x80  # the second and further bytes of a character
_REST_OF_NUMBER = re.compile(rf"(?:[^\d]{{0,{GAP}}}\d)*+".encode())


class Around(NamedTuple):
    """Bytes before the first digits of a long number, and behind its last."""

    before: int
    behind: int


class PatternError(ValueError):
    """A pattern that cannot be used; the message says why, and how to mend it."""


class Triggers:
    """What Hyperscan looks for on behalf of each detector; usable by several threads.

    Expressions whose matches all hold a long number, and the words that announce one, are searched only around long
    numbers, and those that need a letter beyond ASCII only in texts that have one: each would slow down the whole pass.
    """

    def __init__(self, detectors: Sequence[Detector], signs: Sequence[str] = ()) -> None:
        """`signs` are words of which only their presence matters."""
        own = {number: expression_of(each) for number, each in enumerate(detectors) if not by_keyword(each)}
        foreign = {number for number, (text, _) in own.items() if beyond_ascii(text)}
        numbers = {
            number: found for number, each in enumerate(detectors) if (found := _long_number_of(each)) is not None
        }
        waiting = _waiting_for_keywords(detectors)
        self._first_keyword = len(detectors)  # numbers from here on are keywords
        self._owners = tuple(waiting.values())
        self._long_number = self._first_keyword + len(waiting)
        everywhere: dict[int, Expression] = {self._long_number: _A_LONG_NUMBER} if numbers else {}
        for at, word in enumerate(signs, start=self._long_number + 1):
            everywhere[at] = _sign_expression(word)
        beside_numbers: dict[int, Expression] = {}
        for number, expression in own.items():
            if number not in foreign:
                (beside_numbers if number in numbers else everywhere)[number] = expression
        for at, (word, owners) in enumerate(waiting.items(), start=self._first_keyword):
            (beside_numbers if all(owner in numbers for owner in owners) else everywhere)[at] = _keyword_expression(
                word
            )
        self._everywhere, self._beside_numbers = _Scanner(everywhere), _Scanner(beside_numbers)
        self._foreign = _Scanner({number: own[number] for number in foreign})
        self._around = _around([(detectors[number], found) for number, found in numbers.items()])
        self._one_scan_at_a_time = threading.Lock()  # each scanner has one scratch space

    def events(self, encoded: bytes, *, only_ascii: bool, signs: list[int] | None = None) -> list[Event]:
        """Where detectors must look; `signs` is filled with the numbers of the signs that the text has."""
        events: list[Event] = []
        numbers: list[int] = []
        add, keyword, long_number, owners = events.append, self._first_keyword, self._long_number, self._owners
        first = 0

        def on_match(number: int, start: int, end: int, _flags: int, _context: object) -> None:
            if number < keyword:
                add((number, first + start, first + end))
            elif number < long_number:
                events.extend([(owner, first + end - 1, first + end) for owner in owners[number - keyword]])
            elif number == long_number:
                numbers.append(end)
            elif signs is not None:
                signs.append(number - long_number - 1)

        with self._one_scan_at_a_time:
            self._everywhere.scan(encoded, on_match)
            if not only_ascii:
                self._foreign.scan(encoded, on_match)
            if numbers:
                for low, last in _stretches(encoded, numbers, self._around[0 if only_ascii else 1]):
                    first = low if only_ascii else _whole_character(encoded, low)
                    self._beside_numbers.scan(encoded[first:last], on_match)
        return events


class _Scanner:
    """Numbered expressions in one database, with its scratch space."""

    def __init__(self, expressions: Mapping[int, Expression]) -> None:
        self._database = _database(expressions) if expressions else None
        self._scratch = hyperscan.Scratch(self._database) if expressions else None

    def scan(self, data: bytes, on_match: OnMatch) -> None:
        if self._database is not None:
            self._database.scan(data, match_event_handler=on_match, scratch=self._scratch)


def _long_number_of(detector: Detector) -> LongNumber | None:
    """Where it is in the searched expression, or else in the match around it."""
    return (long_number(detector.trigger) if detector.trigger else None) or long_number(detector.pattern)


def _around(numbers: Sequence[tuple[Detector, LongNumber]]) -> tuple[Around, Around]:
    """How far around a number its detectors look, in ASCII and in other texts; one byte more shows where words end."""
    behind = max((number.width for _, number in numbers), default=LONG) - LONG + 1
    ascii_only, any_text = (
        _WIDEST_BEGINNING + 1 + max((number.lead + size * _announced_from(each) for each, number in numbers), default=0)
        for size in (1, _WIDEST_CHARACTER)
    )
    return Around(ascii_only, behind), Around(any_text, behind)


def _announced_from(detector: Detector) -> int:
    """How many characters before a match the word that announces it may begin."""
    return detector.near + max(map(len, detector.keywords)) if by_keyword(detector) else 0


def _stretches(encoded: bytes, ends: Iterable[int], around: Around) -> Iterator[tuple[int, int]]:
    """Where the first digits of long numbers end -> the stretches around the numbers, joined where they touch."""
    before, behind = around
    first, last = 0, -1
    for end in ends:
        if end - before > last:
            if last >= 0:
                yield first, last
            first = max(0, end - before)
        number = _REST_OF_NUMBER.match(encoded, end)
        last = (number.end() if number else end) + behind
    yield first, last


def _whole_character(encoded: bytes, place: int) -> int:
    """The same place, or the start of the character that it is inside of: Hyperscan finds nothing in broken text."""
    while place and encoded[place] & _CONTINUING_MASK == _CONTINUING:
        place -= 1
    return place


def by_keyword(detector: Detector) -> bool:
    """Whether Hyperscan looks for the required keywords instead of the match itself."""
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
            # In one order always, not a set's: the kept database has the name of what it was compiled from.
            for form in dict.fromkeys(form for word in detector.keywords for form in _writings(word)):
                waiting.setdefault(form, []).append(number)
    return waiting


def _writings(word: str) -> tuple[str, ...]:
    """Hyperscan takes small for capital letters only in ASCII."""
    return (word.lower(),) if word.isascii() else (word.lower(), word.upper())


def _keyword_expression(word: str) -> Expression:
    """Literal wherever it can be, which is fastest; whether it is a word of its own is asked again at the match."""
    escaped = _MARK.sub(r"\\\g<0>", word).replace(" ", r"\s{1,3}")
    if len(word) <= _SHORT:
        opening = r"\b" if word[0].isascii() and word[0].isalnum() else ""
        escaped = opening + escaped + (r"(?:\b|\d)" if word[-1].isascii() and word[-1].isalnum() else "")
    return escaped, hyperscan.HS_FLAG_UTF8 | hyperscan.HS_FLAG_CASELESS


def _sign_expression(word: str) -> Expression:
    """Once a text, as a word of its own where its ends are plain letters."""
    escaped = _MARK.sub(r"\\\g<0>", word).replace(" ", r"\s{1,3}")
    opening, closing = (r"\b" if end.isascii() and end.isalnum() else "" for end in (word[0], word[-1]))
    flags = hyperscan.HS_FLAG_UTF8 | hyperscan.HS_FLAG_CASELESS | hyperscan.HS_FLAG_SINGLEMATCH
    return f"{opening}{escaped}{closing}", flags


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
            f"Hyperscan refuses the pattern: {error} "
            "Write it without lookaround and back-references, or add a short trigger"
        ) from None
    return database
