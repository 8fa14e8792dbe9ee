"""Runs found in a document -> the same and the same words elsewhere in it: a name that was sure once is a name again."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from screening.entities.reading import REACH, Reading
from screening.entities.runs import Run

SURE = 0.95  # score from which a run lends its words to other places
_LENT = 0.8  # part of the score that comes along
_LONGEST = 8


def with_repetitions(runs: Sequence[Run], reading: Reading, scores: NDArray[np.float32], telling: NDArray[np.bool_]) -> list[Run]:
    """`telling` marks words that mean little but a name: only those lend themselves alone; longer runs need one of them."""
    if not runs:
        return []
    words = reading.words[REACH:-REACH]
    taken = np.zeros(len(words), dtype=bool)
    for run in runs:
        taken[run.first : run.last] = True
    lent = _lent(runs, words, telling, reading.legal)
    if not lent:
        return list(runs)
    found = list(runs)
    openings: dict[int, list[tuple[tuple[int, ...], Run]]] = {}
    for key, run in lent.items():
        openings.setdefault(key[0], []).append((key, run))
    plain = words.tolist()
    for place in np.flatnonzero(np.isin(words, list(openings)) & ~taken).tolist():
        for key, run in sorted(openings[plain[place]], key=lambda entry: -len(entry[0])):
            last = place + len(key)
            if tuple(plain[place:last]) == key and not taken[place:last].any():
                found.append(Run(place, last, run.kind, max(float(scores[place:last].mean()), run.score * _LENT)))
                taken[place:last] = True
                break
    return sorted(found, key=lambda run: run.first)


def _lent(runs: Sequence[Run], words: NDArray[np.int64], telling: NDArray[np.bool_], legal: bool) -> dict[tuple[int, ...], Run]:
    lent: dict[tuple[int, ...], Run] = {}
    for run in runs:
        if run.score < SURE or run.last - run.first > _LONGEST or (run.kind != "PER" and not legal):
            continue
        if telling[run.first : run.last].any():
            lent.setdefault(tuple(words[run.first : run.last].tolist()), run)
        if run.kind == "PER":
            for place in range(run.first, run.last):
                if telling[place]:
                    lent.setdefault((int(words[place]),), run)
    return lent
