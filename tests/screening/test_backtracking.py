import re

import pytest

from screening.backtracking import attacks, slow_patterns


def test_only_the_catastrophic_ones_are_named() -> None:
    slow = slow_patterns(
        {
            "nested": (r"(?:a{1,30}){1,13}b", 0),
            "plain": (r"\b\d{3}-\d{4}\b", int(re.ASCII)),
            "alternatives": (r"(?:a|aa|ab|b){1,90}c", 0),
            "words": (r"\b(?:[A-Z][a-z]{1,20} ){1,5}St\b", int(re.ASCII)),
            "spaces": (r"x(?: {1,40}){1,9}y", 0),
        }
    )
    assert set(slow) == {"nested", "alternatives", "spaces"}
    assert "backtracks" in slow["nested"]


@pytest.mark.parametrize(
    "pattern",
    [r"(?:[^|]{0,9}\|){2,3}", r"(?:x|[0-9]{2,3}){2,4}", r"[^\W\d]{1,9}(?=z).{0,4}", r"(?P<value>\s{0,3}[-.]){2,4}"],
)
def test_every_repetition_is_attacked(pattern: str) -> None:
    made = list(attacks(pattern, 0))
    assert made
    assert all(len(set(attack)) > 1 and attack.endswith("\x01") for attack in made)
