import pytest

from screening.names.table_headings import name_cells, rows_in


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("id,first_name,Last Name\n1,Ana,Roe\n2,Bo,Poe\n", ["first Ana", "last Roe", "first Bo", "last Poe"]),
        ("Patient;Ward\nRoe, Ana B;3\nPoe, Bo;4", ["last Roe", "first Ana", "initials B", "last Poe", "first Bo"]),
        (
            '"Patient Name","DOB"\n"Roe, Ana","1962-03-07"\n"Poe, Bo",""',
            ["last Roe", "first Ana", "last Poe", "first Bo"],
        ),
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
        for span in name_cells(text, rows_in(text))
    ] == expected
