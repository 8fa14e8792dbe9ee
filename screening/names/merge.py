"""Text and what patterns found in it -> names, organizations and places that the model of names decides on."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from itertools import islice

from core.records import Span
from screening.entities.by_language import FinderByLanguage, Found
from screening.entities.model import EntityModel, shipped_legal_model, shipped_model_of
from screening.entities.titled_patients import with_titled_patients
from screening.names.beside import put_right
from screening.names.encoded_texts import encoded_together
from screening.names.german_words import have_german_words
from screening.names.json_fields import named_fields
from screening.names.mail_comments import commented_names
from screening.names.nouns import without_nouns
from screening.names.readable import readable
from screening.names.recurring import with_recurring
from screening.names.row_lines import RowLines, rows_of_each
from screening.names.rows_of_names import rows_of_names
from screening.names.sql_values import inserted_names
from screening.names.table_columns import agreed, birth_dates, tables_in
from screening.names.table_headings import name_cells
from screening.names.whole_words import uncovered_words, whole_words
from screening.names.words_beside import words_beside
from screening.patterns.overlap import resolved
from screening.ruleset.definitions import NameCues

_NAMES = frozenset({"first_name", "last_name", "initials"})
_NAMING = _NAMES | {"health_professional_name", "street_address"}
_NUMERO = ("º", "°")  # `Nº`, `N°`
_BEFORE_THINGS = frozenset("'’ -")
_TRUSTED = 0.8
_CARRIED_SCORE = 0.75
_MOST_CARRIED = 200
_MANY_CARRIED = 20  # more are counted before they are searched


class NameScreen:
    """Labels and columns announce, the model decides, and patterns go before both."""

    def __init__(
        self,
        cues: NameCues,
        model: EntityModel,
        threshold: float,
        labels: Iterable[str] = (),
        is_term: Callable[[str], bool] = lambda _: False,
    ) -> None:
        """`labels` are words such as `pager` or `today`, which alone name nobody; `is_term` knows medical words."""
        self._is_term = is_term
        self._labels = frozenset(label.casefold() for label in labels)
        things = "|".join(map(re.escape, cues.things))
        self._thing = re.compile(rf"(?:['’]s)?[ -](?:{things})\b", re.IGNORECASE) if things else None
        self._lists = model.gazetteer
        self._entities = FinderByLanguage(model, shipped_legal_model(), shipped_model_of)
        self._threshold = threshold

    def merged(self, texts: Sequence[str], patterns: Sequence[Sequence[Span]]) -> list[list[Span]]:
        """What patterns and names cover together in each text; none overlaps another."""
        encoded = list(encoded_together(texts))
        entities = self._entities.find_each(readable(texts, encoded, self._lists), self._threshold)
        lines, german = rows_of_each(encoded), have_german_words(encoded)
        return [self._merged(*each) for each in zip(texts, patterns, entities, lines, german, strict=True)]

    def _merged(self, text: str, patterns: Sequence[Span], model: Found, lines: RowLines, german: bool) -> list[Span]:
        """A pattern knows numbers, addresses and labels better than the model does: where both find something, the
        model gets only what the pattern leaves.
        """
        cells = name_cells(text, lines.headings, self._entities.could_be_name)
        for read in (inserted_names, named_fields, commented_names):
            cells += read(text, self._entities.could_be_name)
        cells.sort(key=lambda span: span.start)
        numbers = [cell for cell in cells if cell.characteristic not in _NAMES]
        kept = resolved(patterns)
        if numbers:  # the heading of a column knows better than the form of a date or number
            cells = [cell for cell in cells if cell.characteristic in _NAMES]
            kept = sorted([*_apart_from(kept, numbers), *numbers], key=lambda span: span.start)
        entities = without_nouns(text, model.spans, self._lists, self._is_term) if german else model.spans
        found = resolved([*entities, *cells])
        tables = tables_in(text, rows_of_names(lines.rows, found))
        found = agreed(text, tables, found)
        kept = birth_dates(text, tables, kept, [span for span in found if span.characteristic in _NAMES])
        headed = {cell[:2] for cell in cells}
        own = [span for span in _left_over(found, kept, text) if not self._is_a_thing(span, text, headed)]
        merged = sorted([*kept, *own], key=lambda span: span.start)
        words = words_beside(model.language)
        if words is not None:
            merged = with_recurring(text, put_right(text, merged, words, model.lists, headed), model.lists)
        merged = list(with_titled_patients(text, merged))
        announced = [span for span in (*kept, *cells) if span.characteristic in _NAMES and span.score >= _TRUSTED]
        carried = self._carried(text, announced, merged)
        return sorted([*merged, *_left_over(carried, merged, text)], key=lambda span: span.start) if carried else merged

    def _is_a_thing(self, span: Span, text: str, headed: Set[tuple[int, int]]) -> bool:
        """A label on its own, unless a heading says that names are below it; or the name of a disease or a test."""
        if (
            span.characteristic in _NAMING
            and text[span.start : span.end].casefold() in self._labels
            and span[:2] not in headed
        ):
            return True
        behind = text[span.end : span.end + 1]
        if behind in _NUMERO:
            return True
        return (
            behind in _BEFORE_THINGS
            and self._thing is not None
            and span.characteristic in _NAMES
            and self._thing.match(text, span.end) is not None
        )

    def _carried(self, text: str, announced: Sequence[Span], covered: Sequence[Span]) -> list[Span]:
        """Names that labels and headings announce, wherever they recur without one; but for words that are covered."""
        words = {text[span.start : span.end]: span.characteristic for span in announced if span.end - span.start > 2}
        carried = list(islice(filter(self._entities.means_little_else, sorted(words)), _MOST_CARRIED))
        if len(carried) > _MANY_CARRIED:
            carried = uncovered_words(text, carried, covered)
        found = sorted((start, word) for word in carried for start in whole_words(text, word))
        apart: list[Span] = []
        end = 0
        for start, word in found:  # of two at one place the shorter comes first
            if start >= end:
                end = start + len(word)
                apart.append(Span(start, end, words[word], _CARRIED_SCORE))
        return apart


def _apart_from(spans: Sequence[Span], others: Sequence[Span]) -> Iterator[Span]:
    """The spans that touch none of the others; both in the order of the text."""
    at, count = 0, len(others)
    for span in spans:
        start, end, _, _ = span
        while at < count and others[at][1] <= start:
            at += 1
        if at == count or others[at][0] >= end:
            yield span


def _left_over(spans: Sequence[Span], covered: Sequence[Span], text: str) -> Iterator[Span]:
    at, count = 0, len(covered)
    for span in spans:
        start, end, _, _ = span
        while at < count and covered[at][1] <= start:
            at += 1
        if at == count or covered[at][0] >= end:
            yield span  # whole, as most are
            continue
        ahead = at
        while ahead < count and covered[ahead][0] < end:
            yield from _trimmed(span, start, covered[ahead][0], text)
            start = covered[ahead][1]
            ahead += 1
        yield from _trimmed(span, start, end, text)


def _trimmed(span: Span, start: int, end: int, text: str) -> Iterator[Span]:
    """A whole span stays as it is; of a broken one, what has letters or figures, without the marks around it."""
    if (start, end) == (span.start, span.end):
        yield span
        return
    behind_comma = text[start:end].lstrip(" ")[:1] == ","
    while start < end and not text[start].isalnum():
        start += 1
    while end > start and not text[end - 1].isalnum():
        end -= 1
    if end - start > 1 and span.characteristic not in _NAMES:
        someone_else = behind_comma and span.characteristic == "health_professional_name"  # `Dr Roe, Ana fell again`
        yield Span(start, end, "first_name" if someone_else else span.characteristic, span.score)
