import pytest

from screening.ruleset.ruleset import RuleSet
from screening.training.listed_names import NameFinder


@pytest.fixture(scope="module")
def finder(ruleset: RuleSet) -> NameFinder:
    assert ruleset.names is not None
    return NameFinder(ruleset.names)


def marked(finder: NameFinder, text: str) -> list[str]:
    """`first John`, `last Smith` ... in the order of the text."""
    spans = sorted(finder.find(text), key=lambda span: span.start)
    return [f"{span.characteristic.removesuffix('_name')} {text[span.start : span.end]}" for span in spans]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We met John Smith there.", ["first John", "last Smith"]),
        ("we saw Mary Ann Kowalski", ["first Mary", "first Ann", "last Kowalski"]),
        ("signed, Robert J. Sloan", ["first Robert", "initials J", "last Sloan"]),
        ("SLOAN , CHARLES E was seen", ["last SLOAN", "first CHARLES", "initials E"]),
        ("Sloan, Charles\n", ["last Sloan", "first Charles"]),
        ("JOHN KOWALSKI PRESENTED TODAY", ["first JOHN", "last KOWALSKI"]),
        ("asked José Rodríguez twice", ["first José", "last Rodríguez"]),
        ("by Mary O'Brien and Susan Smith-Jones", ["first Mary", "last O'Brien", "first Susan", "last Smith-Jones"]),
        ("with Donald van der Voet", ["first Donald", "last Voet"]),
        ("Mr. Okonkwo-Bright was late", ["last Okonkwo-Bright"]),
        ("Mrs. Perry and Ms. Diaz", ["last Perry", "last Diaz"]),
        ("Mr. John Perry came", ["first John", "last Perry"]),
        ("then Will Kowalski spoke", ["first Will", "last Kowalski"]),
        ("by J. R. Kowalski", ["initials J", "initials R", "last Kowalski"]),
        (
            "John Kowalski came. Later Kowalski left; John's bag stayed.",
            ["first John", "last Kowalski", "last Kowalski", "first John"],
        ),
        ("we saw jennifer kowalski in it", ["first jennifer", "last kowalski"]),
        ("I told Jennifer.", ["first Jennifer"]),
    ],
)
def test_finds(finder: NameFinder, text: str, expected: list[str]) -> None:
    assert marked(finder, text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Will May Day come in June or in April?",
        "The patient was seen in May. Hope is left.",
        "New York, Boston, and San Francisco",
        "Mr. President, Mr. Speaker, Mr. Chairman",
        "Allen test and Leigh syndrome were negative.",
        "CHIEF COMPLAINT\n\nBack pain.\n\nPAST MEDICAL HISTORY",
        "significant MR. Mitral inflow",
        "Virginia and Georgia and Florida voted",
        "the grant will pay for the park",
        "11 mL. A Bovie was used",
        "I. Introduction, A. Background",
        "",
    ],
)
def test_leaves_alone(finder: NameFinder, text: str) -> None:
    assert marked(finder, text) == []
