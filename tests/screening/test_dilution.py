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


def test_a_medical_word_here_and_there_does_not_make_a_long_paragraph_medical() -> None:
    speech = f"{ORDINARY}Our strength and vitality grow, and surgery of the budget must follow the infection of debt."
    screen = Screen(load_rules(), b"k" * 32)
    (passages,) = screen.passages_of_each([f"{speech}\n\n{MESSAGE}\n\n{speech}"])
    assert [passage for passage in passages if "bipolar" in passage and "budget" not in passage]


def test_a_diagnosis_in_one_row_of_a_table_of_orders_is_judged_by_itself() -> None:
    rows = [f"{number},Ann Fraser,Leeds,lamp,paid by card and delivered" for number in range(40)]
    rows[20] = "20,Marianne Oduya,Leeds,blanket,has heart failure and diabetes; furosemide 40 mg"
    (passages,) = Screen(load_rules(), b"k" * 32).passages_of_each(["id,name,city,bought,remark\n" + "\n".join(rows)])
    (telling,) = [passage for passage in passages if "furosemide" in passage]
    assert "lamp" not in telling
