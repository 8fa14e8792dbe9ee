"""The votes of one round -> the state of the referral: whose turn it is, or what was decided."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from review.models import Awaiting, Part, State, Verdict, Vote


@dataclass(frozen=True, slots=True)
class Opinion:
    """A vote without its row; opinions come in the order of their votes."""

    reviewer: int
    part: str
    verdict: str


@dataclass(frozen=True, slots=True)
class Standing:
    state: State
    awaiting: Awaiting
    decision: str = ""
    first: int | None = None
    second: int | None = None


Given = TypeVar("Given", Opinion, Vote)


def in_force(opinions: Iterable[Given]) -> list[Given]:
    """The last opinion of each person, unless it was withdrawn, in the order of first votes."""
    last: dict[Any, Given] = {}
    for opinion in opinions:
        if opinion.verdict == Verdict.WITHDRAWN:
            last.pop(opinion.reviewer, None)
        else:
            last[opinion.reviewer] = opinion
    return list(last.values())


def standing(opinions: Sequence[Opinion], double_review: bool) -> Standing:
    """One vote decides, or two that agree. If they disagree, or a reviewer is unsure, an adjudicator decides."""
    valid = in_force(opinions)
    reviews = [opinion for opinion in valid if opinion.part == Part.REVIEW][:2]
    ruling = next((opinion for opinion in valid if opinion.part == Part.ADJUDICATION), None)
    first, second = (reviews[index].reviewer if len(reviews) > index else None for index in (0, 1))
    if ruling is not None:
        return Standing(State.DECIDED, Awaiting.NOBODY, ruling.verdict, first, second)
    if not reviews:
        return Standing(State.WAITING, Awaiting.REVIEW)
    if double_review and len(reviews) == 1:
        return Standing(State.SECOND, Awaiting.REVIEW, "", first)
    verdicts = {review.verdict for review in reviews}
    if len(verdicts) > 1 or Verdict.UNSURE in verdicts:
        return Standing(State.DISPUTED, Awaiting.ADJUDICATION, "", first, second)
    return Standing(State.DECIDED, Awaiting.NOBODY, reviews[0].verdict, first, second)
