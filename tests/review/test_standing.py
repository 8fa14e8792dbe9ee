"""The votes of a round decide its standing, whatever their order and however often somebody changes their mind."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.models import Awaiting, State, Verdict
from review.referrals.standing import Opinion, in_force, standing

PHI, NOT, UNSURE, CANNOT, BACK = Verdict.PHI, Verdict.NOT_PHI, Verdict.UNSURE, Verdict.CANNOT_TELL, Verdict.WITHDRAWN


@pytest.mark.parametrize(
    ("votes", "double", "state", "decision"),
    [
        ([], True, State.WAITING, ""),
        ([(1, PHI)], False, State.DECIDED, PHI),
        ([(1, CANNOT)], False, State.DECIDED, CANNOT),
        ([(1, UNSURE)], False, State.DISPUTED, ""),
        ([(1, PHI)], True, State.SECOND, ""),
        ([(1, UNSURE)], True, State.SECOND, ""),
        ([(1, PHI), (2, PHI)], True, State.DECIDED, PHI),
        ([(1, PHI), (2, NOT)], True, State.DISPUTED, ""),
        ([(1, UNSURE), (2, UNSURE)], True, State.DISPUTED, ""),
        ([(1, PHI), (2, NOT), (2, PHI)], True, State.DECIDED, PHI),
        ([(1, PHI), (1, BACK)], True, State.WAITING, ""),
        ([(1, PHI), (1, BACK), (1, NOT)], False, State.DECIDED, NOT),
        ([(1, PHI), (2, PHI), (2, BACK)], True, State.SECOND, ""),
    ],
)
def test_reviewers_decide(votes: list[tuple[int, Verdict]], double: bool, state: State, decision: str) -> None:
    now = standing([Opinion(who, "review", verdict) for who, verdict in votes], double)
    assert (now.state, now.decision) == (state, decision)


@pytest.mark.parametrize("ruling", [PHI, NOT, UNSURE, CANNOT])
def test_an_adjudicator_has_the_last_word(ruling: Verdict) -> None:
    votes = [Opinion(1, "review", PHI), Opinion(2, "review", NOT), Opinion(3, "adjudication", ruling)]
    now = standing(votes, True)
    assert (now.state, now.decision, now.first, now.second) == (State.DECIDED, ruling, 1, 2)


opinions = st.lists(
    st.builds(Opinion, st.integers(1, 4), st.just("review"), st.sampled_from(list(Verdict))), max_size=12
)


@given(opinions, st.booleans())
def test_somebody_is_wanted_exactly_until_there_is_a_decision(votes: list[Opinion], double: bool) -> None:
    now = standing(votes, double)
    assert (now.awaiting == Awaiting.NOBODY) == (now.state == State.DECIDED) == bool(now.decision)
    assert now.decision != BACK
    assert (now.first is None or now.first != now.second) and (now.second is None or now.first is not None)


@given(opinions)
def test_each_person_has_one_opinion_at_most(votes: list[Opinion]) -> None:
    valid = in_force(votes)
    assert len({each.reviewer for each in valid}) == len(valid)
    for each in valid:
        assert [vote for vote in votes if vote.reviewer == each.reviewer][-1] == each
