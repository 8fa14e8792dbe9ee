"""Candidates of a text -> the verdict of its strongest passage, with how many passages were judged."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from classifiers.health import HealthModel, margin_of
from core.records import Candidate, Evidence, HealthClass, HealthVerdict, Passages
from pipelines.stages.asides import JudgedText

NOTHING_JUDGED = HealthVerdict(distance=None, positive=False)
_WORD = re.compile(r"[^\W\d_]+")


class Judged(NamedTuple):
    """The verdict of the strongest passage, that passage, and all that are positive."""

    verdict: HealthVerdict
    strongest: Candidate | None
    positive: tuple[Candidate, ...] = ()


def judge_candidates(
    texts: Sequence[JudgedText], candidates: Sequence[Sequence[Candidate]], model: HealthModel
) -> list[Judged]:
    """For each text the verdict of the passage that is nearest to personal health information, and that passage."""
    passages = [read.passage(one) for read, own in zip(texts, candidates, strict=True) for one in own]
    verdicts = iter(model.classify_passages(passages))
    judged: list[Judged] = []
    for read, own in zip(texts, candidates, strict=True):
        one = _strongest([(next(verdicts), candidate) for candidate in own])
        if one.strongest is not None:
            terms = _without_names(one.verdict.terms, read.text, one.strongest)
            one = one._replace(verdict=replace(one.verdict, terms=terms))
        judged.append(one)
    return judged


def _without_names(terms: tuple[str, ...], text: str, candidate: Candidate) -> tuple[str, ...]:
    """Hodgkin, Iris and Colon are names too: terms stand in the results as they are, and names must not."""
    names = Counter(word for low, high in candidate.names for word in _words(text[low:high]))
    if not names:
        return terms
    stretches = (*candidate.passage.carried, candidate.passage[:2])
    words = Counter(word for low, high in stretches for word in _words(text[low:high]))
    named = {word for word, count in names.items() if words[word] <= count}
    return tuple(term for term in terms if not named.intersection(_words(term)))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _strongest(judged: Sequence[tuple[HealthVerdict, Candidate]]) -> Judged:
    if not judged:
        return Judged(NOTHING_JUDGED, None)
    verdict, candidate = max(judged, key=lambda pair: margin_of(pair[0]))  # of equal ones the first
    positive = tuple(candidate for verdict, candidate in judged if verdict.positive)
    passages = Passages(len(judged), len(positive))
    verdict = replace(verdict, passages=passages, role=candidate.role, strongest=candidate.passage.place)
    return Judged(verdict, candidate, positive)


def stronger(first: HealthVerdict, second: HealthVerdict) -> HealthVerdict:
    """The stronger verdict of two windows of one text, with the passages of both."""
    better = second if margin_of(second) > margin_of(first) else first
    judged = first.passages.judged + second.passages.judged
    return replace(better, passages=Passages(judged, first.passages.positive + second.passages.positive))


def settled(verdict: HealthVerdict, model: HealthModel) -> HealthVerdict:
    """The verdict of a whole text, whose strongest passage must be the surer the more passages were judged."""
    if model.passages is None or verdict.threshold is None or verdict.distance is None:
        return verdict
    threshold = verdict.threshold / model.passages.caution_among(*verdict.passages)
    positive = verdict.positive and verdict.distance < threshold
    label = verdict.label if positive == verdict.positive else HealthClass.GENERAL
    passages = verdict.passages if positive else verdict.passages._replace(positive=0)
    return replace(verdict, threshold=threshold, positive=positive, label=label, passages=passages)


def person_at(evidence: Sequence[Evidence], place: int) -> int:
    """The number of the person who is named there; 0 where the evidence does not reach so far."""
    return next((piece.person for piece in evidence if piece.start == place), 0)
