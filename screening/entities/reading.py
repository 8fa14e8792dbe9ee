"""Texts -> word numbers, sentences, and what context and document say of them: the input of the model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from screening.entities.vocabulary import APART, EDGE, Split, Vocabulary, split
from screening.entities.words import (
    ALL_CAPITALS,
    ANNOUNCES,
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
    OF_ABROAD,
    OF_GERMAN,
    POINT,
    TITLE,
    UNKNOWN,
    UPPER_NAME,
    UPPER_OTHER,
)

REACH = 2  # neighbours seen to each side
_LONGEST_SENTENCE = 64
_CUE_REACH = range(REACH + 1, APART + 1)  # how far to the left a word announces a name, beyond the neighbours
_LEGAL_SHARE = 0.012
_LEGAL_LEAST = 6
_ABROAD_SHARE = 0.15
_ABROAD_LEAST = 3
_GERMAN_SHARE = 0.75
_IS_LEGAL, _IS_FOREIGN, _IS_GERMAN = 1, 2, 3  # kinds of documents
_KINDS = 4
_SMALL, _CAPITALS = 1, 2  # letters of a sentence that does not mix them
MOODS = 3 * _KINDS  # letters of a sentence (mixed, small, capital) x kind of document (any, legal, foreign, German)
TRUSTS = 4  # seen elsewhere in the document behind a title, behind a first name
_ABBREVIATED = np.isin(np.arange(CLASSES), [INITIAL, TITLE, POINT])
_FIGURES = np.isin(np.arange(CLASSES), [DIGITS_2, DIGITS_4, DIGITS_MORE])
_INFORMATIVE = np.isin(
    np.arange(CLASSES), [CAP_BOTH, CAP_FIRST, CAP_LAST, CAP_PLACE, CAP_UNKNOWN, UPPER_NAME, UPPER_OTHER]
)
_SMALL_NAMES = np.isin(np.arange(CLASSES), [LOW_FIRST, LOW_LAST, LOW_OTHER])
_FIRSTS = np.isin(np.arange(CLASSES), [CAP_FIRST, CAP_BOTH, LOW_FIRST, UPPER_NAME])

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Reading:
    """One or more texts. `words` has REACH edges before and after; arrays by place have one entry per word in between.

    Between two texts are edges, which belong to no sentence.
    """

    words: Ints
    starts: Ints
    ends: Ints
    bounds: Ints  # per text: its first place, and the one behind its last
    legal: Bools  # per text
    sentence_starts: Ints
    sentence_lengths: Ints
    needy: Bools  # per sentence: whether anything in it could be a name
    triples: Ints  # classes of the word and its neighbours as one number
    moods: Ints  # sentence and document x class
    trusts: Ints  # what the document knows of the word x class
    cues: Ints  # what was announced to the left x class
    wordy: Bools  # letters and figures, not marks and white space
    informative: (
        Bools  # words with a capital that are no common words, first names where all is small, and long numbers
    )
    vocabulary: Vocabulary  # whose numbers the words are

    def __len__(self) -> int:
        return len(self.starts)

    def text_at(self, places: Ints) -> Ints:
        """Which text each place is of."""
        return np.searchsorted(self.bounds[:, 0], places, side="right") - 1


def read(texts: Sequence[str], vocabulary: Vocabulary, *, in_english: bool = True) -> Reading:
    return surroundings(split(texts, vocabulary), vocabulary, in_english=in_english)


def surroundings(found: Split, vocabulary: Vocabulary, *, in_english: bool = True) -> Reading:
    """`in_english` also looks for legal texts, by English words."""
    edge = np.full(REACH, EDGE, dtype=np.int64)
    padded = np.concatenate((edge, found.words, edge))
    group_of, flags_of, cue_of, _, small_of = vocabulary.arrays
    groups, flags, cues = group_of[padded], flags_of[padded], cue_of[padded]
    own_flags = flags[REACH:-REACH]
    starts, lengths = _sentences(groups, flags, found.bounds)
    sizes = np.diff(found.bounds[:, 0], append=len(own_flags))
    letters = _letters(own_flags, starts, lengths, found.bounds)
    legal = _are_legal(own_flags, found.bounds) if in_english else np.zeros(len(found.bounds), dtype=bool)
    abroad = _are_abroad(own_flags, found.bounds)
    within = found.words[starts] != EDGE
    own = groups[REACH:-REACH]
    informative = (own_flags & HAS_CAPITAL != 0) & _INFORMATIVE[own]
    shouted = np.flatnonzero(letters == _CAPITALS) + REACH
    if len(
        shouted
    ):  # where all is in capitals they say no more than small letters do, and what is known of those holds
        padded[shouted] = small_of[padded[shouted]]
        groups[shouted], flags[shouted] = group_of[padded[shouted]], flags_of[padded[shouted]]
    return Reading(
        words=padded,
        starts=found.starts,
        ends=found.ends,
        bounds=found.bounds,
        legal=legal,
        sentence_starts=starts[within],
        sentence_lengths=lengths[within],
        needy=_needy(own, own_flags, letters, starts)[within],
        triples=(groups[REACH - 1 : -REACH - 1] * CLASSES + own) * CLASSES
        + groups[REACH + 1 : len(groups) - REACH + 1],
        moods=(letters * _KINDS + np.repeat(_kinds(own_flags, found.bounds, legal, abroad), sizes)) * CLASSES + own,
        trusts=_trusts(padded, groups, flags, letters, sizes, len(vocabulary)) * CLASSES + own,
        cues=_announced(cues) * CLASSES + own,
        wordy=(own_flags & LETTERS != 0) | _FIGURES[own],
        informative=informative | (own == DIGITS_MORE) | ((own == LOW_FIRST) & (letters == _SMALL)),
        vocabulary=vocabulary,
    )


def _sentences(groups: Ints, flags: Ints, bounds: Ints) -> tuple[Ints, Ints]:
    """A sentence ends with its line, or with its mark if a capital follows; an endless one is cut.

    Each edge is a sentence of its own.
    """
    own, following = flags[REACH:-REACH], flags[REACH + 1 : len(flags) - REACH + 1]
    after_mark = (own & ENDS_SENTENCE != 0) & (following & HAS_CAPITAL != 0)
    before = groups[REACH - 1 : -REACH - 1]
    short = _ABBREVIATED[before]
    last = (own & ENDS_LINE != 0) | (after_mark & ~short)
    count = len(own)
    if count == 0:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    ends = bounds[:, 1]
    last[ends[ends > 0] - 1] = True
    begins = np.concatenate(([0], np.flatnonzero(last[:-1]) + 1))
    lengths = np.diff(np.concatenate((begins, [count])))
    cuts = (lengths - 1) // _LONGEST_SENTENCE
    if cuts.any():
        pieces_of = cuts + 1
        within = np.arange(pieces_of.sum()) - np.repeat(np.cumsum(pieces_of) - pieces_of, pieces_of)
        begins = np.repeat(begins, pieces_of) + within * _LONGEST_SENTENCE
        lengths = np.diff(np.concatenate((begins, [count])))
    return begins.astype(np.int64), lengths.astype(np.int64)


def _are_legal(flags: Ints, bounds: Ints) -> Bools:
    words = _counted(flags & LETTERS != 0, bounds)
    legal = _counted(flags & LEGAL != 0, bounds)
    return (legal >= _LEGAL_LEAST) & (legal >= _LEGAL_SHARE * words)


def _are_abroad(flags: Ints, bounds: Ints) -> Bools:
    words = _counted(flags & LETTERS != 0, bounds)
    abroad = _counted(flags & OF_ABROAD != 0, bounds)
    return (abroad >= _ABROAD_LEAST) & (abroad >= _ABROAD_SHARE * words)


def _kinds(flags: Ints, bounds: Ints, legal: Bools, abroad: Bools) -> Ints:
    """German has capitals where other languages have none, so it is a kind of its own."""
    words = _counted(flags & OF_ABROAD != 0, bounds)
    german = _counted(flags & OF_GERMAN != 0, bounds)
    return np.where(
        legal, _IS_LEGAL, np.where(~abroad, 0, np.where(german >= _GERMAN_SHARE * words, _IS_GERMAN, _IS_FOREIGN))
    )


def _counted(marked: Bools, bounds: Ints) -> Ints:
    """How many places of each text are marked."""
    return np.array([np.count_nonzero(marked[first:last]) for first, last in bounds.tolist()], dtype=np.int64)


def _mostly_capitals(capitals: NDArray[Any], words: NDArray[Any]) -> Bools:
    return (capitals * 10 >= words * 8) & (capitals > 1)


def _letters(flags: Ints, starts: Ints, lengths: Ints, bounds: Ints) -> Ints:
    """Per word: 0 if its sentence mixes letters, _SMALL if it has only small ones, _CAPITALS if only capitals.

    A single word in capitals makes a sentence of capitals only in a text of capitals.
    """
    if not len(starts):
        return np.zeros(0, dtype=np.int64)
    letters = np.add.reduceat((flags & LETTERS != 0).astype(np.int64), starts)
    capital = np.add.reduceat((flags & HAS_CAPITAL != 0).astype(np.int64), starts)
    shouted = np.add.reduceat((flags & ALL_CAPITALS != 0).astype(np.int64), starts)
    kind = np.where(_mostly_capitals(shouted, letters), _CAPITALS, np.where(capital == 0, _SMALL, 0))
    alone = np.flatnonzero((shouted == 1) & (letters == 1))
    if len(alone):
        text = np.searchsorted(bounds[:, 0], starts, side="right") - 1
        in_capitals = _mostly_capitals(np.bincount(text, shouted), np.bincount(text, letters))
        kind[alone[in_capitals[text[alone]]]] = _CAPITALS
    return np.repeat(kind, lengths)


def _needy(groups: Ints, flags: Ints, letters: Ints, starts: Ints) -> NDArray[np.bool_]:
    """A common word opens most sentences with a capital; without capitals, any word that no list has may be a name."""
    if not len(starts):
        return np.zeros(0, dtype=bool)
    candidates = flags & CANDIDATE != 0
    candidates[starts[groups[starts] == CAP_COMMON]] = False
    candidates |= (flags & UNKNOWN != 0) & (letters > 0)
    return np.logical_or.reduceat(candidates, starts)


def _trusts(padded: Ints, groups: Ints, flags: Ints, letters: Ints, sizes: Ints, size: int) -> Ints:
    """What each text says of its words; `sizes` count the texts with the edges behind them, `size` the vocabulary.

    Names have a capital, or, in sentences without small letters or without capitals, are words that could be names.
    """
    own = padded[REACH:-REACH]
    before = groups[REACH - 1 : -REACH - 1]
    keys = np.repeat(np.arange(len(sizes)) * size, sizes) + own  # the word of that very text
    title = flags & ANNOUNCES != 0
    name = np.where(letters > 0, _SMALL_NAMES[groups[REACH:-REACH]], flags[REACH:-REACH] & HAS_CAPITAL != 0)
    titled = name & (title[REACH - 1 : -REACH - 1] | (title[REACH - 2 : -REACH - 2] & (before == POINT)))
    return _again(keys, own, titled, size) * 2 + _again(keys, own, name & _FIRSTS[before], size)


def _again(keys: Ints, words: Ints, marked: Bools, size: int) -> Bools:
    """Where the words that are marked once in a text occur in it.

    They are few, so one test, if any text marks the word, settles most.
    """
    anywhere = np.zeros(size, dtype=bool)
    anywhere[words[marked]] = True
    maybe = anywhere[words]
    marked_keys = np.unique(keys[marked])
    if len(marked_keys):
        candidates = keys[maybe]
        maybe[maybe] = marked_keys[np.searchsorted(marked_keys[:-1], candidates)] == candidates
    return maybe


def _announced(cues: Ints) -> Ints:
    """The nearest announcing word beyond the neighbours."""
    count = len(cues) - 2 * REACH
    result = np.zeros(count, dtype=np.int64)
    places = np.flatnonzero(cues)
    for distance in sorted(_CUE_REACH, reverse=True):
        within = places[(places >= REACH - distance) & (places < REACH - distance + count)]
        result[within + distance - REACH] = cues[within]
    return result
