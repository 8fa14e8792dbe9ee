import pytest

from screening.names.table_headings import name_cells, rows_in


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
        for span in name_cells(text, rows_in(text))
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
    assert [row.span() for row in rows_in(text)] == ([(7, 7 + len(line))] if is_row else [])
