import re

import pytest

from screening.entities.finder import blocks, is_monotonous
from screening.screen import Screen


def found(screen: Screen, text: str) -> list[str]:
    return [f"{span.characteristic} {text[span.start : span.end]}" for span in screen.spans(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We met John Smith there.", ["first_name John", "last_name Smith"]),
        ("SLOAN , CHARLES E was seen", ["last_name SLOAN", "first_name CHARLES", "initials E"]),
        ("Mr. Okonkwo-Bright was late", ["last_name Okonkwo-Bright"]),
        ("i saw my wife jennifer kowalski", ["first_name jennifer", "last_name kowalski"]),
        ("seen by Mary Whitfield, MD", ["health_professional_name Mary Whitfield"]),
        ("Dr Feldman, Arkady fell", ["health_professional_name Feldman", "first_name Arkady"]),
        ("CHIEF COMPLAINT\n\nBack pain.\n\nPAST MEDICAL HISTORY", []),
        (
            "Name,Bed\nZyx Wvut,12\nQrst Pon,13\n",
            ["first_name Zyx", "last_name Wvut", "first_name Qrst", "last_name Pon"],
        ),
    ],
)
def test_decides(screen: Screen, text: str, expected: list[str]) -> None:
    assert found(screen, text) == expected


def test_a_heading_makes_dates_birth_dates(screen: Screen) -> None:
    text = "Patient Name,DOB,Diagnosis,Medication\nAna Roe,1938-04-11,CHF,furosemide\n"
    assert found(screen, text) == ["first_name Ana", "last_name Roe", "birth_date 1938-04-11"]


HEADLESS = """Rashida,Tillmann,09/30/2014,O24.410
Yevgeniya,Kolesnikov,05/19/1970,E03.9
Barthold,Finchley,02/27/1949,B18.2
Priscilla,Nakamuro,12/05/1990,F32.1
Emmett,Delacroy,04/16/1982,B20
"""


def test_a_table_without_heading_has_first_names_last_names_and_birth_dates(screen: Screen) -> None:
    rows = [line.split(",") for line in HEADLESS.splitlines()]
    kinds = ("first_name", "last_name", "birth_date")
    expected = [f"{kind} {cell}" for row in rows for kind, cell in zip(kinds, row, strict=False)]
    assert found(screen, HEADLESS) == expected


def test_a_heading_alone_makes_no_names(screen: Screen) -> None:
    rows = "Substance,Use\nObservation,Result\nDiagnosis,Result\nMedication,List\n"
    assert found(screen, f"Name,Type\n{rows}") == []


def test_dates_close_together_are_no_birth_dates(screen: Screen) -> None:
    text = re.sub(r"\d{4},", "2019,", HEADLESS)
    assert {each.split()[0] for each in found(screen, text)} == {"first_name", "last_name", "date"}


def test_names_of_a_column_are_carried_into_the_text(screen: Screen) -> None:
    text = "Name,Unit\nZyxi Wvuter,ICU\nQrsti Ponder,ER\n\nlater on, Wvuter left"
    assert found(screen, text)[-1] == "last_name Wvuter"


def test_what_a_pattern_covers_is_not_the_models(screen: Screen) -> None:
    assert found(screen, "write to john.smith@example.org") == ["email john.smith@example.org"]


@pytest.mark.parametrize("text", ["", "a", "line\n" * 300_000, "x" * 1_000_000, "word " * 250_000])
def test_blocks_are_the_text(text: str) -> None:
    assert "".join(block for _, block in blocks(text)) == text
    assert all(text.startswith(block, start) for start, block in blocks(text))


def test_only_what_repeats_itself_is_monotonous() -> None:
    assert is_monotonous("Jo Smith " * 20_000)
    assert not is_monotonous("".join(f"{number * 7919} is a number, " for number in range(9_000)))
    assert not is_monotonous("Jo Smith ")
    assert not is_monotonous("row of nothing\n" * 5_000 + "Jo Smith\n" + "row of nothing\n" * 5_000)


def test_a_name_amid_endless_rows_is_found(screen: Screen) -> None:
    rows = "0;0;0;0;0;0;0;0\n" * 4_000
    assert found(screen, f"{rows}We met John Smith there.\n{rows}") == ["first_name John", "last_name Smith"]


def test_a_name_behind_ever_new_words_is_found(screen: Screen) -> None:
    noise = " ".join(f"{number:x}q{number * 7919:x}z" for number in range(20_000))
    assert found(screen, f"{noise}\nWe met Jowanka Whitfeldt there.\n")[-2:] == [
        "first_name Jowanka",
        "last_name Whitfeldt",
    ]
