"""Texts of a batch -> where vocabulary terms stand in them, in one vectorised pass over token ids."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from classifiers.codes import with_code_words
from classifiers.tokens import surface_forms, tokenize

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Matches:
    """Maximal term matches, ordered by document and position; `lengths` counts the tokens of each document."""

    document: Ints
    position: Ints
    term: Ints
    lengths: Ints


class TermMatcher:
    """A trie over token ids, kept as sorted arrays so that a whole batch descends one level at a time."""

    def __init__(self, terms: Sequence[str], aliases: Mapping[str, str]) -> None:
        tokens = sorted({token for term in terms for token in term.split(" ")})
        ids = {token: number for number, token in enumerate(tokens, start=1)}
        self._vocabulary_size = len(tokens) + 1
        self._token_ids = {form.encode("latin-1"): ids[token] for token in tokens for form in surface_forms(token)}
        for alias, token in aliases.items():
            if token in ids:
                self._token_ids.update((form.encode("latin-1"), ids[token]) for form in surface_forms(alias))
        self._build([tuple(ids[token] for token in term.split(" ")) for term in terms])

    def _build(self, sequences: Sequence[tuple[int, ...]]) -> None:
        children: dict[tuple[int, int], int] = {}
        node_term = [-1]
        for term, sequence in enumerate(sequences):
            node = 0
            for token in sequence:
                node = children.setdefault((node, token), len(node_term))
                if node == len(node_term):
                    node_term.append(-1)
            node_term[node] = term
        self._node_term = np.array(node_term, dtype=np.int64)
        self._first = np.zeros(self._vocabulary_size, dtype=np.int64)
        deeper = []
        for (parent, token), node in children.items():
            if parent == 0:
                self._first[token] = node
            else:
                deeper.append((parent * self._vocabulary_size + token, node))
        deeper.sort()
        self._keys = np.array([key for key, _ in deeper] or [-1], dtype=np.int64)
        self._targets = np.array([node for _, node in deeper] or [0], dtype=np.int64)
        self._has_children = np.zeros(len(node_term), dtype=bool)
        self._has_children[self._keys[self._keys >= 0] // self._vocabulary_size] = True
        self._longest = max((len(sequence) for sequence in sequences), default=1)

    def match(self, texts: Sequence[str]) -> Matches:
        """Finds the longest term at each place and leaves out what lies wholly inside an earlier, longer one."""
        pieces: list[int] = []
        lengths = np.zeros(len(texts), dtype=np.int64)
        for number, text in enumerate(texts):
            tokens = tokenize(with_code_words(text))
            lengths[number] = len(tokens)
            pieces.extend(map(self._token_ids.get, tokens, repeat(0)))
            pieces.append(0)  # no term reaches over the end of a document
        ids = np.array(pieces + [0] * self._longest, dtype=np.int64)
        start, term, end = self._longest_at_each_place(ids)
        furthest = np.maximum.accumulate(end) if len(end) else end
        maximal = np.ones(len(end), dtype=bool)
        maximal[1:] = end[1:] > furthest[:-1]
        start, term = start[maximal], term[maximal]
        offsets = np.concatenate(([0], np.cumsum(lengths + 1)))
        document = np.searchsorted(offsets, start, side="right") - 1
        return Matches(document, start - offsets[document], term, lengths)

    def _longest_at_each_place(self, ids: Ints) -> tuple[Ints, Ints, Ints]:
        place = np.flatnonzero(self._first[ids])
        node = self._first[ids[place]]
        best = self._node_term[node].copy()
        end = place + 1
        going = np.flatnonzero(self._has_children[node])
        node = node[going]
        for depth in range(1, self._longest):
            if not len(going):
                break
            following = ids[place[going] + depth]
            key = node * self._vocabulary_size + following
            slot = np.minimum(np.searchsorted(self._keys, key), len(self._keys) - 1)
            found = (self._keys[slot] == key) & (following > 0)
            going, node = going[found], self._targets[slot[found]]
            ends_term = self._node_term[node] >= 0
            best[going[ends_term]] = self._node_term[node[ends_term]]
            end[going[ends_term]] = place[going[ends_term]] + depth + 1
            deeper = self._has_children[node]
            going, node = going[deeper], node[deeper]
        hit = best >= 0
        return place[hit], best[hit], end[hit]
