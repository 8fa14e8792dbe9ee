"""Runs found in a document -> the same, and the same words elsewhere in it: a sure name once is a name everywhere."""

from collections.abc import Sequence, Set

import numpy as np
from numpy.typing import NDArray

from screening.entities.reading import REACH, Reading
from screening.entities.runs import PERSON, Run

SURE = 0.95  # score from which a run lends its words to other places
_LENT = 0.8  # part of the score that comes along
_LONGEST = 8


Lent = dict[
    tuple[int, int], dict[int, dict[tuple[int, ...], Run]]
]  # text and opening word -> number of words -> the words


def with_repetitions(runs: Sequence[Run], reading: Reading, scores: NDArray[np.float32]) -> list[Run]:
    """Only words that are rarely anything but a name count alone; longer runs need one of them. Texts are separate."""
    sure = [run for run in runs if run.score >= SURE and run.last - run.first <= _LONGEST]
    if not sure:
        return list(runs)
    numbers = reading.words[REACH:-REACH]
    taken = bytearray(len(numbers))
    for run in runs:
        taken[run.first : run.last] = b"\1" * (run.last - run.first)
    opens = np.zeros(len(reading.vocabulary), dtype=bool)
    opens[_openings(sure, reading, numbers)] = True
    places = np.flatnonzero(opens[numbers] & (np.frombuffer(bytes(taken), dtype=np.uint8) == 0))
    if not len(places):
        return list(runs)
    words: Sequence[int] = numbers.data  # few of them are asked for
    lent = _lent(sure, reading, words, set(numbers[places].tolist()))
    all_runs = list(runs)
    for place, text in zip(places.tolist(), reading.text_at(places).tolist(), strict=True):
        for length, keys in lent.get((text, words[place]), {}).items():
            last = place + length
            lender = keys.get(tuple(words[place:last]))
            if lender is not None and taken.find(1, place, last) < 0:
                all_runs.append(
                    Run(place, last, lender.kind, max(float(scores[place:last].mean()), lender.score * _LENT))
                )
                taken[place:last] = b"\1" * length
                break
    return sorted(all_runs, key=lambda run: run.first)


def _openings(sure: Sequence[Run], reading: Reading, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Words that may open what is lent, and some more: the first of each run, and all that say something."""
    first, last = np.array([run[:2] for run in sure], dtype=np.int64).T
    inside = np.zeros(len(numbers) + 1, dtype=np.int64)
    np.add.at(inside, first, 1)
    np.add.at(inside, last, -1)
    lending = (np.cumsum(inside[:-1]) > 0) & reading.informative
    return np.concatenate((numbers[first], numbers[lending]))


def _lent(sure: Sequence[Run], reading: Reading, numbers: Sequence[int], sought: Set[int]) -> Lent:
    """What may be found again, the longest first; only what opens with one of the words that are sought."""
    lent: Lent = {}
    informative_words: Sequence[int] = reading.informative.data
    texts = reading.text_at(np.array([run.first for run in sure], dtype=np.int64)).tolist()
    for run, text in zip(sure, texts, strict=True):
        if run.kind != PERSON and not reading.legal[text]:
            continue
        words = tuple(numbers[run.first : run.last])
        informative = tuple(informative_words[run.first : run.last])
        if any(informative) and words[0] in sought:
            lent.setdefault((text, words[0]), {}).setdefault(len(words), {}).setdefault(words, run)
        if run.kind == PERSON:
            for word, is_informative in zip(words, informative, strict=True):
                if is_informative and word in sought:
                    lent.setdefault((text, word), {}).setdefault(1, {}).setdefault((word,), run)
    return {opening: dict(sorted(each.items(), reverse=True)) for opening, each in lent.items()}
