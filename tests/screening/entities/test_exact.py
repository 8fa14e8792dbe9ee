"""The model in numpy against python-crfsuite on the very same weights: labels and probabilities must agree."""

from functools import cache
from pathlib import Path

import numpy as np
import pycrfsuite
import pytest

from screening.entities.attributes import described
from screening.entities.model import EntityModel
from screening.entities.reading import read
from screening.entities.vocabulary import Vocabulary
from screening.entities.weights import packed, unpacked
from screening.training.fit import Describer, from_crfsuite
from screening.training.labelled import Labelled, Marked
from screening.training.layouts import SHIPPED_LAYOUTS, read_layouts, written
from screening.training.people import Crowd

GAZETTEER = {
    "john": 0b11,
    "smith": 0b1100,
    "paris": 64,
    "the": 7 << 9,
    "patient": 4 << 9,
    "seen": 3 << 9,
    "hope": (5 << 9) | 1,
    "hill": (4 << 9) | 4,
}
CHAT = ["We agreed on the plan.", "The lungs are clear."]
ODD_TEXTS = [
    "",
    "\n\n",
    "x",
    "Dr. O'Brien-Smith saw JOHN SMITH\tin Paris.\n\n" * 9,
    "word " * 150,
    "Zoë Ñandú ² ٣ 😀",
    "A" * 100,
]


@pytest.fixture(scope="module")
def texts() -> list[Labelled]:
    crowd = Crowd(1, GAZETTEER, ["Paris", "Red Deer"])
    layouts = read_layouts(SHIPPED_LAYOUTS)
    return [written(layout, crowd, CHAT, CHAT) for layout in layouts[::2]]


@pytest.fixture(scope="module")
def trained(texts: list[Labelled], tmp_path_factory: pytest.TempPathFactory) -> str:
    path = str(tmp_path_factory.mktemp("crf") / "small.crfsuite")
    describer = Describer(GAZETTEER, seed=3)
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", params={"c1": 0.01, "c2": 0.1, "max_iterations": 15}, verbose=False)
    for each in texts:
        for attributes, labels in describer.sentences(each):
            trainer.append(attributes, labels)
    trainer.train(path)
    return path


@cache
def tagger_of(path: str) -> pycrfsuite.Tagger:
    tagger = pycrfsuite.Tagger()
    tagger.open(path)
    return tagger


def reference(path: str, text: str) -> tuple[list[str], np.ndarray]:
    """What python-crfsuite says: its labels, and its probabilities in the order of the sorted labels."""
    tagger = tagger_of(path)
    names = sorted(tagger.labels())
    vocabulary = Vocabulary(GAZETTEER)
    reading = read([text], vocabulary)
    places = list(described(reading))
    labels: list[str] = []
    chances: list[list[float]] = []
    for start, length in zip(reading.sentence_starts.tolist(), reading.sentence_lengths.tolist(), strict=True):
        labels += tagger.tag(places[start : start + length])
        chances += [[tagger.marginal(name, place) for name in names] for place in range(length)]
    return labels, np.array(chances, dtype=np.float64).reshape(len(labels), len(names))


def test_equals_crfsuite(texts: list[Labelled], trained: str) -> None:
    model = EntityModel(from_crfsuite(trained, GAZETTEER, {}))
    for text in [*ODD_TEXTS, *(each.text for each in texts)]:
        _, expected = reference(trained, text)
        _, chances = model.probabilities(text, everywhere=True)
        assert chances.shape == expected.shape
        assert np.abs(chances - expected).max(initial=0.0) < 1e-4


def test_the_likeliest_labels_are_those_of_crfsuite(texts: list[Labelled], trained: str) -> None:
    model = EntityModel(from_crfsuite(trained, GAZETTEER, {}))
    same = total = 0
    for each in texts:
        labels, _ = reference(trained, each.text)
        _, chances = model.probabilities(each.text, everywhere=True)
        mine = [model.labels[place] for place in chances.argmax(axis=1)]
        same += sum(left == right for left, right in zip(mine, labels, strict=True))
        total += len(labels)
    assert same >= 0.98 * total  # the likeliest label of a place need not lie on the likeliest path


def test_words_met_in_other_texts_change_nothing(texts: list[Labelled], trained: str) -> None:
    weights = from_crfsuite(trained, GAZETTEER, {})
    used = EntityModel(weights)
    for each in texts:
        used.probabilities(each.text)
    for each in texts[:10]:
        np.testing.assert_allclose(
            used.probabilities(each.text)[1], EntityModel(weights).probabilities(each.text)[1], atol=1e-6
        )


def test_survives_packing(texts: list[Labelled], trained: str) -> None:
    weights = from_crfsuite(trained, GAZETTEER, {"points": {"any": {"any": 0.5}}})
    raw = packed(weights)
    assert packed(weights) == raw
    again = unpacked(raw)
    assert again.gazetteer == GAZETTEER
    assert again.about == weights.about
    for each in texts[:20]:
        before, after = EntityModel(weights).probabilities(each.text)[1], EntityModel(again).probabilities(each.text)[1]
        assert np.abs(before - after).max() < 0.02


def test_marks_cover_their_words() -> None:
    text = "Dr. Ann Lee-Poe left."
    each = Labelled("k", "g", text, (Marked(4, 15, "PER"),))
    labels = [label for _, labels in Describer({}, seed=1).sentences(each) for label in labels]
    assert labels == ["O", "O", "PER", "PER", "PER", "PER", "O", "O"]


def test_same_file_whoever_unpacks(trained: str, tmp_path: Path) -> None:
    raw = packed(from_crfsuite(trained, GAZETTEER, {}))
    (tmp_path / "model").write_bytes(raw)
    assert unpacked((tmp_path / "model").read_bytes()).sha256 == unpacked(raw).sha256
