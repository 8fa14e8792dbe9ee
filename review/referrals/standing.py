"""The votes of one round -> where the referral stands: whose turn it is, or what was decided."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from review.models import Part, State, Verdict, Wants


@dataclass(frozen=True, slots=True)
class Opinion:
    """A vote without its row; opinions come in the order of their votes."""

    reviewer: int
    part: str
    verdict: str


@dataclass(frozen=True, slots=True)
class Standing:
    state: State
    wants: Wants
    decision: str = ""
    first: int | None = None
    second: int | None = None


def in_force(opinions: Iterable[Opinion]) -> list[Opinion]:
    """The last opinion of each person, unless it was withdrawn, in the order in which they first spoke."""
    last: dict[int, Opinion] = {}
    for opinion in opinions:
        if opinion.verdict == Verdict.WITHDRAWN:
            last.pop(opinion.reviewer, None)
        else:
            last[opinion.reviewer] = opinion
    return list(last.values())


def standing(opinions: Sequence[Opinion], double: bool) -> Standing:
    """One vote decides, or two that agree; where they do not, or nobody was sure, an adjudicator's vote does."""
    valid = in_force(opinions)
    reviews = [each for each in valid if each.part == Part.REVIEW][:2]
    ruling = next((each for each in valid if each.part == Part.ADJUDICATION), None)
    first, second = (reviews[index].reviewer if len(reviews) > index else None for index in (0, 1))
    if ruling is not None:
        return Standing(State.DECIDED, Wants.NOBODY, ruling.verdict, first, second)
    if not reviews:
        return Standing(State.WAITING, Wants.REVIEW)
    if double and len(reviews) == 1:
        return Standing(State.SECOND, Wants.REVIEW, "", first)
    verdicts = {each.verdict for each in reviews}
    if len(verdicts) > 1 or Verdict.UNSURE in verdicts:
        return Standing(State.DISPUTED, Wants.ADJUDICATION, "", first, second)
    return Standing(State.DECIDED, Wants.NOBODY, reviews[0].verdict, first, second)
