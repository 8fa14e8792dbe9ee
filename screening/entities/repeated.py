"""Runs found in a document -> the same and the same words elsewhere in it: a name that was sure once is a name again."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from screening.entities.reading import REACH, Reading
from screening.entities.runs import Run

SURE = 0.95  # score from which a run lends its words to other places
_LENT = 0.8  # part of the score that comes along
_LONGEST = 8


def with_repetitions(runs: Sequence[Run], reading: Reading, scores: NDArray[np.float32]) -> list[Run]:
    """Only words that mean little but a name lend themselves alone; longer runs need one of them. Texts lend each other nothing."""
    lent = _lent(runs, reading)
    if not lent:
        return list(runs)
    words = reading.words[REACH:-REACH]
    free = np.ones(len(words), dtype=bool)
    for run in runs:
        free[run.first : run.last] = False
    found = list(runs)
    opens = np.zeros(len(reading.vocabulary), dtype=bool)
    opens[[word for _, word in lent]] = True
    places = np.flatnonzero(opens[words] & free)
    for place, text in zip(places.tolist(), reading.text_at(places).tolist(), strict=True):
        for key, run in lent.get((text, int(words[place])), ()):
            last = place + len(key)
            if tuple(words[place:last].tolist()) == key and free[place:last].all():
                found.append(Run(place, last, run.kind, max(float(scores[place:last].mean()), run.score * _LENT)))
                free[place:last] = False
                break
    return sorted(found, key=lambda run: run.first)


def _lent(runs: Sequence[Run], reading: Reading) -> dict[tuple[int, int], list[tuple[tuple[int, ...], Run]]]:
    """Text and opening word -> what may be found again there, the longest first."""
    sure = [run for run in runs if run.score >= SURE and run.last - run.first <= _LONGEST]
    lent: dict[tuple[int, int], dict[tuple[int, ...], Run]] = {}
    texts = reading.text_at(np.array([run.first for run in sure], dtype=np.int64)).tolist()
    for run, text in zip(sure, texts, strict=True):
        if run.kind != "PER" and not reading.legal[text]:
            continue
        words = reading.words[REACH + run.first : REACH + run.last].tolist()
        telling = reading.telling[run.first : run.last].tolist()
        if any(telling):
            lent.setdefault((text, words[0]), {}).setdefault(tuple(words), run)
        if run.kind == "PER":
            for word, tells in zip(words, telling, strict=True):
                if tells:
                    lent.setdefault((text, word), {}).setdefault((word,), run)
    return {opening: sorted(each.items(), key=lambda entry: -len(entry[0])) for opening, each in lent.items()}
