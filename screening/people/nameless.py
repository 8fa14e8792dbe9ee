"""A text and its spans -> medical passages that name nobody, but have a person's number with a date of birth."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from core.records import Candidate, Passage, Role, Span
from screening.people.candidates import (
    HEALTH_COLUMN,
    HEALTH_TERM,
    TOKENS,
    apart,
    names_among,
    spans_in,
    vector_of,
    without_ordinary_ends,
    without_ordinary_rows,
)
from screening.people.health_words import hints_at_health, is_health_heading
from screening.people.read_text import ReadText
from screening.people.roles import is_personal_heading
from screening.people.software import is_about_software

_NUMBERS = frozenset({"ssn", "sin", "nhs_number", "health_card_number", "national_id_number"})
_BIRTH = "birth_date"


def nameless_in(read: ReadText, bits: Mapping[str, int], named: Sequence[Candidate]) -> Iterator[Candidate]:
    """Those apart from the passages in which somebody is named; the number stands for the person."""
    text, spans = read.text, read.spans
    numbers = [span.start for span in spans if span.characteristic in _NUMBERS]
    births = [span.start for span in spans if span.characteristic == _BIRTH]
    if not numbers or not births:
        return
    starts_of_spans = [span.start for span in spans]
    judged = sorted(candidate.passage[:2] for candidate in named)
    for passage in read.passages:
        if _first(births, passage) is None or _first(numbers, passage) is None or _overlaps(judged, passage):
            continue
        heading = " ".join(text[low:high] for low, high in passage.carried)
        health_heading = is_health_heading(heading)
        if not health_heading and not hints_at_health(text[passage.start : passage.end]):
            continue
        if passage.place.startswith("rows") and not (health_heading or is_personal_heading(heading)):
            passage = without_ordinary_rows(text, passage, ())
        number = _first(numbers, passage)
        if number is None or _first(births, passage) is None or is_about_software(text[passage.start : passage.end]):
            continue
        passage = without_ordinary_ends(text, passage, number)
        inside = spans_in(spans, starts_of_spans, passage)
        vector = vector_of(inside, bits) | bits.get(HEALTH_TERM, 0)
        vector |= bits.get(HEALTH_COLUMN, 0) if health_heading else 0
        yield Candidate(passage, Role.SUBJECT, number, vector, apart(_replaced(inside)), names_among(inside))


def _replaced(spans: Sequence[Span]) -> list[tuple[int, int, str]]:
    tokens = TOKENS | dict.fromkeys(_NUMBERS, TOKENS[Role.SUBJECT])
    return [(span.start, span.end, tokens[span.characteristic]) for span in spans if span.characteristic in tokens]


def _first(places: Sequence[int], passage: Passage) -> int | None:
    at = bisect_left(places, passage.start)
    return places[at] if at < len(places) and places[at] < passage.end else None


def _overlaps(judged: Sequence[tuple[int, int]], passage: Passage) -> bool:
    at = bisect_left(judged, (passage.end, 0))
    return at > 0 and judged[at - 1][1] > passage.start
