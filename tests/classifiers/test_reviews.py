import random
from pathlib import Path

import numpy as np
import pytest

from classifiers.container import pack
from classifiers.health import HealthModel
from classifiers.model_content import PERSONAL_CLASSES, HealthContent, write_content
from classifiers.model_file import shipped_model
from classifiers.passages import PassageContent
from classifiers.training.reviews import MOST_OF_A_FILE, Reviewed, learn_from_reviews, lessons_of, preview
from tests.classifiers.small_corpus import everyday, note

MODEL = HealthModel.from_bytes(shipped_model())
SAMPLES = Path(__file__).parents[1] / "samples" / "health"
OLDER = HealthModel.from_bytes((SAMPLES / "without_passages.model").read_bytes())


def greeting(rng: random.Random) -> str:
    """A kind of passage that the shipped model takes for text about no person."""
    illness, drug = (
        rng.choice(["asthma", "gout", "epilepsy", "anemia"]),
        rng.choice(["ibuprofen", "prednisone", "insulin"]),
    )
    return (
        f"Hello persontoken! What is {illness}? {illness.title()} is a disease that affects many people. Symptoms of "
        f"{illness} can vary. Most people with {illness} are treated with {drug}. Risk factors include smoking and "
        f"obesity. Ask your doctor about {drug}. There are lectures on the prevention of {illness} every Monday."
    )


def record(rng: random.Random) -> str:
    return f"Patient: subjecttoken\n{note(rng)}"


def reviewed(passages: str | list[str], phi: bool, number: int = 1, model: HealthModel = MODEL) -> Reviewed:
    texts = [passages] if isinstance(passages, str) else passages
    return Reviewed(f"/share/{number}.txt", model.passage_vectors(texts), phi)


def positive(model: HealthModel, texts: list[str]) -> list[bool]:
    return [verdict.positive for verdict in model.classify_passages(texts)]


def passages_of(content: HealthContent) -> PassageContent:
    assert content.passages is not None
    return content.passages


def test_verified_passages_become_prototypes_and_change_the_verdict_on_their_kind() -> None:
    rng = random.Random(5)
    texts = [greeting(rng) for _ in range(12)]
    assert not any(positive(MODEL, texts))
    content = learn_from_reviews(MODEL.content, [reviewed(text, True, number) for number, text in enumerate(texts[:6])])
    learned = HealthModel.from_bytes(pack(write_content(content)))
    assert all(positive(learned, texts[6:]))
    assert learned.content.version == MODEL.content.version + 1
    (verdict,) = learned.classify_passages([texts[6]])
    assert verdict.nearest[0].prototype.startswith(f"reviewed-{learned.content.version}/phi-")
    assert not any(positive(learned, [everyday(rng) for _ in range(5)]))


def test_learning_leaves_the_judgement_of_whole_documents_alone() -> None:
    rng = random.Random(5)
    learned = learn_from_reviews(MODEL.content, [reviewed(greeting(rng), True)])
    assert learned.names == MODEL.content.names
    assert learned.threshold == MODEL.content.threshold
    assert (learned.vectors != MODEL.content.vectors).nnz == 0


def test_passages_referred_in_vain_become_negatives() -> None:
    rng = random.Random(6)
    texts = [record(rng) for _ in range(12)]
    assert all(positive(MODEL, texts))
    content = learn_from_reviews(
        MODEL.content, [reviewed(text, False, number) for number, text in enumerate(texts[:6])]
    )
    assert not any(positive(HealthModel(content, ""), texts[6:]))
    before, after = passages_of(MODEL.content).classes, passages_of(content).classes
    assert np.count_nonzero(after >= PERSONAL_CLASSES) > np.count_nonzero(before >= PERSONAL_CLASSES)
    assert np.count_nonzero(after < PERSONAL_CLASSES) == np.count_nonzero(before < PERSONAL_CLASSES)


def test_copies_do_not_vouch_for_each_other() -> None:
    """Of one text that is reviewed five times nothing is learned for itself."""
    text = greeting(random.Random(21))
    assert not any(positive(MODEL, [text]))
    changes = preview(MODEL.content, [reviewed(text, True, number) for number in range(5)])
    assert not any(change.after for change in changes)


def test_of_one_class_only_phi_teaches() -> None:
    rng = random.Random(7)
    files = [reviewed(record(rng), False, 1), reviewed(greeting(rng), True, 2)]
    alone = learn_from_reviews(MODEL.content, files[1:])
    of_one_class = learn_from_reviews(MODEL.content, files, one_class=True)
    for name in ("prototypes", "classes"):
        assert np.array_equal(getattr(passages_of(of_one_class), name), getattr(passages_of(alone), name))
    assert len(preview(MODEL.content, files, one_class=True)) == 2


def test_phi_teaches_by_its_strongest_passage_alone() -> None:
    rng = random.Random(12)
    strong, weak = record(rng), greeting(rng)
    lessons = lessons_of(MODEL.content, [reviewed([weak, strong, weak], True)])
    assert lessons.vectors.tolist() == MODEL.passage_vectors([strong]).tolist()
    assert (lessons.label < PERSONAL_CLASSES).all()


def test_what_is_no_phi_teaches_by_all_passages_that_were_referred() -> None:
    rng = random.Random(13)
    strong = [record(rng) for _ in range(3)]
    lessons = lessons_of(MODEL.content, [reviewed([*strong, greeting(rng)], False)])
    assert sorted(lessons.vectors.tolist()) == sorted(MODEL.passage_vectors(strong).tolist())
    assert (lessons.label >= PERSONAL_CLASSES).all()


def test_what_is_no_phi_and_was_not_referred_teaches_by_its_strongest_passage() -> None:
    rng = random.Random(13)
    lessons = lessons_of(MODEL.content, [reviewed([greeting(rng) for _ in range(3)], False)])
    assert len(lessons.label) == 1


def test_a_long_table_teaches_no_more_than_some_of_its_rows() -> None:
    rng = random.Random(14)
    rows = reviewed([record(rng) for _ in range(MOST_OF_A_FILE + 5)], False, 1)
    other = reviewed(record(rng), False, 2)
    lessons = lessons_of(MODEL.content, [rows, other])
    assert np.bincount(lessons.file).tolist() == [MOST_OF_A_FILE, 1]


def test_a_few_files_count_more_than_once_and_many_once() -> None:
    rng = random.Random(15)
    few, many = (
        learn_from_reviews(MODEL.content, [reviewed(greeting(rng), True, number) for number in range(count)])
        for count in (2, 400)
    )
    before = passages_of(MODEL.content)
    assert len(passages_of(few).names) - len(before.names) == 2 * ((before.neighbours + 1) // 2)
    assert len(passages_of(many).names) - len(before.names) <= 400


def test_a_preview_never_judges_a_file_by_itself() -> None:
    rng = random.Random(7)
    files = [reviewed(greeting(rng), True, number) for number in range(8)]
    alone = preview(MODEL.content, files[:1])
    assert [(change.before, change.after) for change in alone] == [(False, False)]
    together = preview(MODEL.content, files)
    assert [change.before for change in together] == [False] * 8
    assert all(change.after for change in together)


def test_a_preview_says_what_the_model_says() -> None:
    rng = random.Random(8)
    texts = [record(rng) if number % 2 else greeting(rng) for number in range(6)]
    changes = preview(MODEL.content, [reviewed(text, True, number) for number, text in enumerate(texts)])
    assert [change.before for change in changes] == positive(MODEL, texts)


def test_a_file_that_no_rule_hands_on_teaches_but_is_never_referred() -> None:
    rng = random.Random(8)
    files = [
        Reviewed(f"/share/{number}.txt", MODEL.passage_vectors([record(rng)]), True, screened=number > 0)
        for number in range(2)
    ]
    assert [(change.before, change.after) for change in preview(MODEL.content, files)] == [(False, False), (True, True)]
    assert len(lessons_of(MODEL.content, files).label) == 2


def test_a_passage_without_medical_terms_teaches_nothing() -> None:
    blank = reviewed("Hello persontoken! The weather is fine.", True)
    assert blank.vectors.shape[0] == 0
    learned = learn_from_reviews(MODEL.content, [blank])
    assert passages_of(learned).names == passages_of(MODEL.content).names
    assert [change.after for change in preview(MODEL.content, [blank])] == [False]


def test_a_file_without_passages_teaches_nothing() -> None:
    empty = reviewed([], True)
    assert len(lessons_of(MODEL.content, [empty]).label) == 0
    assert [change.after for change in preview(MODEL.content, [empty])] == [False]


def test_no_files_teach_nothing() -> None:
    assert preview(MODEL.content, []) == []
    assert passages_of(learn_from_reviews(MODEL.content, [])).names == passages_of(MODEL.content).names


def test_the_model_keeps_vectors_and_no_text() -> None:
    text = greeting(random.Random(8)) + " Zebrastripe Quillfeather"
    raw = pack(write_content(learn_from_reviews(MODEL.content, [reviewed(text, True)])))
    content = HealthModel.from_bytes(raw).content
    names = (*content.names, *passages_of(content).names, *(term.concept for term in content.terms))
    stored = " ".join(names).lower()
    assert "quillfeather" not in stored
    assert "most people with" not in stored
    assert "/share/" not in stored


@pytest.mark.parametrize("count", [1, 4])
def test_learning_is_reproducible(count: int) -> None:
    rng = random.Random(9)
    some = [reviewed(record(rng), number % 2 == 0, number) for number in range(count)]
    first, second = (pack(write_content(learn_from_reviews(MODEL.content, some))) for _ in range(2))
    assert first == second


def test_a_model_from_before_passages_learns_them_as_documents() -> None:
    rng = random.Random(10)
    texts = [note(rng) for _ in range(12)]
    assert sum(positive(OLDER, texts)) > 6
    files = [reviewed(text, False, number, OLDER) for number, text in enumerate(texts)]
    changes = preview(OLDER.content, files)
    assert [change.before for change in sorted(changes, key=lambda one: int(one.uri[7:-4]))] == positive(OLDER, texts)
    assert sum(change.after for change in changes) < sum(change.before for change in changes)
    learned = HealthModel.from_bytes(pack(write_content(learn_from_reviews(OLDER.content, files[:8]))))
    assert learned.passages is None
    assert sum(positive(learned, texts[8:])) < sum(positive(OLDER, texts[8:]))
    assert reviewed([], True, model=OLDER).vectors.shape[0] == 0
