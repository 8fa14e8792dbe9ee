"""Texts with annotated entities, and masked spans -> entity recall and weighted precision (Pilán et al., 2022)."""

import re
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from evaluation.formats.document import DIRECT, NO_MASK, CorpusDocument, Entity
from evaluation.ratios import share

_WORD = re.compile(r"\w+")
Place = tuple[int, int]
Weight = Callable[[str, Sequence[Place]], Sequence[float]]  # a text, its masked tokens -> how much each weighs


def uniform(text: str, places: Sequence[Place]) -> Sequence[float]:
    return [1.0] * len(places)


@dataclass(frozen=True, slots=True)
class TabCounts:
    """Over all annotators: entities and those fully covered, tokens to mask and masked, and masked ones among them."""

    direct_found: int = 0
    direct: int = 0
    quasi_found: int = 0
    quasi: int = 0
    tokens_found: int = 0
    tokens: int = 0
    masked_rightly: float = 0
    masked: float = 0
    weight_rightly: float = 0.0
    weight: float = 0.0

    def __add__(self, other: "TabCounts") -> "TabCounts":
        return TabCounts(*(one + another for one, another in zip(astuple(self), astuple(other), strict=True)))


@dataclass(frozen=True, slots=True)
class TabScores:
    """None where there is nothing of the kind; weighted_precision is also None without weights."""

    recall: float | None
    er_direct: float | None
    er_quasi: float | None
    precision: float | None
    weighted_precision: float | None


def tab_scores(counts: TabCounts) -> TabScores:
    return TabScores(
        recall=share(counts.tokens_found, counts.tokens),
        er_direct=share(counts.direct_found, counts.direct),
        er_quasi=share(counts.quasi_found, counts.quasi),
        precision=share(counts.masked_rightly, counts.masked),
        weighted_precision=share(counts.weight_rightly, counts.weight),
    )


def tab_counts(
    document: CorpusDocument,
    masks: Iterable[Place],
    weight: Weight | None = uniform,
    token: re.Pattern[str] = _WORD,
) -> TabCounts:
    """An entity is found only if every mention that needs a mask is covered; each annotator counts separately."""
    spans = _joined(masks)
    covered = bytearray(len(document.text))
    for start, end in spans:
        covered[start:end] = b"\1" * (end - start)
    counts = TabCounts()
    masked = masked_tokens(document.text, spans, token)
    weights = dict(zip(masked, weight(document.text, masked), strict=True)) if weight else dict.fromkeys(masked, 0.0)
    for entities in document.annotators:
        wanted = [entity for entity in entities if entity.identifier != NO_MASK]
        covers = [
            all(not one.masked or _hidden(document.text, covered, one.start, one.end) for one in entity.mentions)
            for entity in wanted
        ]
        places = [
            place
            for entity in wanted
            for one in entity.mentions
            for place in _tokens(document.text, one.start, one.end, token)
        ]
        direct = [entity.identifier == DIRECT for entity in wanted]
        rightly = [place for place in masked if _inside(place, wanted)]
        counts += TabCounts(
            direct_found=sum(hit for hit, is_direct in zip(covers, direct, strict=True) if is_direct),
            direct=sum(direct),
            quasi_found=sum(hit for hit, is_direct in zip(covers, direct, strict=True) if not is_direct),
            quasi=len(direct) - sum(direct),
            tokens_found=sum(_hidden(document.text, covered, *place) for place in places),
            tokens=len(places),
            masked_rightly=len(rightly),
            masked=len(masked),
            weight_rightly=sum(weights[place] for place in rightly),
            weight=sum(weights[place] for place in masked),
        )
    return counts


def masked_tokens(text: str, masks: Iterable[Place], token: re.Pattern[str] = _WORD) -> list[Place]:
    return [place for start, end in _joined(masks) for place in _tokens(text, start, end, token)]


def published() -> list[dict[str, Any]]:
    """The rows of the paper, for TAB's test set."""
    rows: list[dict[str, Any]] = _settings()["published"]
    return rows


def _joined(masks: Iterable[Place]) -> list[Place]:
    """Overlapping masks as one, so that no token counts twice."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(masks):
        if joined and start < joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _hidden(text: str, covered: bytearray, start: int, end: int) -> bool:
    """Whether all of a mention that carries meaning is covered."""
    if all(covered[start:end]):
        return True
    words = list(_tokens(text, start, end, _WORD))
    for first, last in words:
        if not all(covered[first:last]) and not _meaningless(text[first:last]):
            return False
    inside = {place for first, last in words for place in range(first, last)}
    return all(covered[place] or place in inside or text[place] in _ignored()[1] for place in range(start, end))


def _meaningless(word: str) -> bool:
    """Articles, prepositions, titles; but a single capital is an initial."""
    return word.lower() in _ignored()[0] and not (len(word) == 1 and word.isupper())


def _inside(place: tuple[int, int], entities: Iterable[Entity]) -> bool:
    return any(
        one.masked and one.start <= place[0] and place[1] <= one.end for entity in entities for one in entity.mentions
    )


def _tokens(text: str, start: int, end: int, token: re.Pattern[str]) -> Iterable[tuple[int, int]]:
    return ((start + match.start(), start + match.end()) for match in token.finditer(text[start:end]))


@cache
def _settings() -> dict[str, Any]:
    return tomllib.loads(files("evaluation").joinpath("data/tab.toml").read_text(encoding="utf-8"))


@cache
def _ignored() -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(_settings()["ignored_words"]), frozenset(_settings()["ignored_characters"])
