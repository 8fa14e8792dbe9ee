"""Medical terms are told of the person near whom most of them stand."""

import pytest

from core.records import Evidence
from pipelines.stages.person_near import person_nearest_terms


def evidence(*pieces: tuple[int, int]) -> list[Evidence]:
    return [Evidence("last_name", start, start + 5, "S****", "", "", person) for start, person in pieces]


@pytest.mark.parametrize(
    ("pieces", "terms", "person"),
    [
        ([(0, 1)], [20, 40], 1),
        ([(0, 1), (1_000, 2)], [990, 1_020, 10], 2),
        ([(0, 1), (1_000, 2)], [10, 1_020], 1),
        ([(0, 1)], [5_000], 0),
        ([(0, 0)], [10], 0),
        ([], [10], 0),
        ([(0, 1)], [], 0),
    ],
)
def test_the_nearest_person_has_the_terms(pieces: list[tuple[int, int]], terms: list[int], person: int) -> None:
    assert person_nearest_terms(evidence(*pieces), terms, 600) == person
