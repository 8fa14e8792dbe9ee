"""Scores of labels and of label pairs -> the exact probability of every label at every place, for many sequences."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_STEPS_BETWEEN_SCALINGS = 2  # products shrink by far less than single precision bears in so few steps

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Packed:
    """The places of sequences by time, longest first, so that a step is one product over all that still run."""

    places: Ints
    offsets: list[int]  # where each step begins, and the last ends


def packed(starts: Ints, lengths: Ints) -> Packed:
    order = np.argsort(-lengths, kind="stable")
    lengths, starts = lengths[order], starts[order]
    steps = int(lengths[0]) if len(lengths) else 0
    running = np.searchsorted(-lengths, -np.arange(steps), side="left")  # sequences longer than t
    offsets = np.concatenate(([0], np.cumsum(running)))
    rank = np.arange(offsets[-1]) - np.repeat(offsets[:-1], running)
    return Packed(starts[rank] + np.repeat(np.arange(steps), running), offsets.tolist())


def marginals(emissions: Floats, transitions: Floats, offsets: list[int]) -> Floats:
    """Forward and backward over sequences whose places are packed; there is no padding.

    Inside, each label has a row: numpy is faster on a few long rows than on many short ones.
    """
    odds = np.ascontiguousarray(emissions.T)
    odds -= odds.max(axis=0)
    np.exp(odds, out=odds)
    pairs = np.exp(transitions - transitions.max())
    chances = _forward(odds, np.ascontiguousarray(pairs.T), offsets)
    chances *= _backward(odds, pairs, offsets)
    chances /= chances.sum(axis=0)
    return chances.T


def _forward(odds: Floats, pairs: Floats, offsets: list[int]) -> Floats:
    forward = np.empty_like(odds)
    first = offsets[1]
    np.divide(odds[:, :first], odds[:, :first].sum(axis=0), out=forward[:, :first])
    for t in range(1, len(offsets) - 1):
        before, low, high = offsets[t - 1], offsets[t], offsets[t + 1]
        now = pairs @ forward[:, before : before + high - low]
        now *= odds[:, low:high]
        if t % _STEPS_BETWEEN_SCALINGS == 0:
            now /= now.sum(axis=0)
        forward[:, low:high] = now
    return forward


def _backward(odds: Floats, pairs: Floats, offsets: list[int]) -> Floats:
    backward = np.ones_like(odds)
    for t in range(len(offsets) - 3, -1, -1):
        low, next_low, next_high = offsets[t : t + 3]
        now = pairs @ (odds[:, next_low:next_high] * backward[:, next_low:next_high])
        if t % _STEPS_BETWEEN_SCALINGS == 0:
            now /= now.sum(axis=0)
        backward[:, low : low + next_high - next_low] = now
    return backward
