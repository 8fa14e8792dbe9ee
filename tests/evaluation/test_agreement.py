import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score, f1_score
from statsmodels.stats.inter_rater import aggregate_raters
from statsmodels.stats.inter_rater import fleiss_kappa as fleiss_of_statsmodels

from evaluation.agreement import (
    Decision,
    agreement,
    by_group,
    cohen_kappa,
    f_measure,
    fleiss_kappa,
    krippendorff_alpha,
    over_time,
)

# Krippendorff's own example of four observers, with missing values (nominal data): alpha = 0.743.
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]
PAIRS = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=60)


def test_krippendorffs_example_comes_out() -> None:
    units = [[value for value in unit if value is not None] for unit in zip(*OBSERVERS, strict=True)]
    assert krippendorff_alpha(units) == pytest.approx(0.743, abs=0.0005)


# Fourteen people put ten items into five classes; the published result is 0.210.
CLASSES = [
    [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
]  # fmt: skip


def test_fleiss_kappa_of_fourteen_people() -> None:
    items = [[kind for kind, count in enumerate(row) for _ in range(count)] for row in CLASSES]
    assert fleiss_kappa(items) == pytest.approx(0.210, abs=0.0005)
    assert fleiss_kappa(items) == pytest.approx(fleiss_of_statsmodels(CLASSES))
    assert fleiss_kappa([[1], [2]]) is None
    assert fleiss_kappa([[1, 1], [1, 1]]) is None


def test_kappa_by_hand() -> None:
    """20 both yes, 15 both no, 5 and 10 apart: Ao = 0.7, Ae = 0.5, kappa = 0.4."""
    first = [True] * 25 + [False] * 25
    second = [True] * 20 + [False] * 5 + [True] * 10 + [False] * 15
    assert cohen_kappa(first, second) == pytest.approx(0.4)


@given(PAIRS)
def test_scikit_learn_and_statsmodels_agree(pairs: list[tuple[bool, bool]]) -> None:
    first, second = ([pair[side] for pair in pairs] for side in (0, 1))
    kappa, f, alpha = cohen_kappa(first, second), f_measure(first, second), krippendorff_alpha(pairs)
    if kappa is not None:
        assert kappa == pytest.approx(cohen_kappa_score(first, second))
    assert (f is None) == (not any(first + second))
    if f is not None:
        assert f == pytest.approx(f1_score(first, second, zero_division=0))
        assert f == f_measure(second, first)
    if alpha is not None:
        # For two people and no missing value, alpha is Scott's pi (Fleiss' kappa), corrected for the sample size.
        pi = fleiss_of_statsmodels(aggregate_raters(pairs)[0])
        assert fleiss_kappa(pairs) == pytest.approx(pi)
        assert alpha == pytest.approx(1 - (1 - pi) * (2 * len(pairs) - 1) / (2 * len(pairs)))


def test_undefined_is_not_zero() -> None:
    assert cohen_kappa([], []) is None
    assert cohen_kappa([True], [True]) is None
    assert krippendorff_alpha([[True], [False]]) is None
    assert f_measure([False], [False]) is None
    found = agreement([Decision("/a", "ann", True)])
    assert (found.items, found.decided_twice, found.kappa, found.f, found.alpha, found.observed) == (
        1,
        0,
        None,
        None,
        None,
        None,
    )


def test_three_people_and_gaps() -> None:
    decisions = [Decision(f"/{item}", person, value) for item, person, value in [
        (1, "ann", True), (1, "bob", True), (2, "ann", False), (2, "bob", True), (2, "eve", False),
        (3, "bob", False), (3, "eve", False), (4, "ann", True), (5, "ann", False), (5, "bob", False),
    ]]  # fmt: skip
    found = agreement(decisions)
    assert (found.items, found.decided_twice, found.people) == (5, 4, 3)
    assert found.alpha == pytest.approx(
        krippendorff_alpha([[True, True], [False, True, False], [False, False], [False, False]])
    )
    assert found.observed == pytest.approx((2 + 2 + 2 + 2) / (2 + 6 + 2 + 2))
    assert found.kappa is not None


def test_per_group_and_over_time() -> None:
    decisions = [
        Decision("/a", "ann", True, "2024-01-30", "email"),
        Decision("/a", "bob", True, "2024-02-02", "email"),
        Decision("/b", "ann", True, "2024-02-10", "sin"),
        Decision("/b", "bob", False, "2024-02-11", "sin"),
        Decision("/b", "cy", False, "", "sin"),
    ]
    assert {name: found.f for name, found in by_group(decisions).items()} == {"email": 1.0, "sin": 0.0}
    assert {name: found.decided_twice for name, found in over_time(decisions).items()} == {"2024-01": 1, "2024-02": 1}


def test_a_person_who_contradicts_themselves_is_named() -> None:
    with pytest.raises(ValueError, match="/a: ann decided twice"):
        agreement([Decision("/a", "ann", True), Decision("/a", "ann", False)])
