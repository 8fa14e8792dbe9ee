"""The terms of a verdict are medical words, never somebody's name."""

from importlib.resources import files

import pytest

from classifiers.health import HealthModel
from core.records import HealthClass, HealthVerdict, Passages, Segment
from core.settings import RuleSettings
from pipelines.stages.asides import JudgedText
from pipelines.stages.judge import judge_candidates, settled
from screening.ruleset.ruleset import rules_of
from screening.screen import Screen

REST = "your results for diabetes mellitus and hypertension are back. Iris Colon, MRN 4417293, takes metformin."


@pytest.fixture(scope="module")
def model() -> HealthModel:
    return HealthModel.from_bytes((files("classifiers") / "data" / "health.model").read_bytes())


@pytest.fixture(scope="module")
def screen() -> Screen:
    return Screen(rules_of(RuleSettings()), b"k" * 32, evidence=50)


def terms_of(text: str, screen: Screen, model: HealthModel) -> tuple[str, ...]:
    (screening,) = screen.screen_each([([Segment("", text)], "/x")])
    ((verdict, _, _),) = judge_candidates([JudgedText(text, 0, len(text))], [screening.candidates], model)
    assert verdict.positive and "hypertension" in verdict.terms
    return verdict.terms


@pytest.mark.parametrize("name", ["Hodgkin", "Parkinson", "Crohn"])
def test_a_name_is_no_term(name: str, screen: Screen, model: HealthModel) -> None:
    text = f"Dear Mr. {name}, {REST}\n"
    assert not {name.casefold(), "iris", "colon"} & set(" ".join(terms_of(text, screen, model)).split())


def test_a_town_is_no_term(screen: Screen, model: HealthModel) -> None:
    text = f"Dear Mr. Sloan of Port Dover, ON N0A 1N0, {REST}\n"
    assert "port" not in " ".join(terms_of(text, screen, model)).split()


def test_a_label_is_no_term_next_to_diseases(screen: Screen, model: HealthModel) -> None:
    text = f"Dear Mr. Sloan, {REST} Health card number: 1234-567-897-AB. Dose: 500 mg.\n"
    assert "health card number" not in terms_of(text, screen, model)


def test_a_disease_is_a_term_even_if_somebody_is_called_like_it(screen: Screen, model: HealthModel) -> None:
    text = f"Dear Mr. Hodgkin, {REST} She may have hodgkin lymphoma.\n"
    assert "hodgkin" in " ".join(terms_of(text, screen, model))


@pytest.mark.parametrize(
    ("passages", "positive"),
    [(Passages(1, 1), True), (Passages(20, 1), False), (Passages(20, 15), True), (Passages(3, 0), False)],
)
def test_the_strongest_passage_of_many_must_be_surer(passages: Passages, positive: bool, model: HealthModel) -> None:
    verdict = HealthVerdict(1.0, passages.positive > 0, label=HealthClass.RECORD, threshold=1.2, passages=passages)
    decided = settled(verdict, model)
    assert decided.positive is positive
    assert (decided.threshold or 0.0) <= 1.2


def test_a_sure_passage_is_found_among_a_thousand(model: HealthModel) -> None:
    assert settled(HealthVerdict(1.0, True, threshold=2.0, passages=Passages(1_000, 1)), model).positive
