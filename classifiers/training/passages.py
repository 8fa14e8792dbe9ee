"""Labelled texts -> labelled passages as the health stage reads them: with words for roles instead of names."""

import random
from collections.abc import Callable, Iterator, Sequence

from classifiers.training.corpus import GENERAL, GREY, NOTE, TALK, Example
from classifiers.training.own_passages import own_passages

Cut = Callable[[Sequence[str]], Sequence[Sequence[str]]]  # texts -> of each the passages that name a possible subject

SOURCE = "passages"
OWN = f"{SOURCE}:own"
_ROLES_IN_PROSE = ("persontoken",) * 6 + ("subjecttoken", "doctortoken", "authortoken", "orgtoken")
_ROLES_IN_NOTES = ("subjecttoken", "subjecttoken", "persontoken", "doctortoken")
_MAIL_HEADERS = "From: authortoken <contacttoken>\nTo: contacttoken\nSubject: hello\nDate: Tue, 14 Oct 2025 21:14:03\n"
_LONGEST_TEXT = 20_000
_SHORTEST, _LONGEST = 250, 1_200  # characters of a stretch


def passage_examples(examples: Sequence[Example], cut: Cut) -> list[Example]:
    """Real passages with a person in them, and stretches of prose and notes in which a role stands at random.

    Prose about no one must stay general health even where a word of it is taken for a name.
    """
    return [*_cut(examples, cut), *_own(cut), *_with_roles(examples)]


def _cut(examples: Sequence[Example], cut: Cut) -> Iterator[Example]:
    chosen = [example for example in examples if example.kind != GREY]
    for example, passages in zip(chosen, cut([one.text[:_LONGEST_TEXT] for one in chosen]), strict=True):
        for passage in passages:
            yield Example(passage, example.kind, f"{SOURCE}:{example.source}", example.is_held_out)


def _own(cut: Cut) -> Iterator[Example]:
    own = own_passages()
    for one, passages in zip(own, cut([one.text for one in own]), strict=True):
        kind = GENERAL if not one.is_personal else TALK if one.is_talk else NOTE
        for passage in passages:
            yield Example(passage, kind, OWN, one.is_held_out)
            if one.is_talk and "contacttoken" not in passage:
                yield Example(_MAIL_HEADERS + passage, kind, OWN, one.is_held_out)


def _with_roles(examples: Sequence[Example]) -> Iterator[Example]:
    rng = random.Random(9)  # noqa: S311  not for secrets: the same passages every time
    for example in examples:
        if len(example.text) < _SHORTEST:
            continue
        if example.kind == GENERAL:
            for _ in range(2):
                text = _marked(_stretch(example.text, rng), rng, _ROLES_IN_PROSE, rng.randint(1, 3))
                yield Example(text, GENERAL, f"{SOURCE}:{example.source}", example.is_held_out)
        elif example.kind == NOTE:
            text = _headed(_stretch(example.text, rng), rng)
            yield Example(text, NOTE, f"{SOURCE}:{example.source}", example.is_held_out)


def _headed(text: str, rng: random.Random) -> str:
    drawn = rng.random()
    if drawn < 0.4:
        return f"Patient: subjecttoken {text}"
    if drawn < 0.6:
        return f"subjecttoken birthdatetoken\n{text}"
    return _marked(text, rng, _ROLES_IN_NOTES, rng.randint(1, 2))


def _stretch(text: str, rng: random.Random) -> str:
    start = rng.randint(0, max(0, len(text) - _LONGEST))
    return text[start : start + rng.randint(_SHORTEST, _LONGEST)]


def _marked(text: str, rng: random.Random, roles: Sequence[str], times: int) -> str:
    """Some words with a capital, or any where there is none, become words for roles."""
    words = text.split(" ")
    capitals = [at for at, word in enumerate(words) if word[:1].isupper()] or list(range(len(words)))
    for _ in range(times):
        words[rng.choice(capitals)] = rng.choice(roles)
    return " ".join(words)
