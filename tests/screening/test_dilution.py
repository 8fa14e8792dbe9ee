from pathlib import Path

import pytest

from classifiers.health import HealthModel
from screening.ruleset.ruleset import load_rules
from screening.screen import Screen

MESSAGE = "Hi, Trevor Lindqvist was diagnosed with bipolar disorder last week and is on lithium, please cover for him."
ORDINARY = "We believe that the roads of the county should be mended before winter, and that the budget allows it. " * 6


@pytest.mark.parametrize("paragraphs", [1, 5, 50])
def test_a_message_amid_ordinary_paragraphs_is_judged_by_itself(paragraphs: int) -> None:
    amid = "\n\n".join([*[ORDINARY] * paragraphs, MESSAGE, *[ORDINARY] * paragraphs])
    screen = Screen(load_rules(), b"k" * 32)
    (alone,), (passages,) = screen.passages_of_each([MESSAGE]), screen.passages_of_each([amid])
    assert [passage.strip() for passage in passages] == [passage.strip() for passage in alone]


def test_so_it_is_referred() -> None:
    model = HealthModel.from_bytes(Path("classifiers/data/health.model").read_bytes())
    amid = f"{ORDINARY}\n\n{MESSAGE}\n\n{ORDINARY}"
    (passages,) = Screen(load_rules(), b"k" * 32).passages_of_each([amid])
    assert any(verdict.positive for verdict in model.classify_passages(passages))
