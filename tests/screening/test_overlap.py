from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from core.records import Span
from screening.patterns.overlap import resolved

spans = st.builds(
    lambda start, length, name, score: Span(start, start + length, name, score),
    st.integers(0, 40),
    st.integers(1, 12),
    st.sampled_from(["a", "b"]),
    st.sampled_from([0.5, 0.7, 0.9]),
)


@given(st.lists(spans, max_size=15))
def test_the_surest_stay_and_none_overlap(candidates: list[Span]) -> None:
    kept = resolved(candidates)
    assert all(left.end <= right.start for left, right in pairwise(kept))
    assert set(kept) <= set(candidates)
    for lost in set(candidates) - set(kept):
        assert any(
            winner.start < lost.end and lost.start < winner.end and winner.score >= lost.score for winner in kept
        )


def test_surer_then_longer_wins() -> None:
    card, phone, name = Span(0, 19, "card", 0.8), Span(3, 15, "phone", 0.8), Span(14, 25, "name", 0.9)
    assert resolved([phone, card]) == [card]
    assert resolved([phone, card, name]) == [name]
    assert resolved([phone, Span(15, 16, "x", 0.5)]) == [phone, Span(15, 16, "x", 0.5)]
