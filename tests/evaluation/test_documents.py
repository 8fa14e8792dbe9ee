import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import f1_score, hamming_loss

from core.records import Risk
from evaluation.documents import LABELS, LOCATION, NAME, OTHER, Readable, document_scores, risk_of

ALL = frozenset(LABELS)


def left(count: int, *labels: str) -> list[Readable]:
    return [Readable(ALL, frozenset(labels))] * count


A = left(7, LOCATION) + left(38, NAME) + left(455)
B = left(5, *LABELS) + left(2, LOCATION) + left(18, OTHER) + left(475)
C = left(5, LOCATION, NAME) + left(13, NAME, OTHER) + left(2, LOCATION) + left(7, NAME) + left(473)


@pytest.mark.parametrize(
    ("documents", "emr", "partial", "lf", "mismatches", "hl", "oe", "risk"),
    [
        (A, 0.00, 11.25, 0.045, 1455, 0.97, 0.986, {"high": 0, "medium": 0, "low": 45, "none": 455}),
        (B, 0.01, 7.50, 0.030, 1465, 0.98, 0.986, {"high": 5, "medium": 0, "low": 20, "none": 475}),
        (C, 0.00, 9.45, 0.038, 1455, 0.97, 0.986, {"high": 0, "medium": 18, "low": 9, "none": 473}),
    ],
)
def test_the_published_table_comes_out(
    documents: list[Readable],
    emr: float,
    partial: float,
    lf: float,
    mismatches: int,
    hl: float,
    oe: float,
    risk: dict[str, int],
) -> None:
    found = document_scores(documents)
    assert found.documents == 500
    assert found.emr == emr
    assert found.partial == pytest.approx(partial)
    assert found.lf == pytest.approx(lf, abs=0.0005)
    assert found.mismatches == mismatches
    assert found.hl == pytest.approx(hl, abs=0.005)
    assert found.oe == oe
    assert found.risk == risk


def test_only_labels_that_a_document_has_count() -> None:
    """Ten documents with a name alone, masked perfectly: nothing of a place can have been missed."""
    found = document_scores([Readable(frozenset({NAME}), frozenset())] * 10)
    assert (found.oe, found.with_top, found.hl, found.emr, found.lf) == (None, 0, 1.0, 0.0, 0.0)
    assert found.risk == {"high": 0, "medium": 0, "low": 0, "none": 10}
    # By hand: 1 + 2 + 3 labels, of which 1 + 1 + 2 are hidden; two documents have a place, one of them still readable.
    mixed = [
        Readable(frozenset({NAME}), frozenset()),
        Readable(frozenset({NAME, LOCATION}), frozenset({LOCATION})),
        Readable(ALL, frozenset({OTHER})),
    ]
    found = document_scores(mixed)
    assert (found.hl, found.mismatches, found.labels) == (4 / 6, 4, 6)
    assert (found.oe, found.with_top) == (1 / 2, 2)
    assert found.risk == {"high": 0, "medium": 0, "low": 2, "none": 1}


SETS = st.frozensets(st.sampled_from(LABELS))


@given(st.lists(st.tuples(SETS, SETS).map(lambda pair: Readable(pair[0], pair[0] & pair[1])), min_size=1, max_size=30))
def test_scikit_learn_agrees(documents: list[Readable]) -> None:
    with_data = [document for document in documents if document.data]
    found = document_scores(documents)
    assert found.without_labels == len(documents) - len(with_data)
    if not with_data:
        assert (found.emr, found.lf, found.hl, found.oe) == (None, None, None, None)
        return
    data, kept = ([[label in getattr(one, side) for label in LABELS] for one in with_data] for side in ("data", "left"))
    contained = sum(map(sum, data))
    assert found.hl == pytest.approx(hamming_loss(data, kept) * len(with_data) * len(LABELS) / contained)
    assert found.lf == pytest.approx(f1_score(data, kept, average="samples", zero_division=0))


def test_what_was_not_there_cannot_be_left() -> None:
    with pytest.raises(ValueError, match="must have been in it"):
        Readable(frozenset({NAME}), frozenset({LOCATION}))
    with pytest.raises(ValueError, match="town"):
        document_scores([], top="town")


def test_risk_by_what_is_readable() -> None:
    assert [risk_of(frozenset(LABELS[:count])) for count in range(4)] == [Risk.NONE, Risk.LOW, Risk.MEDIUM, Risk.HIGH]
