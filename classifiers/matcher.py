"""Texts of a batch -> where vocabulary terms stand in them, in one vectorised pass over token ids."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from classifiers.codes import with_code_words
from classifiers.portions import parts, portions
from classifiers.tokens import surface_forms, words_and_gaps, words_in_place
from classifiers.word_ids import GAP, Ids, Ints, WordIds, Words

PART_CHARACTERS = 1_000_000
_NONE: Ints = np.zeros(0, dtype=np.int64)
_BLOCK = 1 << 18  # words that are matched at once
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
        numbers = {form.encode("latin-1"): ids[token] for token in tokens for form in surface_forms(token)}
        for alias, token in aliases.items():
            if token in ids:
                numbers.update((form.encode("latin-1"), ids[token]) for form in surface_forms(alias))
        self._words = WordIds(numbers)
        self._sizes = np.array([term.count(" ") + 1 for term in terms], dtype=np.int64)  # tokens of each term
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
        numbers, lengths = [], np.zeros(len(texts), dtype=np.int64)
        for low, high in portions(texts, PART_CHARACTERS):
            for words, counts, _ in self._words_of(with_code_words(texts[low:high]), words_and_gaps):
                numbers.append(words.number)
                lengths[low:high] += counts
        return self._match_numbers(numbers, lengths)

    def match_in_place(self, texts: Sequence[str]) -> tuple[Matches, Ints, Ints]:
        """The same in texts as they are, without regard to codes, and where in its text each match begins and ends."""
        numbers, starts, ends, lengths = [], [_NONE], [_NONE], np.zeros(len(texts), dtype=np.int64)
        for low, high in portions(texts, PART_CHARACTERS):
            for words, counts, begins in self._words_of(texts[low:high], words_in_place):
                numbers.append(words.number)
                starts.append(words.start - np.repeat(begins, counts))
                ends.append(words.end - np.repeat(begins, counts))
                lengths[low:high] += counts
        matches = self._match_numbers(numbers, lengths)
        first = (np.cumsum(lengths) - lengths)[matches.document] + matches.position
        return matches, np.concatenate(starts)[first], np.concatenate(ends)[first + self._sizes[matches.term] - 1]

    def _words_of(self, texts: Sequence[str], fold: Callable[[str], bytes]) -> Iterator[tuple[Words, Ints, Ints]]:
        """The words of the texts in a row, how many each text has, and where it begins; long texts part by part."""
        if len(texts) == 1:
            offset = 0
            for part in parts(texts[0], PART_CHARACTERS):
                words = self._words.find(fold(part))
                yield words, np.array([len(words.number)]), np.array([-offset])
                offset += len(part)
            return
        pieces = [fold(text) for text in texts]
        words = self._words.find(GAP.join(pieces))
        begins = np.cumsum([0, *(len(piece) + len(GAP) for piece in pieces)])
        yield words, np.diff(np.searchsorted(words.start, begins)), begins[:-1]

    def _match_numbers(self, numbers: Sequence[Ids], lengths: Ints) -> Matches:
        # A gap after each document, so that no term reaches over its end.
        offsets = np.concatenate(([0], np.cumsum(lengths + 1)))
        spaced = np.zeros(offsets[-1] + self._longest, dtype=np.int32)
        together = np.concatenate([np.zeros(0, np.int32), *numbers])
        low = 0
        for offset, length in zip(offsets[:-1].tolist(), lengths.tolist(), strict=True):
            spaced[offset : offset + length] = together[low : low + length]
            low += length
        start, term, end = self._longest_in_blocks(spaced)
        furthest = np.maximum.accumulate(end) if len(end) else end
        maximal = np.ones(len(end), dtype=bool)
        maximal[1:] = end[1:] > furthest[:-1]
        start, term = start[maximal], term[maximal]
        document = np.repeat(np.arange(len(lengths)), np.diff(np.searchsorted(start, offsets)))
        return Matches(document, start - offsets[document], term, lengths)

    def _longest_in_blocks(self, words: Ids) -> tuple[Ints, Ints, Ints]:
        matches = []
        for low in range(0, len(words) - self._longest, _BLOCK):
            high = min(low + _BLOCK, len(words) - self._longest)
            start, term, end = self._longest_at_each_place(words[low : high + self._longest], high - low)
            matches.append((start + low, term, end + low))
        if not matches:
            return _NONE, _NONE, _NONE
        start, term, end = (np.concatenate(some) for some in zip(*matches, strict=True))
        return start, term, end

    def _longest_at_each_place(self, words: Ids, places: int) -> tuple[Ints, Ints, Ints]:
        node = self._first[words[:places]]
        place = np.flatnonzero(node)
        node = node[place]
        best = self._node_term[node]
        end = place + 1
        going = np.flatnonzero(self._has_children[node])
        node = node[going]
        for depth in range(1, self._longest):
            if not len(going):
                break
            key = node * self._vocabulary_size + words[place[going] + depth]
            perhaps = np.flatnonzero(self._known[_slots(key)])  # most pairs of words are in no term
            going, key = going[perhaps], key[perhaps]
            slot = np.minimum(np.searchsorted(self._keys, key), len(self._keys) - 1)
            matching = self._keys[slot] == key
            going, node = going[matching], self._targets[slot[matching]]
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
