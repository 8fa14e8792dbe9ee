"""Draws depend on seed and name alone and never change; an allocation is exactly the budget, and grows with it."""

import heapq
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.draw import Reservoir, allocate, chance, scan_numbers

URIS = [f"/share/{number}" for number in range(200)]
SIZES = st.dictionaries(st.text(max_size=3), st.integers(1, 1_000), min_size=1, max_size=8)


def reservoir(uris: list[str], count: int, seed: int) -> Reservoir:
    made = Reservoir(count, seed)
    for uri in uris:
        made.offer(uri)
    return made


def test_draws_on_record_never_change() -> None:
    """Drawn by the versions before: the same seed draws the same files."""
    numbers = np.frombuffer(scan_numbers(7, URIS), dtype="<u8")
    assert sorted(np.argsort(numbers)[:5].tolist()) == [20, 80, 82, 154, 178]
    assert reservoir(URIS, 5, 7).drawn() == ["/share/78", "/share/131", "/share/51", "/share/151", "/share/96"]
    by_chance = sorted(URIS, key=lambda uri: chance(7, "draw", uri))
    assert by_chance[:5] == ["/share/196", "/share/78", "/share/44", "/share/120", "/share/188"]


@given(st.lists(st.text(max_size=5), unique=True, max_size=40), st.integers(0, 50), st.integers())
def test_a_reservoir_depends_on_no_order_and_a_larger_one_holds_the_smaller(
    uris: list[str], count: int, seed: int
) -> None:
    small, turned, large = (
        reservoir(uris, count, seed),
        reservoir(uris[::-1], count, seed),
        reservoir(uris, count + 5, seed),
    )
    assert small.drawn() == turned.drawn() == large.drawn()[:count]
    assert len(small.drawn()) == min(count, len(uris))
    assert small.offered == len(uris)


def test_a_name_that_is_not_utf_8_is_drawn() -> None:
    assert reservoir(["/a\udcff"], 1, 1).drawn() == ["/a\udcff"]
    assert len(scan_numbers(1, ["/a\udcff", "/b"])) == 16
    assert 0 <= chance(1, "/a\udcff") < 1


@given(SIZES, st.integers(1, 5_000), st.integers(0, 10))
def test_the_budget_is_drawn_exactly_where_there_are_enough_files(
    sizes: dict[str, int], budget: int, at_least: int
) -> None:
    shares = allocate(sizes, budget, at_least)
    least = {name: min(size, at_least) for name, size in sizes.items()}
    assert shares.keys() == sizes.keys()
    assert all(least[name] <= shares[name] <= sizes[name] for name in sizes)
    assert sum(shares.values()) == max(sum(least.values()), min(budget, sum(sizes.values())))


@given(SIZES, st.integers(1, 3_000), st.integers(1, 30), st.integers(0, 4))
def test_a_larger_budget_never_draws_less_of_a_stratum(
    sizes: dict[str, int], budget: int, more: int, at_least: int
) -> None:
    shares, larger = allocate(sizes, budget, at_least), allocate(sizes, budget + more, at_least)
    assert all(shares[name] <= larger[name] for name in sizes)


@given(SIZES, st.integers(1, 300), st.integers(0, 4))
def test_files_are_given_one_by_one_to_whoever_has_most_left_for_each(
    sizes: dict[str, int], budget: int, at_least: int
) -> None:
    expected = {name: min(size, at_least) for name, size in sizes.items()}
    left = {name: size - expected[name] for name, size in sizes.items()}
    extra = dict.fromkeys(sizes, 0)
    for _ in range(min(budget, sum(sizes.values())) - sum(expected.values())):
        (first,) = heapq.nsmallest(1, sizes, key=lambda name: (-Fraction(left[name], 2 * extra[name] + 1), name))
        extra[first] += 1
    assert allocate(sizes, budget, at_least) == {name: count + extra[name] for name, count in expected.items()}


@pytest.mark.parametrize(
    ("sizes", "budget", "shares"),
    [
        ({"a": 1, "b": 999}, 100, {"a": 1, "b": 99}),
        ({"high": 100, "low": 100, "medium": 100}, 30, {"high": 10, "low": 10, "medium": 10}),
        ({"a": 5, "b": 5}, 20, {"a": 5, "b": 5}),
        ({"a": 5, "b": 5, "c": 5}, 3, {"a": 2, "b": 2, "c": 2}),
    ],
)
def test_allocations(sizes: dict[str, int], budget: int, shares: dict[str, int]) -> None:
    assert allocate(sizes, budget, 2) == shares
