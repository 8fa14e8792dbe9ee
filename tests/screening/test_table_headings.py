import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from screening.names.encoded_texts import encoded_together
from screening.names.row_lines import RowLines, rows_of_each
from screening.names.table_headings import name_cells


def _lines(text: str) -> RowLines:
    (lines,) = rows_of_each(encoded_together([text]))
    return lines


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("id,first_name,Last Name\n1,Ana,Roe\n2,Bo,Poe\n", ["first Ana", "last Roe", "first Bo", "last Poe"]),
        ("Patient;Ward\nRoe, Ana B;3\nPoe, Bo;4", ["last Roe", "first Ana", "initials B", "last Poe", "first Bo"]),
        (
            '"Patient Name","DOB"\n"Roe, Ana","1962-03-07"\n"Poe, Bo",""',
            ["last Roe", "first Ana", "birth_date 1962-03-07", "last Poe", "first Bo"],
        ),
        ("pt_nm\tdob\tdx\nana roe\t19620307\tI10", ["first ana", "last roe", "birth_date 19620307"]),
        ("PAT_LST_NM,PAT_FRST_NM,BRTH_DT\nROE,ANA,03071962", ["last ROE", "first ANA", "birth_date 03071962"]),
        ("nom;prenom;ddn\nRoy;Ana;7/3/1962", ["last Roy", "first Ana", "birth_date 7/3/1962"]),
        ("patientFirst,patientDob\nAna,1962-03-07T00:00:00Z", ["first Ana", "birth_date 1962-03-07"]),
        (
            "Name|Date of Birth|MRN|SSN|Member ID\nAna Roe|March 7, 1962|00-4412|219-09-9999|XEH 99281",
            [
                "first Ana",
                "last Roe",
                "birth_date March 7, 1962",
                "medical_record_number 00-4412",
                "ssn 219-09-9999",
                "health_plan_number XEH 99281",
            ],
        ),
        ("Name,DOB,MRN\nAna Roe,unknown,none\nBo Poe,40/40/1962,12", ["first Ana", "last Roe", "first Bo", "last Poe"]),
        ("Chart,Policy\n77120,44120\n77121,44121", []),
        (
            "NAME\tUNIT\nANA DE ROE\tICU\nDr. Bo O'Poe, MD\tER",
            ["first ANA", "first DE", "last ROE", "first Bo", "last O'Poe"],
        ),
        ("LAST\tMI\tUNIT\nROE\tA\tICU\nPOE\tI\tER", ["last ROE", "initials A", "last POE", "initials I"]),
        ("Name,City\nAna Roe,Paris\nOnly one cell\nBo Poe,Rome", []),
        ("Product Name,Brand\nBlue Star,Acme\nRed Star,Acme\n", []),
        ("The patient, who is well, came.\nIt was late, he said, and cold.\n", []),
        ("Name,Code\n12,A\n13,B\n", []),
        ("name", []),
        ("", []),
    ],
)
def test_cells(text: str, expected: list[str]) -> None:
    assert [
        f"{span.characteristic.removesuffix('_name')} {text[span.start : span.end]}"
        for span in name_cells(text, _lines(text).headings)
    ] == expected


@pytest.mark.parametrize(
    ("line", "is_row"),
    [
        ("a,b", True),
        ("a;b,c", True),
        ("a" * 42 + "\t" + "b" * 42, True),
        ("a" * 43 + ",b", False),
        ("a," + "b" * 43, False),
        ("a," + "b" * 20 + ";" + "c" * 21, True),
        ("," * 60, True),
        ("," * 61, False),
        ("no row at all", False),
        ("", False),
    ],
)
def test_rows_have_short_cells_and_not_too_many(line: str, is_row: bool) -> None:
    text = f"before\n{line}\nbehind"
    assert _lines(text).rows == ([(7, 7 + len(line))] if is_row else [])


_ROW = re.compile(r"^[^\t;|,\n]{0,42}+([\t;|,])[^\n]*+", re.MULTILINE)
_PIECES = (
    "Name",
    "DOB",
    "Last",
    "Ana Roe",
    "1962-03-07",
    "3",
    ",",
    ";",
    "|",
    "\t",
    "\n",
    '"',
    "a" * 40,
    "," * 30,
    "é",
    "漢",
)


@given(st.lists(st.lists(st.sampled_from(_PIECES), max_size=16).map("".join), max_size=4))
def test_rows_and_headings_are_those_of_the_expression(texts: list[str]) -> None:
    for text, lines in zip(texts, rows_of_each(encoded_together(texts)), strict=True):
        rows = [
            row.span()
            for row in _ROW.finditer(text)
            if row[0].count(row[1]) < 61 and max(map(len, row[0].split(row[1]))) <= 42
        ]
        assert lines.rows == rows
        assert name_cells(text, lines.headings) == name_cells(text, rows)
