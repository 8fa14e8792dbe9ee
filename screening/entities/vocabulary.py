"""Texts -> the numbers of their words, one text behind the other; a word keeps its number and is described once."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from screening.entities.gazetteer import Gazetteer
from screening.entities.tokens import LONGEST_WORD, is_gap, pieces, word_of
from screening.entities.western_tokens import ENCODING, token_bounds, western_and_others
from screening.entities.word_table import WordTable
from screening.entities.words import BORDER, ENDS_LINE, Word, describe, has_small_letters

GAP, EDGE, LONG = 0, 1, 2  # words that every table has: white space, beyond the text, and what is too long for a word
APART = 5  # edges between two texts: as far as a word is heard
_BREAK = "\n\0"  # an edge; no piece of a text equals it
# A piece is its word and at most so many characters less one: gaps and breaks are no words, others have one space.
_WIDTHS = 4
_SHIFT = _WIDTHS.bit_length() - 1
_UNKNOWN = -1

Ints = NDArray[np.int64]
_Words = tuple[Ints, Ints, Ints]  # their numbers, and where they begin and end
_BETWEEN = b"\0"  # between two encoded texts


@dataclass(frozen=True, slots=True)
class Split:
    """The words of texts in a row, with APART edges between two texts; places count from the start of their text."""

    words: Ints
    starts: Ints
    ends: Ints
    bounds: Ints  # per text: its first word, and the one behind its last


class Vocabulary:
    """Words met so far -> numbers, and what is known of each; grows while reading."""

    def __init__(self, gazetteer: Gazetteer) -> None:
        self._gazetteer = gazetteer
        self._pieces = {
            " ": GAP * _WIDTHS + 1,
            _BREAK: EDGE * _WIDTHS + len(_BREAK),
        }  # the number of the word and how much longer it is
        # Tuples of letters alone: of so many objects, those that the garbage collector need not look at.
        self._forms: list[tuple[str, ...]] = []
        self._own: list[tuple[str, ...]] = []
        self._by_letters = WordTable()
        self._fresh: list[tuple[int, int, int, int, int]] = []  # what is not in the arrays yet
        self._known = np.zeros((5, 1024), dtype=np.int64)
        self._counted = 0
        for own, flags in (((), 0), (("w=<edge>",), ENDS_LINE), (("w=<long>",), 0)):
            self.append("", Word((), own, BORDER, flags, 0))

    def __len__(self) -> int:
        return len(self._forms)

    def attributes(self, number: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Those that a word shares with all of its form, and its own, or its letters where it has a form."""
        return self._forms[number], self._own[number]

    def add(self, new: Iterable[str]) -> None:
        for piece in new:
            if is_gap(piece):
                self._pieces[piece] = GAP * _WIDTHS + len(piece)
                continue
            word = word_of(piece)
            if len(word) <= LONGEST_WORD:
                self._pieces[piece] = self._number(word) * _WIDTHS + len(piece) - len(word)

    def _number(self, word: str) -> int:
        """The number of a word, which has one or is described now, and in small letters too where it is in capitals."""
        known = self._pieces.get(word)
        if known is None and not word.isspace():
            known = self._pieces.get(f" {word}")  # to keep both of every word would take more memory
        if known is not None:
            return known // _WIDTHS
        small = None
        if has_small_letters(word):
            lowered = word.lower()
            small = self._number(lowered)
            self._pieces.setdefault(lowered, small * _WIDTHS)
        return self.append(word, describe(word, self._gazetteer), small)

    def append(self, word: str, description: Word, small: int | None = None) -> int:
        """A new number; `small` is that of the same word in small letters."""
        form, own, group, flags, cue = description
        number = len(self._forms)
        self._forms.append(form)
        self._own.append(own)
        self._fresh.append((group, flags, cue, len(word), number if small is None else small))
        return number

    @property
    def arrays(self) -> tuple[Ints, Ints, Ints, Ints, Ints]:
        """Class, flags, cue, length and the same word in small letters, for every word by its number."""
        size = len(self)
        if size > self._known.shape[1]:
            self._known = np.concatenate(
                (self._known, np.zeros((5, size * 3 // 2 - self._known.shape[1]), dtype=np.int64)), axis=1
            )
        if self._fresh:
            self._known[:, self._counted : size] = np.array(self._fresh, dtype=np.int64).T
            self._fresh, self._counted = [], size
        return self._known[0], self._known[1], self._known[2], self._known[3], self._known[4]

    def numbers_of(self, text: bytes, starts: Ints, ends: Ints) -> Ints:
        """The number of the word at each of these places; words not met before are added."""
        return self._by_letters.numbers(text, starts, ends, self._number_of)

    def _number_of(self, word: str) -> int:
        if is_gap(word):
            return GAP
        if len(word) > LONGEST_WORD:
            return LONG
        number = self._number(word)
        self._pieces.setdefault(word, number * _WIDTHS)
        return number

    def numbered(self, found: Sequence[str]) -> tuple[Ints, Ints]:
        """The number of the word and the length of every piece; words not met before are added."""
        known = np.fromiter(map(self._pieces.get, found, repeat(_UNKNOWN)), dtype=np.int64, count=len(found))
        missing = np.flatnonzero(known == _UNKNOWN).tolist()
        if missing:
            self.add(dict.fromkeys(found[place] for place in missing))
            known[missing] = [self._pieces.get(found[place], LONG * _WIDTHS) for place in missing]
        numbers = known >> _SHIFT
        lengths = self.arrays[3][numbers] + (known & (_WIDTHS - 1))
        long = np.flatnonzero(numbers == LONG)
        lengths[long] = [len(found[place]) for place in long.tolist()]
        return numbers, lengths


def split(texts: Sequence[str], vocabulary: Vocabulary) -> Split:
    """What is Western by arrays, which takes a third of the time, and the rest by an expression."""
    parts = [western_and_others(text) for text in texts]
    every = [stretch for part in parts for _, stretch in part]
    by_arrays = _by_arrays([stretch for stretch in every if isinstance(stretch, bytes)], vocabulary)
    by_expression = _by_expression([stretch for stretch in every if isinstance(stretch, str)], vocabulary)
    edges, steps = np.full(APART, EDGE, dtype=np.int64), len(_BREAK) * np.arange(1, APART + 1)
    found: list[_Words] = []
    bounds: list[tuple[int, int]] = []
    count = 0
    for text, part in zip(texts, parts, strict=True):
        first = count
        for start, stretch in part:
            numbers, starts, ends = next(by_arrays if isinstance(stretch, bytes) else by_expression)
            found.append((numbers, starts + start, ends + start) if start else (numbers, starts, ends))
            count += len(numbers)
        bounds.append((first, count))
        found.append((edges, len(text) + steps, len(text) + steps))
        count += APART
    words, starts, ends = (np.concatenate(arrays) for arrays in zip(*found[:-1], strict=True))
    return Split(words, starts, ends, np.array(bounds, dtype=np.int64))


def _by_arrays(texts: Sequence[bytes], vocabulary: Vocabulary) -> Iterator[_Words]:
    """One text behind the other, with a sign between two that joins nothing."""
    joined = _BETWEEN.join(texts)
    starts, ends = token_bounds(joined)
    numbers = vocabulary.numbers_of(joined, starts, ends)
    kept = np.flatnonzero(numbers != GAP)
    numbers, starts, ends = numbers[kept], starts[kept], ends[kept]
    for place in np.flatnonzero(numbers == LONG).tolist():
        starts[place] -= _has_blank(joined, int(starts[place]))
    sizes = np.array([len(text) + len(_BETWEEN) for text in texts], dtype=np.int64)
    begins = np.cumsum(sizes) - sizes
    firsts = np.searchsorted(starts, begins).tolist()
    lasts = np.searchsorted(starts, begins + sizes - len(_BETWEEN)).tolist()
    for first, last, begin in zip(firsts, lasts, begins.tolist(), strict=True):
        yield numbers[first:last], starts[first:last] - begin, ends[first:last] - begin


def _has_blank(text: bytes, start: int) -> bool:
    """Whether a single blank is before a word; that of a long word counts as a part of it."""
    before, word = text[max(0, start - 2) : start].decode(ENCODING), text[start : start + 1].decode(ENCODING)
    return before.endswith(" ") and not (before[:-1].isspace() or word.isspace())


def _by_expression(texts: Sequence[str], vocabulary: Vocabulary) -> Iterator[_Words]:
    found: list[str] = []
    sizes: list[int] = []
    for text in texts:
        own = pieces(text)
        found += own
        sizes.append(len(own))
    every, lengths = vocabulary.numbered(found)
    last = 0
    for size in sizes:
        first, last = last, last + size
        ends = np.cumsum(lengths[first:last])
        kept = every[first:last] != GAP
        words = every[first:last][kept]
        sizes_of_words = np.where(words == LONG, lengths[first:last][kept], vocabulary.arrays[3][words])
        yield words, ends[kept] - sizes_of_words, ends[kept]
