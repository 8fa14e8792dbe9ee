import pytest

from screening.entities.gazetteer import FIRST, FIRST_SURE, LAST, LAST_SURE
from screening.entities.people import Piece, parts
from screening.entities.tokens import PIECE, is_gap, word_of

GAZETTEER = {"ana": FIRST | FIRST_SURE, "poe": LAST | LAST_SURE, "lee": FIRST | LAST | LAST_SURE, "roe": LAST}


def divided(text: str, before: str = "", after: str = "", known: dict[str, str] | None = None) -> list[str]:
    """The parts of a name as `part text`; words before and after are given as they stand."""
    matches = [(word_of(match.group()), match.end()) for match in PIECE.finditer(text) if not is_gap(match.group())]
    pieces = [Piece(word, end - len(word), end) for word, end in matches]
    around = [[word_of(piece) for piece in PIECE.findall(side) if not is_gap(piece)] for side in (before, after)]
    found = parts(pieces, around[0][::-1], around[1], GAZETTEER, known or {})
    return [f"{part.characteristic.removesuffix('_name')} {text[part.start : part.end]}" for part in found]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ana Poe", ["first Ana", "last Poe"]),
        ("Ana Maria B. Poe", ["first Ana", "first Maria", "initials B", "last Poe"]),
        ("Poe, Ana B", ["last Poe", "first Ana", "initials B"]),
        ("POE , ANA", ["last POE", "first ANA"]),
        ("Ana van der Poe", ["first Ana", "last van der Poe"]),
        ("van Poe", ["last van Poe"]),
        ("Ana Poe-Roe", ["first Ana", "last Poe-Roe"]),
        ("Ana O'Poe Jr.", ["first Ana", "last O'Poe"]),
        ("A. B. Poe", ["initials A", "initials B", "last Poe"]),
        ("Poe A", ["last Poe", "initials A"]),
        ("Ana T.", ["first Ana", "initials T"]),
        ("Ana\nLee Poe", ["first Ana", "first Lee", "last Poe"]),
        ("Ana", ["first Ana"]),
        ("Poe", ["last Poe"]),
        ("Lee", ["last Lee"]),
        ("Unheard", ["last Unheard"]),
        ("AP", ["initials AP"]),
    ],
)
def test_divides(text: str, expected: list[str]) -> None:
    assert divided(text) == expected


@pytest.mark.parametrize(
    ("text", "before", "after", "expected"),
    [
        ("Ana", "said Mr.", "", ["last Ana"]),
        ("Poe", "saw Dr.", "today", ["health_professional Poe"]),
        ("Ana Poe", "by", ", MD, at", ["health_professional Ana Poe"]),
        ("Ana Poe", "by", ", do come", ["first Ana", "last Poe"]),
        ("Ana Poe", "", "MD", ["first Ana", "last Poe"]),
    ],
)
def test_heeds_what_stands_around(text: str, before: str, after: str, expected: list[str]) -> None:
    assert divided(text, before, after) == expected


def test_a_name_seen_in_full_tells_its_parts() -> None:
    assert divided("Lee", known={"lee": "first_name"}) == ["first Lee"]
