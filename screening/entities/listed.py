"""Runs of words -> the same; a list such as `Leehy, Perkins and Hill` names only people if two of its items do."""

from collections.abc import Callable, Sequence

from screening.entities.runs import PERSON, Run

_BETWEEN = frozenset({",", "and", "&", "or"})
_LENT = 0.8  # part of the score that comes along
_FEWEST_KNOWN = 2

WordAt = Callable[[int], str]


def with_lists(runs: Sequence[Run], word_at: WordAt, words: int, could_be_name: Callable[[str], bool]) -> list[Run]:
    """Looks at single words alone: what has a first and a last name needs no list to be known."""
    single = {run.first: run for run in runs if run.last == run.first + 1}
    people = {first: run for first, run in single.items() if run.kind == PERSON}
    more: dict[int, Run] = {}
    seen = -1
    for first in sorted(people):
        if first > seen:
            items = _items(first, word_at, words)
            seen = items[-1]
            named = [people[item] for item in items if item in people]
            if len(named) >= _FEWEST_KNOWN:
                score = _LENT * min(run.score for run in named)
                fresh = (item for item in items if item not in people and could_be_name(word_at(item)))
                more.update((item, Run(item, item + 1, PERSON, score)) for item in fresh)
    if not more:
        return list(runs)
    covered = {
        place
        for run in runs
        if run.first not in more or run.last > run.first + 1
        for place in range(run.first, run.last)
    }
    kept = [run for run in runs if run.first in covered]
    return sorted([*kept, *(run for place, run in more.items() if place not in covered)], key=lambda run: run.first)


def _items(first: int, word_at: WordAt, words: int) -> list[int]:
    """The places of a list's words, from its first on; a word that is followed by another one is no item."""
    items = [first]
    while True:
        at = items[-1] + 1
        while at < words and word_at(at) in _BETWEEN and at - items[-1] < 3:
            at += 1
        if at == items[-1] + 1 or at >= words or not _is_capitalised(word_at(at)):
            return items
        if at + 1 < words and (_is_capitalised(word_at(at + 1)) or word_at(at + 1) in "-'’"):
            return items
        items.append(at)


def _is_capitalised(word: str) -> bool:
    return word[0].isupper() and word[1:].islower()
