"""More referrals than the budget: a stratified draw, the same each time, with the probability of each."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.models import Referral, SamplePlan, State
from review.referrals.intake import Intake
from review.referrals.sampling import draw, draw_scan, shares_of
from tests.review.made_rows import facts, many

ids = st.sets(st.text("abcdef0123456789", min_size=8, max_size=8), min_size=1, max_size=60)


@given(st.dictionaries(st.sampled_from(["high", "medium", "low"]), ids, min_size=1), st.integers(1, 100), st.integers())
def test_a_draw_is_stratified_repeatable_and_grows(strata: dict[str, set[str]], budget: int, seed: int) -> None:
    frame = {name: sorted(members) for name, members in strata.items()}
    sizes = {name: len(members) for name, members in frame.items()}
    shares = shares_of(sizes, budget, seed, None)
    drawn = draw(frame, shares, seed)
    assert drawn == draw({name: list(reversed(members)) for name, members in frame.items()}, shares, seed)
    assert sum(map(len, drawn.values())) == max(
        sum(min(2, size) for size in sizes.values()), min(budget, sum(sizes.values()))
    )
    for name, members in frame.items():
        assert set(drawn[name]) <= set(members)
        assert len(drawn[name]) >= min(2, len(members))
    larger = draw(frame, shares_of(sizes, budget + 10, seed, None), seed)
    assert all(set(drawn[name]) <= set(larger[name]) for name in frame)


@pytest.mark.usefixtures("database_url")
def test_a_scan_beyond_the_budget_is_sampled(review_settings: Callable[..., None]) -> None:
    review_settings(budget=30)
    Intake(facts()).take(many(300))
    assert not Referral.objects.exclude(state=State.UNSAMPLED).exists()
    (plan,) = draw_scan("scan-1")
    opened = Referral.objects.filter(state=State.WAITING)
    assert Counter(opened.values_list("risk", flat=True)) == {"high": 10, "medium": 10, "low": 10}
    assert {Fraction(each) for each in opened.values_list("probability", flat=True)} == {Fraction(1, 10)}
    assert plan.strata == {f"general/{risk}": [10, 100] for risk in ("high", "medium", "low")}
    before = set(opened.values_list("pk", flat=True))
    Intake(facts()).take(many(300))
    draw_scan("scan-1")
    assert set(opened.values_list("pk", flat=True)) == before
    assert SamplePlan.objects.count() == 1


@pytest.mark.usefixtures("database_url")
def test_a_plan_on_record_is_drawn_again_as_it_was(review_settings: Callable[..., None]) -> None:
    """An earlier version rounded otherwise; what it opened stays what is drawn, until the budget changes."""
    review_settings(budget=30)
    Intake(facts()).take(many(300))
    (plan,) = draw_scan("scan-1")
    older = {"general/high": [11, 100], "general/low": [9, 100], "general/medium": [9, 100]}
    SamplePlan.objects.update(strata=older)
    (again,) = draw_scan("scan-1")
    assert again.strata == older
    review_settings(budget=60)
    (larger,) = draw_scan("scan-1")
    assert larger.pk == plan.pk
    assert {stratum: drawn for stratum, (drawn, _) in larger.strata.items()} == dict.fromkeys(older, 20)


@pytest.mark.usefixtures("database_url")
def test_a_scan_within_the_budget_is_opened_whole(review_settings: Callable[..., None]) -> None:
    review_settings(budget=30)
    Intake(facts()).take(many(30))
    assert draw_scan("scan-1") == []
    assert set(Referral.objects.values_list("state", "probability")) == {(State.WAITING, "")}
