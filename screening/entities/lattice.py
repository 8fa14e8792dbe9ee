"""Scores of labels and of label pairs -> the exact probability of every label at every place, for many sequences at once."""

import numpy as np
from numpy.typing import NDArray

_STEPS_BETWEEN_SCALINGS = 2  # products shrink by far less than single precision bears in so few steps

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


def marginals(emissions: Floats, transitions: Floats, starts: Ints, lengths: Ints) -> Floats:
    """Forward and backward over sequences that lie one behind the other in `emissions`.

    They are packed by time, longest first, so that a step is one product over all sequences that are still running; there is no padding.
    """
    order = np.argsort(-lengths, kind="stable")
    lengths, starts = lengths[order], starts[order]
    steps = int(lengths[0])
    running = np.searchsorted(-lengths, -np.arange(steps), side="left")  # sequences longer than t
    offsets = np.concatenate(([0], np.cumsum(running)))
    rank = np.arange(offsets[-1]) - np.repeat(offsets[:-1], running)
    place = starts[rank] + np.repeat(np.arange(steps), running)  # place in `emissions` of each packed row
    odds = emissions[place]
    odds -= odds.max(axis=1, keepdims=True)
    np.exp(odds, out=odds)
    pairs = np.exp(transitions - transitions.max())
    forward = _forward(odds, pairs, running.tolist(), offsets.tolist())
    forward *= _backward(odds, pairs, running.tolist(), offsets.tolist())
    forward /= forward.sum(axis=1, keepdims=True)
    result = np.empty_like(emissions)
    result[place] = forward
    return result


def _forward(odds: Floats, pairs: Floats, running: list[int], offsets: list[int]) -> Floats:
    forward = np.empty_like(odds)
    first = offsets[1]
    forward[:first] = odds[:first]
    forward[:first] /= forward[:first].sum(axis=1, keepdims=True)
    for t in range(1, len(running)):
        low, high = offsets[t], offsets[t + 1]
        before = offsets[t - 1]
        now = forward[low:high]
        np.matmul(forward[before : before + high - low], pairs, out=now)
        now *= odds[low:high]
        if t % _STEPS_BETWEEN_SCALINGS == 0:
            now /= np.add.reduce(now, axis=1, keepdims=True)
    return forward


def _backward(odds: Floats, pairs: Floats, running: list[int], offsets: list[int]) -> Floats:
    backward = np.ones_like(odds)
    back = np.ascontiguousarray(pairs.T)
    for t in range(len(running) - 2, -1, -1):
        low, next_low, next_high = offsets[t], offsets[t + 1], offsets[t + 2]
        now = backward[low : low + next_high - next_low]
        np.matmul(odds[next_low:next_high] * backward[next_low:next_high], back, out=now)
        if t % _STEPS_BETWEEN_SCALINGS == 0:
            now /= np.add.reduce(now, axis=1, keepdims=True)
    return backward
