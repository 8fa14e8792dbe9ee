import random

import numpy as np
import pytest
from scipy import sparse

from classifiers.container import pack
from classifiers.health import HealthModel
from classifiers.model_content import write_content
from classifiers.model_file import shipped_model
from classifiers.training.reviews import Reviewed, learn_from_reviews, preview
from tests.classifiers.small_corpus import everyday, note

MODEL = HealthModel.from_bytes(shipped_model())


def form(rng: random.Random) -> str:
    """A kind of file that the shipped model takes for text about no person."""
    illness, drug = (
        rng.choice(["asthma", "gout", "epilepsy", "migraine"]),
        rng.choice(["ibuprofen", "prednisone", "insulin"]),
    )
    return (
        f"Group for people with {illness}. People with {illness} may come on Mondays. Symptoms of {illness} "
        f"can be treated with {drug}. "
        f"What is {illness}? Ask your doctor. Members who use {drug} should bring it. Risk factors include "
        f"smoking and obesity."
    )


def reviewed(text: str, phi: bool, number: int) -> Reviewed:
    return Reviewed(f"/share/{number}.txt", MODEL.vectors(text), phi)


def test_verified_files_become_prototypes_and_change_the_verdict_on_their_kind() -> None:
    rng = random.Random(5)
    texts = [form(rng) for _ in range(12)]
    assert not any(verdict.positive for verdict in MODEL.classify(texts))
    content = learn_from_reviews(MODEL.content, [reviewed(text, True, number) for number, text in enumerate(texts[:6])])
    learned = HealthModel.from_bytes(pack(write_content(content)))
    assert all(verdict.positive for verdict in learned.classify(texts[6:]))
    assert learned.content.version == MODEL.content.version + 1
    (verdict,) = learned.classify([texts[6]])
    assert verdict.nearest[0].prototype.startswith("reviewed-2/phi-")
    assert not any(verdict.positive for verdict in learned.classify([everyday(rng) for _ in range(5)]))


def test_files_referred_in_vain_become_negatives() -> None:
    rng = random.Random(6)
    texts = [note(rng) for _ in range(12)]
    assert all(verdict.positive for verdict in MODEL.classify(texts))
    content = learn_from_reviews(
        MODEL.content, [reviewed(text, False, number) for number, text in enumerate(texts[:6])]
    )
    assert sum(verdict.positive for verdict in HealthModel(content, "").classify(texts[6:])) < len(texts[6:])
    assert np.count_nonzero(content.classes >= 2) > np.count_nonzero(MODEL.content.classes >= 2)


def test_a_preview_never_judges_a_file_by_itself() -> None:
    rng = random.Random(7)
    forms = [reviewed(form(rng), True, number) for number in range(8)]
    alone = preview(MODEL.content, forms[:1])
    assert [(change.before, change.after) for change in alone] == [(False, False)]
    together = preview(MODEL.content, forms)
    assert [change.before for change in together] == [False] * 8
    assert all(change.after for change in together)


def test_a_file_without_medical_terms_teaches_nothing() -> None:
    blank = reviewed("The weather is fine.", True, 1)
    assert blank.vectors.shape[0] == 0
    learned = learn_from_reviews(MODEL.content, [blank])
    assert learned.names == MODEL.content.names
    assert [change.after for change in preview(MODEL.content, [blank])] == [False]


def test_no_files_teach_nothing() -> None:
    assert preview(MODEL.content, []) == []
    assert learn_from_reviews(MODEL.content, []).names == MODEL.content.names


def test_the_model_keeps_vectors_and_no_text() -> None:
    text = form(random.Random(8)) + " Zebrastripe Quillfeather"
    raw = pack(write_content(learn_from_reviews(MODEL.content, [reviewed(text, True, 1)])))
    content = HealthModel.from_bytes(raw).content
    stored = " ".join([*content.names, *(term.concept for term in content.terms)]).lower()
    assert "quillfeather" not in stored
    assert "group for people" not in stored
    assert "/share/" not in stored
    assert sparse.issparse(content.vectors)


@pytest.mark.parametrize("count", [1, 4])
def test_learning_is_reproducible(count: int) -> None:
    rng = random.Random(9)
    some = [reviewed(note(rng), number % 2 == 0, number) for number in range(count)]
    first, second = (pack(write_content(learn_from_reviews(MODEL.content, some))) for _ in range(2))
    assert first == second
