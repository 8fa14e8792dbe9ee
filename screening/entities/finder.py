"""Text -> spans of people, organizations, places and whatever else identifies someone, each with a score."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.records import Span
from screening.entities.announced import with_announced
from screening.entities.code_words import is_among_small_letters, is_code_word, is_font
from screening.entities.gazetteer import ANY_NAME, CITY, CITY_PART, COUNTRY, MEDICAL, TITLE_THERE, commonness
from screening.entities.listed import with_lists
from screening.entities.model import EntityModel
from screening.entities.people import (
    FIRST_NAME,
    LAST_NAME,
    PROFESSIONAL,
    NamePart,
    Piece,
    is_professional,
    is_title_of_last_names,
    parts_of_anybody,
)
from screening.entities.plain_names import parts_in_cell
from screening.entities.reading import Reading
from screening.entities.repeated import SURE, with_repetitions
from screening.entities.runs import PERSON, Run, Scorer, runs_of
from screening.entities.word_groups import words_of
from screening.entities.words import plain_form

CHARACTERISTICS = {
    "ORG": "organization_name",
    "ADDR": "street_address",
    "DATE": "time",
    "DEM": "demographic",
    "QUANT": "quantity",
    "MISC": "other_detail",
    "CODE": "other_unique_number",
}
_FIGURE = re.compile(r"\d")
_NEXT_TO_CAPITALS = re.compile(r"['\"\t;]|[ ,]{0,3}\||[ ,]{1,4}(?:[MF]\b|\d{1,3}\b|\d\d?[/.]|\d{4}-|DOB|MRN)")
_BEFORE_CAPITALS = re.compile(r"(?:[:\t|'\";]|\b(\w{2,12})\.?) *$")
_ANNOUNCING = words_of("titles") | words_of("roles") | {"pt", "patient", "client", "insured", "name", "re", "attn"}
_TITLES = words_of("titles")
_BLOCK = 400_000  # characters of one text read at a time
_BATCH = 200_000  # characters of several texts read at a time
_SEEN_AROUND = 4
_HARDLY_WRONG = 0.97
_BEFORE_A_DEGREE = (",", "(")
_LONGEST_NAME = 12
_SHORTEST_OF_TWO = 3  # letters of each part of a name with a hyphen
_POSTSCRIPT = ["P", "S"]  # P.S. Tom, ...
_COMMON = 4
_MONOTONOUS_FROM = 50_000  # characters
_MONOTONOUS_READ = 20_000
_MONOTONOUS_OPENING = 24
_LONGEST_PERIOD = 2_000
_REMEMBERED_NAMES = 4_096
_ACRONYM = 6  # letters from which a word in capitals is more than an abbreviation


_piece = partial(tuple.__new__, Piece)  # half the time of Piece(...)
_part = partial(tuple.__new__, NamePart)
_span = partial(tuple.__new__, Span)
_run = partial(tuple.__new__, Run)


class Pieces:
    """The words of a reading, cut out of the text only where they are asked for."""

    def __init__(self, text: str, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> None:
        self._text = text
        self._starts: Sequence[int] = starts.data  # few of them are asked for
        self._ends: Sequence[int] = ends.data

    def __len__(self) -> int:
        return len(self._starts)

    def stretch(self, first: int, last: int) -> tuple[int, int]:
        """Where the words begin and end in the text."""
        return self._starts[first], self._ends[last - 1]

    def between(self, first: int, last: int) -> list[Piece]:
        text = self._text
        return [
            _piece((text[start:end], start, end))
            for start, end in zip(self._starts[first:last], self._ends[first:last], strict=True)
        ]

    def from_zero(self, first: int, last: int) -> tuple[tuple[Piece, ...], int]:
        """The same, with places that count from the first of them, and its place."""
        text, begin = self._text, self._starts[first]
        pieces = [
            _piece((text[start:end], start - begin, end - begin))
            for start, end in zip(self._starts[first:last], self._ends[first:last], strict=True)
        ]
        return tuple(pieces), begin

    def words(self, first: int, last: int) -> list[str]:
        """The same, without marks and figures, and without their places."""
        text = self._text
        pieces = [text[start:end] for start, end in zip(self._starts[first:last], self._ends[first:last], strict=True)]
        return [word for word in pieces if word[0].isalpha()]

    def word(self, at: int) -> str:
        return self._text[self._starts[at] : self._ends[at]]

    def name_in_cell(self, first: int, last: int) -> Sequence[NamePart] | None:
        """The parts of a name of two words that fills a cell of a table."""
        if last - first != 2:
            return None
        parts = parts_in_cell(self._text, self._starts[first:last], self._ends[first:last])
        return None if parts is None or is_font(self._text, parts[0].start, parts[1].end) else parts

    def single(self, at: int) -> str:
        """The single letter or mark at this place; empty for longer words and outside the text."""
        if 0 <= at < len(self._starts) and self._ends[at] - self._starts[at] == 1:
            return self._text[self._starts[at]]
        return ""

    def gap(self, left: int, right: int) -> int:
        """How many characters are between two words."""
        return self._starts[right] - self._ends[left]

    def has_long_word(self, first: int, last: int) -> bool:
        """Whether a word of more than two letters is among them."""
        text, starts, ends = self._text, self._starts, self._ends
        return any(ends[at] - starts[at] > 2 and text[starts[at]].isalpha() for at in range(first, last))

    def has_figures(self, first: int, last: int) -> bool:
        """Whether there are digits among the words, or right after them."""
        stretch = self._text[self._starts[first] : self._ends[last - 1] + 1]
        return not stretch.isalpha() and _FIGURE.search(stretch) is not None

    def before(self, at: int) -> list[str]:
        """The nearest word before, past points."""
        for place in range(at - 1, max(-1, at - 1 - _SEEN_AROUND), -1):
            word = self.word(place)
            if word != ".":
                return [word]
        return []

    def after(self, at: int) -> list[str]:
        """The words after a name that may be a degree: more than one only after a mark that announces it."""
        if at >= len(self):
            return []
        first = self.word(at)
        if first not in _BEFORE_A_DEGREE:
            return [first]
        text = self._text
        return [
            text[start:end]
            for start, end in zip(self._starts[at : at + _SEEN_AROUND], self._ends[at : at + _SEEN_AROUND], strict=True)
        ]


class EntityFinder:
    """Finds entities in any number of texts; holds nothing of them."""

    def __init__(self, model: EntityModel, legal: EntityModel) -> None:
        self._model = model
        self._legal = legal
        self.language = model.language
        self.lists = model.gazetteer
        self._scorer = Scorer(model.labels, model.about["points"])
        self._legal_scorer = Scorer(legal.labels, legal.about["points"])
        self._kinds = (*self._scorer.kinds, *self._legal_scorer.kinds)
        self._parts_alone = lru_cache(maxsize=_REMEMBERED_NAMES)(self._made_parts)
        self._is_listed_name = lru_cache(maxsize=_REMEMBERED_NAMES)(self._is_long_name)
        self._is_title = lru_cache(maxsize=_REMEMBERED_NAMES)(self._is_listed_title)

    def find(self, text: str, threshold: float) -> list[Span]:
        return self.find_each([text], threshold)[0]

    def find_each(self, texts: Sequence[str], threshold: float) -> list[list[Span]]:
        """The spans of each text: the same as if it were alone, but many small texts take less time together."""
        spans_of: list[list[Span]] = [[] for _ in texts]
        for batch in _batches(texts):
            for block, spans in zip(batch, self._in_blocks([block.text for block in batch], threshold), strict=True):
                spans_of[block.owner] += (
                    spans
                    if not block.start
                    else (span._replace(start=span.start + block.start, end=span.end + block.start) for span in spans)
                )
        return spans_of

    def means_little_else(self, word: str) -> bool:
        """Whether a word with a capital is hardly ever anything but a name."""
        return word[:1].isupper() and commonness(self._model.gazetteer.get(plain_form(word), 0)) < _COMMON

    def could_be_name(self, word: str) -> bool:
        """Whether lists have a word as a name, or do not know it at all."""
        code = self._model.gazetteer.get(plain_form(word), 0)
        return bool(code & ANY_NAME) or not commonness(code)

    def _in_blocks(self, texts: Sequence[str], threshold: float) -> Iterator[Iterator[Span]]:
        reading = self._model.read(texts)
        kinds = np.zeros(len(reading), dtype=np.int64)
        scores = np.zeros(len(reading), dtype=np.float32)
        legal = reading.legal[reading.text_at(reading.sentence_starts)]
        self._decide(reading, ~legal & reading.needy, kinds, scores)
        if legal.any():  # identifiers differ so much there that a separate model decides, on every sentence
            self._decide(reading, legal, kinds, scores, legal=True)
        runs = runs_of(kinds, scores, threshold, reading.wordy, self._kinds)
        runs = with_announced(self._without_code_words(runs, texts, reading), reading)
        runs = with_repetitions(runs, reading, scores)
        firsts = [run.first for run in runs]
        for text, (first, last), is_legal in zip(texts, reading.bounds.tolist(), reading.legal.tolist(), strict=True):
            own = [
                _run((low - first, high - first, kind, score))
                for low, high, kind, score in runs[bisect_left(firsts, first) : bisect_left(firsts, last)]
            ]
            yield (
                self._spans(text, Pieces(text, reading.starts[first:last], reading.ends[first:last]), own, is_legal)
                if own
                else iter(())
            )

    @staticmethod
    def _without_code_words(runs: Sequence[Run], texts: Sequence[str], reading: Reading) -> list[Run]:
        """A sure name lends its words to the whole document; words of code must not."""
        sure = [run for run in runs if run.kind == PERSON and run.score >= SURE]
        places = np.array([run.first for run in sure], dtype=np.int64)
        code = {
            run.first
            for run, text in zip(sure, reading.text_at(places).tolist(), strict=True)
            if texts[text][(start := int(reading.starts[run.first]))].islower()
            and not reading.legal[text]
            and is_code_word(texts[text], start, int(reading.ends[run.last - 1]))
        }
        return [run for run in runs if run.first not in code] if code else list(runs)

    def _decide(
        self,
        reading: Reading,
        sentences: NDArray[np.bool_],
        kinds: NDArray[np.int64],
        scores: NDArray[np.float32],
        *,
        legal: bool = False,
    ) -> None:
        """Fills in the likeliest kind and its score at the places of these sentences."""
        model, scorer = (self._legal, self._legal_scorer) if legal else (self._model, self._scorer)
        places, chances = model.decided(reading, sentences)
        found, scores[places] = scorer.scores(chances, legal=legal)
        kinds[places] = found + len(self._scorer.kinds) if legal else found

    def _spans(self, text: str, pieces: Pieces, runs: Sequence[Run], legal: bool) -> Iterator[Span]:
        in_cells: dict[int, Sequence[NamePart]] = {}
        if not legal:
            in_cells = self._in_cells(text, runs, pieces)
            runs = [
                run if run.first in in_cells else _with_initials(_with_hyphens(run, pieces), pieces)
                for run in runs
                if run.first in in_cells or is_plausible(run, pieces)
            ]
            runs = [
                run for run in runs if run.kind != PERSON or run.first in in_cells or self._is_person(text, run, pieces)
            ]
            runs = with_lists(runs, pieces.word, len(pieces), self.could_be_name)
        in_full = {
            run.first: in_cells.get(run.first) or self._parts(pieces, run, {})
            for run in runs
            if run.kind == PERSON and run.last - run.first > 1
        }
        has_halves = any(run.kind == PERSON and len(in_full.get(run.first, ())) < 2 for run in runs)
        full = [run for run in runs if run.first in in_full] if has_halves else []
        known = self._known_parts(text, pieces, full, in_full)
        for run in runs:
            if run.kind == PERSON:
                full_parts = in_full.get(run.first, ())
                for part in full_parts if len(full_parts) > 1 else self._parts(pieces, run, known):
                    if not legal and self._is_title(text[part.start : part.end]):
                        continue  # legal texts are masked with their titles, names elsewhere are not
                    yield _span((*part, run.score))
            else:
                yield Span(*pieces.stretch(run.first, run.last), self._characteristic(run, pieces), run.score)

    def _in_cells(self, text: str, runs: Sequence[Run], pieces: Pieces) -> dict[int, Sequence[NamePart]]:
        """By their first word the names that are sure enough and fill a cell, so that nothing else need be asked."""
        return {
            run.first: parts
            for run in runs
            if run.kind == PERSON
            and (parts := pieces.name_in_cell(run.first, run.last)) is not None
            and (run.score >= _HARDLY_WRONG or any(self._is_listed_name(text[low:high]) for low, high, _ in parts))
        }

    def _is_person(self, text: str, run: Run, pieces: Pieces) -> bool:
        """No word of code; no words that lists know, but not as names; no unknown capitals amid small letters.

        A title before a name with a capital outweighs the lists.
        """
        start, end = pieces.stretch(run.first, run.last)
        if is_code_word(text, start, end):
            return False
        shouted = text[start:end].isupper()
        if run.score >= _HARDLY_WRONG and not shouted:
            return True
        codes = []
        for word in pieces.words(run.first, run.last):
            if len(word) > 2:
                code = self._model.gazetteer.get(plain_form(word), 0)
                if code & ANY_NAME:
                    return True
                codes.append(code)
        if not codes:
            return True
        if all(code & MEDICAL or commonness(code) for code in codes):
            titled = text[start].isupper() and any(map(self._is_title, pieces.before(run.first)))
            return run.score >= _HARDLY_WRONG or titled
        return not shouted or not is_among_small_letters(text, start, end) or _has_company(text, start, end)

    def _is_listed_title(self, word: str) -> bool:
        return word.lower() in _TITLES or bool(self._model.gazetteer.get(plain_form(word), 0) & TITLE_THERE)

    def _parts(self, pieces: Pieces, run: Run, known: Mapping[str, str]) -> Sequence[NamePart]:
        before = pieces.before(run.first)
        if is_professional(before, pieces.after(run.last)):
            return [NamePart(*pieces.stretch(run.first, run.last), PROFESSIONAL)]
        if known and (run.last - run.first > 1 or plain_form(pieces.word(run.first)) in known):
            return parts_of_anybody(pieces.between(run.first, run.last), before, self._model.gazetteer, known)
        words, start = pieces.from_zero(run.first, run.last)
        titled = bool(before) and is_title_of_last_names(before[0])
        alone = self._parts_alone(words, before[0] if titled else "")
        return [_part((low + start, high + start, kind)) for low, high, kind in alone]

    def _is_long_name(self, word: str) -> bool:
        return len(word) > 2 and bool(self._model.gazetteer.get(plain_form(word), 0) & ANY_NAME)

    def _made_parts(self, words: tuple[Piece, ...], title: str) -> tuple[NamePart, ...]:
        """Places count from the beginning of the name, so that the same name is taken apart once."""
        return tuple(parts_of_anybody(words, (title,) if title else (), self._model.gazetteer, {}))

    @staticmethod
    def _known_parts(
        text: str, pieces: Pieces, runs: Sequence[Run], in_full: Mapping[int, Sequence[NamePart]]
    ) -> dict[str, str]:
        """Which part of a name a word is, where the document has the name in full."""
        known: dict[str, str] = {}
        for run in runs:
            length, parts = run.last - run.first, in_full[run.first]
            if length == len(parts) == 2 and parts[0][2:] + parts[1][2:] == (FIRST_NAME, LAST_NAME):
                for low, high, characteristic in parts:  # a word each
                    if high - low > 1:
                        known[plain_form(text[low:high])] = characteristic
            elif length <= _LONGEST_NAME:
                words = pieces.between(run.first, run.last)
                for low, high, characteristic in in_full[run.first]:
                    if characteristic in (FIRST_NAME, LAST_NAME):
                        for word, start, end in words:
                            if low <= start < high and end - start > 1:
                                known[plain_form(word)] = characteristic
        return known

    def _characteristic(self, run: Run, pieces: Pieces) -> str:
        if run.kind != "LOC":
            return CHARACTERISTICS[run.kind]
        codes = [self._model.gazetteer.get(plain_form(word), 0) for word in pieces.words(run.first, run.last)]
        towns = any(code & (CITY | CITY_PART) and not code & COUNTRY for code in codes)
        return "city" if towns and not any(code & COUNTRY for code in codes) else "place"


def _has_company(text: str, start: int, end: int) -> bool:
    """Whether words in capitals that no list knows are beside what names have: a comma, a label, an age, a date."""
    return (
        "," in text[start:end]
        or _is_announced(text[max(0, start - 40) : start])
        or _NEXT_TO_CAPITALS.match(text, end) is not None
    )


def _is_announced(before: str) -> bool:
    match = _BEFORE_CAPITALS.search(before)
    return match is not None and (match[1] is None or match[1].lower() in _ANNOUNCING)


def is_plausible(run: Run, pieces: Pieces) -> bool:
    """Outside legal texts: a mere code, or anything with digits, is no name; two capitals are initials only if sure."""
    if run.kind == PERSON and pieces.has_figures(run.first, run.last):
        return False
    if run.kind == PERSON and pieces.has_long_word(run.first, run.last):
        return True
    words = pieces.words(run.first, run.last)
    longest = max(map(len, words), default=0)
    if run.kind == PERSON:
        return longest > 1 and (run.score >= SURE or not words[0].isupper())
    if run.kind == "ORG" and (
        not any(word[0].isupper() for word in words) or (len(words) == 1 and words[0].isupper() and longest < _ACRONYM)
    ):
        return False
    return longest > 2


def _with_initials(run: Run, pieces: Pieces) -> Run:
    """`J. R. Sloan` and `SLOAN , CHARLES E`: single capitals next to a name belong to it."""
    if run.kind != PERSON:
        return run
    first, last = run.first, run.last
    while True:
        nearest = pieces.single(first - 1)
        step = 2 if nearest == "." and first > 1 else 1
        initial = pieces.single(first - 2) if step > 1 else nearest
        if not _is_initial(initial) or pieces.gap(first - step, first) > step:
            break
        first -= step
    if first < run.first and pieces.words(first, run.first) == _POSTSCRIPT:
        first = run.first
    behind = pieces.single(last)
    if _is_initial(behind) and behind not in "IA" and pieces.gap(last - 1, last) == 1:
        last += 1
    return run if (first, last) == (run.first, run.last) else Run(first, last, run.kind, run.score)


def _with_hyphens(run: Run, pieces: Pieces) -> Run:
    """`Okonkwo-Bright`: a word with a capital that a hyphen joins to a name belongs to it."""
    if run.kind != PERSON or pieces.single(run.last) != "-" or run.last + 1 >= len(pieces):
        return run
    joined = pieces.gap(run.last - 1, run.last) == pieces.gap(run.last, run.last + 1) == 0
    before, behind = pieces.word(run.last - 1), pieces.word(run.last + 1)
    alike = (before.istitle() and behind.istitle()) or (before.isupper() and behind.isupper())
    if not joined or not alike or min(len(before), len(behind)) < _SHORTEST_OF_TWO:
        return run
    return Run(run.first, run.last + 2, run.kind, run.score)


def _is_initial(word: str) -> bool:
    return word.isupper() and word.isalpha()


def is_monotonous(text: str) -> bool:
    """Whether a long text is one short piece over and over, to the last letter, so that its beginning is enough."""
    if len(text) < _MONOTONOUS_FROM:
        return False
    period = text.find(text[:_MONOTONOUS_OPENING], 1, _LONGEST_PERIOD)
    return period > 0 and text[period:] == text[:-period]


class Block(NamedTuple):
    owner: int  # number of the text
    start: int  # where it begins in that text
    text: str


def _batches(texts: Sequence[str]) -> Iterator[list[Block]]:
    """Texts that are read together, and long ones in blocks, so that what is in memory at a time stays bounded."""
    batch: list[Block] = []
    size = 0
    for owner, text in enumerate(texts):
        for start, whole in blocks(text):
            block = whole[:_MONOTONOUS_READ] if is_monotonous(whole) else whole
            if batch and size + len(block) > _BATCH:
                yield batch
                batch, size = [], 0
            batch.append(Block(owner, start, block))
            size += len(block)
    if batch:
        yield batch


def blocks(text: str) -> Iterator[tuple[int, str]]:
    """The text in pieces that end with a line, or with a space where lines are endless."""
    start = 0
    while len(text) - start > _BLOCK:
        end = text.rfind("\n", start + _BLOCK // 2, start + _BLOCK) + 1
        end = end or text.rfind(" ", start + _BLOCK // 2, start + _BLOCK) + 1 or start + _BLOCK
        yield start, text[start:end]
        start = end
    yield start, text[start:] if start else text
