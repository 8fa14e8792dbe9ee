"""Texts of a batch -> where vocabulary terms stand in them, in one vectorised pass over token ids."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from classifiers.codes import with_code_words
from classifiers.tokens import surface_forms, tokenize

Ints = NDArray[np.int64]
Ids = NDArray[np.int32]
PART_CHARACTERS = 1_000_000
_SLOTS = 1 << 20
_SPREAD = 0x9E3779B97F4A7C1  # an odd number with bits all over


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
        self.sizes = [term.count(" ") + 1 for term in terms]  # tokens of each term
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
        self._known = np.zeros(_SLOTS, dtype=bool)
        self._known[_slots(self._keys)] = True
        self._has_children = np.zeros(len(node_term), dtype=bool)
        self._has_children[self._keys[self._keys >= 0] // self._vocabulary_size] = True
        self._longest = max((len(sequence) for sequence in sequences), default=1)

    def match(self, texts: Sequence[str]) -> Matches:
        """Finds the longest term at each place and leaves out what lies wholly inside an earlier, longer one."""
        pieces = [self._ids(text) for text in texts]
        return self._match_ids(pieces)

    def match_tokens(self, tokens: Sequence[bytes]) -> Matches:
        """The same in one text that is split already."""
        return self._match_ids([np.fromiter(map(self._token_ids.get, tokens, repeat(0)), np.int32, len(tokens))])

    def _ids(self, text: str) -> Ids:
        """Token ids of a text, with 0 for words of no term; a long text is split in parts, as its tokens take many times its memory."""
        text = with_code_words(text)
        parts = [text] if len(text) <= PART_CHARACTERS else _parts(text)
        found = []
        for part in parts:
            tokens = tokenize(part)
            found.append(np.fromiter(map(self._token_ids.get, tokens, repeat(0)), np.int32, len(tokens)))
        return found[0] if len(found) == 1 else np.concatenate(found)

    def _match_ids(self, pieces: Sequence[Ids]) -> Matches:
        lengths = np.array([len(piece) for piece in pieces], dtype=np.int64)
        # A gap after each document, so that no term reaches over its end.
        offsets = np.concatenate(([0], np.cumsum(lengths + 1)))
        ids = np.zeros(offsets[-1] + self._longest, dtype=np.int32)
        for piece, offset in zip(pieces, offsets[:-1], strict=True):
            ids[offset : offset + len(piece)] = piece
        start, term, end = self._longest_at_each_place(ids)
        furthest = np.maximum.accumulate(end) if len(end) else end
        maximal = np.ones(len(end), dtype=bool)
        maximal[1:] = end[1:] > furthest[:-1]
        start, term = start[maximal], term[maximal]
        document = np.repeat(np.arange(len(pieces)), np.diff(np.searchsorted(start, offsets)))
        return Matches(document, start - offsets[document], term, lengths)

    def _longest_at_each_place(self, ids: Ids) -> tuple[Ints, Ints, Ints]:
        node = self._first[ids]
        place = np.flatnonzero(node)
        node = node[place]
        best = self._node_term[node].copy()
        end = place + 1
        going = np.flatnonzero(self._has_children[node])
        node = node[going]
        for depth in range(1, self._longest):
            if not len(going):
                break
            following = ids[place[going] + depth]
            key = node * self._vocabulary_size + following
            perhaps = np.flatnonzero(self._known[_slots(key)])  # most pairs of words are known to no term
            going, key = going[perhaps], key[perhaps]
            slot = np.minimum(np.searchsorted(self._keys, key), len(self._keys) - 1)
            found = self._keys[slot] == key
            going, node = going[found], self._targets[slot[found]]
            ends_term = self._node_term[node] >= 0
            best[going[ends_term]] = self._node_term[node[ends_term]]
            end[going[ends_term]] = place[going[ends_term]] + depth + 1
            deeper = self._has_children[node]
            going, node = going[deeper], node[deeper]
        hit = best >= 0
        return place[hit], best[hit], end[hit]


def _slots(keys: Ints) -> Ints:
    """A small number for each key, the same for few others: what no known key has need not be looked up."""
    slots: Ints = ((keys * _SPREAD) >> 32) & (_SLOTS - 1)
    return slots


def _parts(text: str) -> Iterator[str]:
    """Cuts a text at blanks; a stretch without any is cut where the next one is."""
    low = 0
    while low < len(text):
        cut = text.find(" ", low + PART_CHARACTERS)
        high = cut if cut >= 0 else len(text)
        yield text[low:high]
        low = high
