import time

import pytest

from screening.names.sql_values import inserted_names
from screening.ruleset.ruleset import load_rules
from screening.screen import Screen


def read(text: str) -> list[str]:
    return [f"{span.characteristic} {text[span.start : span.end]}" for span in inserted_names(text, bool)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "INSERT INTO `p` (`id`,`fname`,`lname`,`dob`,`dx`) VALUES\n(1,'Ana','Ní Roe','1990-08-14','Crohn''s, mild')"
            ",\n(2,'Bo','Poe',NULL,'a (b), c');",
            [
                "first_name Ana",
                "last_name Ní",
                "last_name Roe",
                "birth_date 1990-08-14",
                "first_name Bo",
                "last_name Poe",
            ],
        ),
        (
            "insert into p values ('x');\nCREATE TABLE IF NOT EXISTS `p` (\n `id` int(11),\n `full_name` varchar(9)"
            ",\n `fee` decimal(9,2),\n PRIMARY KEY (`id`)\n);\nINSERT INTO p VALUES (1,'Ana Roe',9.5,now())",
            ["first_name Ana", "last_name Roe"],
        ),
        (
            "INSERT [dbo].[Ref] ([ID],[PatSurname],[PatForename]) VALUES (7, N'Roe', N'Ana')",
            ["last_name Roe", "first_name Ana"],
        ),
        ("INSERT INTO p (id, title) VALUES (1, 'Ana Roe')", []),
        ("INSERT INTO p (name, dob) VALUES (1)", []),
        ("INSERT INTO p VALUES (1, 'Ana Roe')", []),
    ],
)
def test_columns_say_what_values_are(text: str, expected: list[str]) -> None:
    assert read(text) == expected


def test_columns_of_common_words_name_nobody() -> None:
    text = "INSERT INTO p (name, dob) VALUES ('table', NULL), ('window', NULL)"
    assert inserted_names(text, lambda word: word not in ("table", "window")) == []


def test_a_name_that_no_list_knows_is_found_in_an_insert() -> None:
    text = "INSERT INTO pat (id, fname, lname) VALUES (4, 'Sivakumaranth', 'Dharshiniya');"
    spans = Screen(load_rules(), key=b"sql").spans(text)
    assert {text[span.start : span.end] for span in spans} >= {"Sivakumaranth", "Dharshiniya"}


@pytest.mark.parametrize(
    "text",
    [
        "INSERT " * 30_000,
        "INSERT INTO a (name) VALUES " + "(" * 100_000,
        "INSERT INTO a (name) VALUES ('" + "a" * 200_000,
        "CREATE TABLE a (" * 10_000 + "INSERT ",
        "INSERT INTO a (name) VALUES (" + "(a" * 50_000,
    ],
)
def test_hostile_statements_take_no_time(text: str) -> None:
    start = time.process_time()
    inserted_names(text, bool)
    assert time.process_time() - start < 2
