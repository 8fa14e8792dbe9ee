import pytest

from screening.entities.finder import EntityFinder
from screening.entities.model import shipped_legal_model, shipped_model

FINDER = EntityFinder(shipped_model(), shipped_legal_model())


def found(text: str) -> list[str]:
    spans = FINDER.find(text, 0.5)
    return [f"{span.characteristic.removesuffix('_name')} {text[span.start : span.end]}" for span in spans]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Regarding Ezekiel Thornbury - his A1c is 9.8", ["first Ezekiel", "last Thornbury"]),
        ("subject Hollis Barrington enrolled day 14", ["first Hollis", "last Barrington"]),
        ("Voicemail from Mortimer Vance: swelling is worse", ["first Mortimer", "last Vance"]),
        ("donor: Marco Antonio Villareal ID 55120", ["first Marco", "first Antonio", "last Villareal"]),
        ("PT: Abdullahi, Fatuma", ["last Abdullahi", "first Fatuma"]),
    ],
)
def test_full_names_behind_a_cue(text: str, expected: list[str]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize("text", ["Patient Safety", "Regarding Quality", "patient: Denies Pain", "name", "from"])
def test_other_words_behind_a_cue(text: str) -> None:
    assert found(text) == []
