"""More referrals than the budget: a stratified draw, the same each time, with the probability of each."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.models import Kind, Referral, SamplePlan, State
from review.referrals.blind import make_blind
from review.referrals.draws import chances_in
from review.referrals.intake import Intake
from review.referrals.sampling import draw, draw_scan, shares_of
from tests.review.conftest import make_user
from tests.review.made_rows import facts, many
from tests.review.made_scans import count_scan, judge, rows

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
def test_a_draw_counts_by_what_was_judged_of_it(review_settings: Callable[..., None]) -> None:
    """The first files of a queue in the order of risk are no sample; those of a blind one are, less what is open."""
    review_settings(budget=24, double_review=0)
    made = rows(300)
    scan_id = count_scan(made)
    ann = make_user("ann", "reviewer")
    assert set(chances_in(scan_id).values()) == {""}
    draws = {draw: Fraction(draw[1]) for draw in chances_in(scan_id)}
    judge(ann, 11)
    assert "" in chances_in(scan_id).values()
    judge(ann)
    assert {draw: Fraction(chance) for draw, chance in chances_in(scan_id).items()} == draws
    left = [one for one in made if not one["rules"] and one["status"] == "complete"][:12]
    others = [{**one, "stratum": "screened negative", "probability": "12/80"} for one in left]
    Intake(facts(), Kind.NEGATIVE).take(others)
    make_blind(scan_id, 7)
    count_scan(made)
    judge(ann, 5)
    assert Fraction(chances_in(scan_id)["screened negative", "12/80"]) == Fraction(5, 80)
    review_settings(budget=0)
    larger = [{**one, "probability": "20/80"} for one in others]
    Intake(facts(), Kind.NEGATIVE).take(larger)
    Intake(facts(), Kind.NEGATIVE).take(others)
    assert set(Referral.objects.filter(kind=Kind.NEGATIVE).values_list("probability", flat=True)) == {"20/80"}


@pytest.mark.usefixtures("database_url")
def test_a_scan_within_the_budget_is_opened_whole(review_settings: Callable[..., None]) -> None:
    review_settings(budget=30)
    Intake(facts()).take(many(30))
    assert draw_scan("scan-1") == []
    assert set(Referral.objects.values_list("state", "probability")) == {(State.WAITING, "")}


@pytest.mark.usefixtures("database_url")
def test_what_was_drawn_before_the_budget_grew_is_no_draw_any_more(review_settings: Callable[..., None]) -> None:
    review_settings(budget=10)
    Intake(facts()).take(many(30))
    assert draw_scan("scan-1")
    review_settings(budget=30)
    assert draw_scan("scan-1") == []
    assert set(Referral.objects.values_list("state", "probability", "stratum")) == {(State.WAITING, "", "")}
