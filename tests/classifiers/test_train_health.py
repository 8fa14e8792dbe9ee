import hashlib
import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from classifiers.health import HealthModel
from classifiers.training.corpus import EVERYDAY, GENERAL, read_corpus, read_plainly
from classifiers.training.own_examples import own_examples
from classifiers.training.passages import passage_examples
from classifiers.training.train_health import Plan, TrainedHealth, fit, train_health, write_trained
from core.errors import ModelError
from tests.classifiers.small_corpus import everyday, note, write_small_corpus

PLAN = Plan(prototypes=20)


def no_passages(texts: Sequence[str]) -> list[list[str]]:
    return [[] for _ in texts]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    write_small_corpus(folder)
    return folder


@pytest.fixture(scope="module")
def trained(data: Path) -> TrainedHealth:
    return train_health(data, read_plainly, no_passages, PLAN, left_out=["nonhealth_speeches"])


def test_a_model_trained_on_little_tells_new_notes_from_new_everyday_text(trained: TrainedHealth) -> None:
    rng = random.Random(77)
    model = HealthModel.from_bytes(trained.model)
    assert all(verdict.positive for verdict in model.classify([note(rng) for _ in range(10)]))
    assert not any(verdict.positive for verdict in model.classify([everyday(rng) for _ in range(10)]))


def test_a_word_that_everyday_text_has_more_often_weighs_nothing(trained: TrainedHealth) -> None:
    model = HealthModel.from_bytes(trained.model)
    weight = dict(zip(model.concepts, model.weights.weight, strict=True))
    assert weight.get("doctor", 0.0) < 0.05
    assert weight["chief complaint"] > 0.9


def test_training_again_gives_the_same_bytes(data: Path, trained: TrainedHealth) -> None:
    examples = [*read_corpus(data, read_plainly), *own_examples()]
    examples += passage_examples(examples, no_passages)
    assert fit([example for example in examples if not example.is_held_out], PLAN) == trained.model


def test_figures_are_of_what_was_held_out(trained: TrainedHealth) -> None:
    assert (
        trained.figures.auc_all > 0.9
    )  # a handful of prototypes against examples of our own that were chosen to be hard
    held_out = {group.name: group.examples for group in trained.figures.groups}
    assert 0 < held_out["nonhealth_speeches"] < 24
    assert {group.name: group.examples for group in trained.unseen}["nonhealth_speeches"] == 24


def test_model_and_card_are_written_side_by_side(tmp_path: Path, trained: TrainedHealth) -> None:
    card = write_trained(trained, tmp_path / "health.model")
    assert card == tmp_path / "health_model.md"
    assert (tmp_path / "health.model").read_bytes() == trained.model
    assert hashlib.sha256(trained.model).hexdigest() in card.read_text(encoding="utf-8")
    assert f"{trained.figures.auc_general:.4f}" in card.read_text(encoding="utf-8")


def test_no_sentence_of_the_training_text_is_in_the_model(trained: TrainedHealth) -> None:
    model = HealthModel.from_bytes(trained.model)
    assert not any("talked about" in concept or "visit1" in concept for concept in model.concepts)


def test_data_without_records_is_refused(data: Path) -> None:
    with pytest.raises(ModelError, match="hardly a record"):
        fit([example for example in read_corpus(data, read_plainly) if example.kind in (GENERAL, EVERYDAY)], PLAN)


def test_further_sets_are_learned_from(data: Path, tmp_path: Path) -> None:
    rows = [json.dumps({"text": note(random.Random(number))}) + "\n" for number in range(30)]
    (tmp_path / "note-clinic.jsonl").write_text("".join(rows), encoding="utf-8")
    trained = train_health(data, read_plainly, no_passages, PLAN, also=tmp_path, left_out=[])
    model = HealthModel.from_bytes(trained.model)
    assert any(name.startswith("further:clinic/note-") for name in model.content.names)
    assert model.content.passages is not None
    assert any(name.startswith("passages:further:clinic/note-") for name in model.content.passages.names)
