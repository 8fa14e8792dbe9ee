"""Values are converted without guessing, and a fault is named with its remedy."""

import math
from typing import Any

import pytest

from core.checks import converted, did_you_mean, out_of_bounds


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        ("a", str, "a"),
        (3, int, 3),
        (3.0, int, 3),
        (3, float, 3.0),
        (True, bool, True),
        (["a", "b"], tuple, ("a", "b")),
        ({"a": 1}, dict, {"a": 1}),
    ],
)
def test_values_of_a_file(value: Any, kind: type, expected: Any) -> None:
    result = converted(value, kind)
    assert (result, type(result)) == (expected, type(expected))


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (3, str),
        ("3", int),
        (3.5, int),
        (math.inf, int),
        (True, int),
        (True, float),
        (1, bool),
        ("a,b", tuple),
        ([1], tuple),
    ],
)
def test_a_file_must_say_what_it_means(value: Any, kind: type) -> None:
    with pytest.raises(ValueError):
        converted(value, kind)


def test_text_stands_for_any_kind_where_there_is_only_text() -> None:
    texts = [("1_000", int), ("0.5", float), ("No", bool), ("a, b,", tuple), ("3", str)]
    assert [converted(text, kind, from_text=True) for text, kind in texts] == [1000, 0.5, False, ("a", "b"), "3"]
    for text, kind in [("x", int), ("1.5", int), ("maybe", bool)]:
        with pytest.raises(ValueError):
            converted(text, kind, from_text=True)


def test_bounds_and_choices() -> None:
    assert out_of_bounds(5, 0, 5, ()) == out_of_bounds("on", None, None, ("on", "off")) == ""
    assert out_of_bounds(-1, 0, 5, ()).endswith("at least 0; the nearest valid value is 0")
    assert out_of_bounds(6, 0, 5, ()).endswith("at most 5; the nearest valid value is 5")
    assert out_of_bounds("of", None, None, ("on", "off")) == "is 'of', but must be one of on, off; did you mean 'off'?"


def test_nothing_is_suggested_where_nothing_is_known() -> None:
    assert did_you_mean("patern", ["score", "pattern"]) == "; did you mean 'pattern'?"
    assert did_you_mean("patern", []) == ""
