"""Text -> words by number, sentences, and what their surroundings and the whole document say of them: all that the model looks at."""

from dataclasses import dataclass
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from screening.entities.gazetteer import Gazetteer
from screening.entities.tokens import LONGEST_WORD, is_gap, pieces, word_of
from screening.entities.words import (
    ALL_CAPITALS,
    ANNOUNCES,
    BORDER,
    CANDIDATE,
    CAP_BOTH,
    CAP_COMMON,
    CAP_FIRST,
    CAP_LAST,
    CAP_PLACE,
    CAP_UNKNOWN,
    CLASSES,
    DIGITS_2,
    DIGITS_4,
    DIGITS_MORE,
    ENDS_LINE,
    ENDS_SENTENCE,
    HAS_CAPITAL,
    INITIAL,
    LEGAL,
    LETTERS,
    LOW_FIRST,
    LOW_LAST,
    LOW_OTHER,
    POINT,
    TITLE,
    UNKNOWN,
    UPPER_NAME,
    UPPER_OTHER,
    Word,
    describe,
)

REACH = 2  # neighbours seen to each side
GAP, EDGE, LONG = 0, 1, 2  # words that every table has: white space, beyond the text, and what is too long for a word
_LONGEST_SENTENCE = 64
_CUE_REACH = (3, 4, 5)  # how far to the left a word announces a name, beyond the neighbours
_LEGAL_SHARE = 0.012
_LEGAL_LEAST = 6
MOODS = 6  # letters of a sentence (mixed, small, capital) x kind of document (any, legal)
TRUSTS = 4  # seen elsewhere in the document behind a title, behind a first name
_ABBREVIATED = np.isin(np.arange(CLASSES), [INITIAL, TITLE, POINT])
_FIGURES = np.isin(np.arange(CLASSES), [DIGITS_2, DIGITS_4, DIGITS_MORE])
_TELLING = np.isin(np.arange(CLASSES), [CAP_BOTH, CAP_FIRST, CAP_LAST, CAP_PLACE, CAP_UNKNOWN, UPPER_NAME, UPPER_OTHER])
_SMALL_NAMES = np.isin(np.arange(CLASSES), [LOW_FIRST, LOW_LAST, LOW_OTHER])
_FIRSTS = np.isin(np.arange(CLASSES), [CAP_FIRST, CAP_BOTH, LOW_FIRST, UPPER_NAME])

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Reading:
    """`words` has REACH edges before and after; all other arrays have one entry per word between them."""

    words: Ints
    starts: Ints
    ends: Ints
    sentence_starts: Ints
    sentence_lengths: Ints
    triples: Ints  # classes of the word and its neighbours as one number
    moods: Ints  # sentence and document x class
    trusts: Ints  # what the document knows of the word x class
    cues: Ints  # what was announced to the left x class
    needy: NDArray[np.bool_]  # per sentence: whether anything in it could be a name
    wordy: NDArray[np.bool_]  # letters and figures, not marks and white space
    telling: NDArray[np.bool_]  # words with a capital that are no common words, first names where all is small, and long numbers
    legal: bool

    def __len__(self) -> int:
        return len(self.starts)


class Vocabulary:
    """Words met so far -> numbers, and what is known of each; grows while reading."""

    def __init__(self, gazetteer: Gazetteer) -> None:
        self._gazetteer = gazetteer
        self.numbers: dict[str, int] = {" ": GAP}
        self.described: list[Word] = [Word((), BORDER, 0, 0), Word(("w=<edge>",), BORDER, ENDS_LINE, 0), Word(("w=<long>",), BORDER, 0, 0)]
        self.lengths: list[int] = [0, 0, 0]
        self._known = np.zeros((4, 1024), dtype=np.int64)
        self._counted = 0

    def __len__(self) -> int:
        return len(self.described)

    def add(self, words: set[str]) -> None:
        for piece in sorted(words):
            word = word_of(piece)
            if is_gap(piece):
                self.numbers[piece] = GAP
            elif word in self.numbers:
                self.numbers[piece] = self.numbers[word]
            elif len(word) <= LONGEST_WORD:
                self.numbers[piece] = self.numbers[word] = len(self.described)
                self.append(word, describe(word, self._gazetteer))

    def append(self, word: str, told: Word) -> int:
        self.described.append(told)
        self.lengths.append(len(word))
        return len(self.described) - 1

    @property
    def arrays(self) -> tuple[Ints, Ints, Ints, Ints]:
        """Class, flags, cue and length of every word by its number."""
        size = len(self.described)
        if size > self._known.shape[1]:
            self._known = np.concatenate((self._known, np.zeros((4, 2 * size), dtype=np.int64)), axis=1)
        if size > self._counted:
            fresh = zip(self.described[self._counted :], self.lengths[self._counted :], strict=True)
            self._known[:, self._counted : size] = np.array([(*word[1:], length) for word, length in fresh], dtype=np.int64).T
            self._counted = size
        return self._known[0], self._known[1], self._known[2], self._known[3]


def read(text: str, vocabulary: Vocabulary) -> Reading:
    return surroundings(*split(text, vocabulary), vocabulary)


def split(text: str, vocabulary: Vocabulary) -> tuple[Ints, Ints, Ints]:
    """The words of a text by number, where each starts, and where it ends."""
    found = pieces(text)
    numbers = list(map(vocabulary.numbers.get, found))
    if None in numbers:
        vocabulary.add({piece for piece, number in zip(found, numbers, strict=True) if number is None})
        numbers = list(map(vocabulary.numbers.get, found, repeat(LONG)))
    every = np.array(numbers, dtype=np.int64)
    lengths = np.fromiter(map(len, found), dtype=np.int64, count=len(found))
    ends = np.cumsum(lengths)
    kept = every != GAP
    words, ends = every[kept], ends[kept]
    starts = ends - vocabulary.arrays[3][words]
    long = words == LONG
    if long.any():
        starts[long] = (ends - lengths[kept])[long]
    return words, starts, ends


def surroundings(words: Ints, starts: Ints, ends: Ints, vocabulary: Vocabulary) -> Reading:
    edge = np.full(REACH, EDGE, dtype=np.int64)
    padded = np.concatenate((edge, words, edge))
    group_of, flags_of, cue_of, _ = vocabulary.arrays
    groups, flags, cues = group_of[padded], flags_of[padded], cue_of[padded]
    own, own_flags = groups[REACH:-REACH], flags[REACH:-REACH]
    sentence_starts, sentence_lengths = _sentences(padded, groups, flags)
    legal = _is_legal(own_flags)
    letters = _letters(own_flags, sentence_starts, sentence_lengths)
    return Reading(
        words=padded,
        starts=starts,
        ends=ends,
        sentence_starts=sentence_starts,
        sentence_lengths=sentence_lengths,
        triples=(groups[REACH - 1 : -REACH - 1] * CLASSES + own) * CLASSES + groups[REACH + 1 : len(groups) - REACH + 1],
        moods=(letters * 2 + legal) * CLASSES + own,
        trusts=_trusts(padded, groups, flags, letters == 1, len(vocabulary)) * CLASSES + own,
        cues=_announced(cues) * CLASSES + own,
        needy=_needy(own, own_flags, letters, sentence_starts),
        wordy=(own_flags & LETTERS != 0) | _FIGURES[own],
        telling=((own_flags & HAS_CAPITAL != 0) & _TELLING[own]) | (own == DIGITS_MORE) | ((own == LOW_FIRST) & (letters == 1)),
        legal=legal,
    )


def _sentences(padded: Ints, groups: Ints, flags: Ints) -> tuple[Ints, Ints]:
    """A sentence ends with its line, or with its mark where a capital follows; one that is endless is cut."""
    own, following = flags[REACH:-REACH], flags[REACH + 1 : len(flags) - REACH + 1]
    after_mark = (own & ENDS_SENTENCE != 0) & (following & HAS_CAPITAL != 0)
    before = groups[REACH - 1 : -REACH - 1]
    short = _ABBREVIATED[before]
    last = (own & ENDS_LINE != 0) | (after_mark & ~short)
    count = len(own)
    if count == 0:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    begins = np.concatenate(([0], np.flatnonzero(last[:-1]) + 1))
    lengths = np.diff(np.concatenate((begins, [count])))
    cuts = (lengths - 1) // _LONGEST_SENTENCE
    if cuts.any():
        pieces_of = cuts + 1
        within = np.arange(pieces_of.sum()) - np.repeat(np.cumsum(pieces_of) - pieces_of, pieces_of)
        begins = np.repeat(begins, pieces_of) + within * _LONGEST_SENTENCE
        lengths = np.diff(np.concatenate((begins, [count])))
    return begins.astype(np.int64), lengths.astype(np.int64)


def _is_legal(flags: Ints) -> bool:
    words = int(np.count_nonzero(flags & LETTERS))
    legal = int(np.count_nonzero(flags & LEGAL))
    return legal >= _LEGAL_LEAST and legal >= _LEGAL_SHARE * words


def _letters(flags: Ints, starts: Ints, lengths: Ints) -> Ints:
    """Per word: 0 where its sentence mixes letters, 1 where it has small ones only, 2 where all its words are in capitals."""
    if not len(starts):
        return np.zeros(0, dtype=np.int64)
    letters = np.add.reduceat((flags & LETTERS != 0).astype(np.int64), starts)
    capital = np.add.reduceat((flags & HAS_CAPITAL != 0).astype(np.int64), starts)
    shouted = np.add.reduceat((flags & ALL_CAPITALS != 0).astype(np.int64), starts)
    kind = np.where((shouted * 10 >= letters * 8) & (shouted > 1), 2, np.where(capital == 0, 1, 0))
    return np.repeat(kind, lengths)


def _needy(groups: Ints, flags: Ints, letters: Ints, starts: Ints) -> NDArray[np.bool_]:
    """A common word opens most sentences with a capital, and where there are no capitals, every word that no list knows may be a name."""
    if not len(starts):
        return np.zeros(0, dtype=bool)
    candidates = flags & CANDIDATE != 0
    candidates[starts[groups[starts] == CAP_COMMON]] = False
    candidates |= (flags & UNKNOWN != 0) & (letters == 1)
    return np.logical_or.reduceat(candidates, starts)


def _trusts(padded: Ints, groups: Ints, flags: Ints, small: NDArray[np.bool_], size: int) -> Ints:
    """Names have a capital, or, in sentences without one, are words that could be names."""
    behind_title = np.zeros(size, dtype=np.int64)
    behind_first = np.zeros(size, dtype=np.int64)
    title = flags & ANNOUNCES != 0
    capital = flags & HAS_CAPITAL != 0
    capital[REACH:-REACH] |= small & _SMALL_NAMES[groups[REACH:-REACH]]
    direct = title[:-1] & capital[1:]
    behind_title[padded[1:][direct]] = 1
    pointed = title[:-2] & (groups[1:-1] == POINT) & capital[2:]
    behind_title[padded[2:][pointed]] = 1
    first = _FIRSTS[groups]
    behind_first[padded[1:][first[:-1] & capital[1:]]] = 1
    own = padded[REACH:-REACH]
    return behind_title[own] * 2 + behind_first[own]


def _announced(cues: Ints) -> Ints:
    """The nearest announcing word beyond the neighbours."""
    count = len(cues) - 2 * REACH
    result = np.zeros(count, dtype=np.int64)
    for distance in sorted(_CUE_REACH, reverse=True):
        shifted = np.zeros(count, dtype=np.int64)
        begin = REACH - distance
        shifted[max(0, -begin) :] = cues[max(0, begin) : max(0, begin + count)]
        result = np.where(shifted > 0, shifted, result)
    return result
