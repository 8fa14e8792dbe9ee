"""Runs of words -> the same, and full names right behind a word that announces them: `patient`, `regarding`."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence

import numpy as np

from screening.entities.reading import REACH, Reading
from screening.entities.runs import PERSON, Run
from screening.entities.words import (
    CAP_BOTH,
    CAP_FIRST,
    CAP_LAST,
    CAP_PLACE,
    CAP_UNKNOWN,
    CLASSES,
    COLON,
    COMMA,
    CUES,
    ROLE,
    UPPER_NAME,
)

ANNOUNCED_SCORE = 0.7
_CLASSES = np.arange(CLASSES)
_POSSIBLE = np.isin(_CLASSES, [CAP_FIRST, CAP_LAST, CAP_BOTH, CAP_PLACE, CAP_UNKNOWN, UPPER_NAME])
_LISTED = np.isin(_CLASSES, [CAP_FIRST, CAP_LAST, CAP_BOTH, UPPER_NAME])
_FIRST = np.isin(_CLASSES, [CAP_FIRST, CAP_BOTH])
_OF_PEOPLE = np.isin(np.arange(CUES), [1, 2, 10, 11])  # patients and relatives, labels, `named`, `regarding`
_OF_SENDERS = np.arange(CUES) == 5  # `from`, `to`, `by`: a first name must follow
_REACH = 5  # the cue, a colon, and up to three places behind it


def with_announced(runs: Sequence[Run], reading: Reading) -> list[Run]:
    """Two or three words that could be names, one of the first two listed; behind a colon also `Last, First`."""
    group_of, flags_of, cue_of, _, _ = reading.vocabulary.arrays
    announcing = (_OF_PEOPLE | _OF_SENDERS)[cue_of] | (flags_of & ROLE != 0)
    places = np.flatnonzero(announcing[reading.words[REACH:-REACH]])
    places = places[places + _REACH <= len(reading) + REACH]
    if not len(places):
        return list(runs)
    groups = group_of[reading.words[REACH + places[:, None] + np.arange(_REACH)]]
    cues = reading.words[REACH + places]
    people, after_colon = _OF_PEOPLE[cue_of[cues]] | (flags_of[cues] & ROLE != 0), groups[:, 1] == COLON
    one, two, three = (np.where(after_colon, groups[:, at + 1], groups[:, at]) for at in (1, 2, 3))
    possible = _POSSIBLE[one]
    listed = _LISTED[one]
    plain = possible & _POSSIBLE[two]
    plain &= np.where(people, listed | _LISTED[two], _FIRST[one] | (listed & _LISTED[two]))
    turned = possible & after_colon & people & (two == COMMA) & _POSSIBLE[three] & (listed | _LISTED[three])
    named = np.flatnonzero((plain | turned) & ~reading.legal[reading.text_at(places)])
    firsts = (places + 1 + after_colon)[named].tolist()
    lengths = np.where(turned | _POSSIBLE[three], 3, 2)[named].tolist()
    return _joined(runs, {first: first + length for first, length in zip(firsts, lengths, strict=True)})


def _joined(runs: Sequence[Run], whole: Mapping[int, int]) -> list[Run]:
    """An announced name takes the place of what was found of it; where something longer was found, that stays."""
    firsts = [run.first for run in runs]
    more: list[Run] = []
    gone: set[int] = set()
    for first, last in whole.items():
        near = runs[max(0, bisect_left(firsts, first) - 1) : bisect_left(firsts, last)]
        inside = [run for run in near if run.last > first]
        if all(first <= run.first and run.last <= last and run.last - run.first < last - first for run in inside):
            more.append(Run(first, last, PERSON, ANNOUNCED_SCORE))
            gone.update(run.first for run in inside)
    if not more:
        return list(runs)
    return sorted([*(run for run in runs if run.first not in gone), *more], key=lambda run: run.first)
