"""Texts are cut by their own structure; every line with text is in exactly one passage."""

import json
import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.records import Passage
from screening.passages.cut import WHOLE_CHARS, passages_of
from screening.passages.messages import messages_in
from screening.passages.rows import is_heading, is_table, shape_of

FILLER = "The committee met again and spoke about the weather for a long time. "
TABLE = "name,birth date,diagnosis\n" + "".join(f"Mary Sloan {n},1971-02-03,asthma\n" for n in range(1, 9))


def cut(text: str) -> list[tuple[str, str, str]]:
    """Place, text and what is carried of each passage."""
    return [
        (passage.place, text[passage.start : passage.end], " | ".join(text[low:high] for low, high in passage.carried))
        for passage in passages_of(text)
    ]


def test_rows_stand_in_small_groups_with_their_heading() -> None:
    first, second = cut(TABLE)
    assert (first[0], first[2]) == ("rows 2 to 7", "name,birth date,diagnosis")
    assert first[1].count("\n") == 5
    assert (second[0], second[2]) == ("rows 8 to 9", "name,birth date,diagnosis")


@pytest.mark.parametrize("delimiter", ["\t", "|", ";", ","])
def test_any_delimiter_makes_rows(delimiter: str) -> None:
    ((place, _, carried),) = cut(TABLE.replace(",", delimiter)[:120].rpartition("\n")[0])
    assert place.startswith("row")
    assert carried == "name,birth date,diagnosis".replace(",", delimiter)


def test_a_table_between_paragraphs_keeps_its_place() -> None:
    places = [place for place, _, _ in cut(f"Minutes of the day\n\n{TABLE}\nEnd of the list\n")]
    assert places == ["paragraph 1", "rows 2 to 7", "rows 8 to 9", "paragraph 2"]


def test_a_form_is_one_record() -> None:
    form = "Field\tAnswer\nFull name\tMary Sloan\nDate of birth\t1971-02-03\nTelephone\t613-555-0142\n"
    form += "".join(f"Question {number}\tno\n" for number in range(9)) + "Current illnesses\tasthma"
    assert cut(form) == [("paragraph 1", form, "")]
    long = form + "".join(f"\nAnswer {number}\t{FILLER}" for number in range(40))
    first, *others = cut(long)
    assert "Mary Sloan" in first[1] and others
    assert all("Mary Sloan" in carried for _, _, carried in others)


def test_a_list_in_two_columns_is_no_form() -> None:
    text = "Name\tDiagnosis\n" + "".join(f"Mary Sloan {number}\tasthma\n" for number in range(8))
    assert [place for place, _, _ in cut(text)] == ["rows 2 to 7", "rows 8 to 9"]


def test_long_rows_stand_alone() -> None:
    rows = "".join(f"Mary Sloan\t{'pain ' * 130}\t{number}\n" for number in range(3))
    assert [place for place, _, _ in cut(f"name\tnote\tvisit\n{rows}")] == ["row 2", "row 3", "row 4"]


@pytest.mark.parametrize(
    ("line", "is_one"),
    [
        ("Patient Name,DOB,Diagnosis,Medication", True),
        ("pt_nm,Dx,Rx", True),
        ('"last name","first name"', True),
        ("Mary Sloan,613-555-0142,asthma", False),
        ("Mary Sloan,1971-02-03,asthma", False),
        ("a cell of more than forty characters is no heading of a column,x", False),
        (",,", False),
    ],
)
def test_a_heading_has_short_cells_of_words(line: str, is_one: bool) -> None:
    assert is_heading(line, ",") is is_one


@pytest.mark.parametrize(
    ("line", "shape"),
    [
        ("a\tb", ("\t", 1)),
        ("a|b|c", ("|", 2)),
        ("a;b;c", (";", 2)),
        ("a,b,c,d", (",", 3)),
        ("a,b", ("", 0)),
        ('"Sloan, Mary",x', ("", 0)),
        ('"Sloan, Mary",x,y', (",", 2)),
        ("plain words", ("", 0)),
        ("x," * 4_000, ("", 0)),
    ],
)
def test_the_shape_of_a_line(line: str, shape: tuple[str, int]) -> None:
    assert shape_of(line) == shape


def test_sentences_with_commas_are_no_table() -> None:
    line = f"On that day we talked, {FILLER * 2}, after a walk, {FILLER * 2}, about the plans"
    text = f"{line}\n{line}\n{line}\n"
    rows = [(match.start(), match.end()) for match in re.finditer(r"[^\n]+", text)]
    assert not is_table(text, rows, shape_of(line))


def test_json_lines_are_a_passage_each() -> None:
    lines = ['{"name": "Mary Sloan", "dx": "asthma"}', '{"name": "Tom Hart", "dx": "gout"}']
    assert cut("\n".join(lines)) == [("line 1", lines[0], ""), ("line 2", lines[1], "")]


def test_a_line_of_json_that_is_too_long_is_cut() -> None:
    line = json.dumps({"name": "Mary Sloan", "note": FILLER * 60})
    *pieces, last = cut(f'{line}\n{{"name": "Tom Hart"}}\n')
    assert {place for place, _, _ in pieces} == {"line 1"} and last[0] == "line 2"
    assert all(len(piece) <= 3_000 for _, piece, _ in pieces)


def test_records_of_a_json_tree_carry_the_values_above_them() -> None:
    visits = [{"reason": f"asthma {number}", "note": FILLER * 20} for number in range(4)]
    text = json.dumps({"patient": {"name": "Mary Sloan", "visits": visits}})
    records = cut(text)
    assert [piece.count('"reason"') for _, piece, _ in records].count(1) == 4
    assert all("Mary Sloan" in carried for _, piece, carried in records if '"reason"' in piece)


def test_values_behind_a_long_list_are_not_lost() -> None:
    visits = [{"note": FILLER * 20} for _ in range(4)]
    text = json.dumps({"visits": visits, "name": "Mary Sloan", "diagnosis": "asthma"})
    (last,) = [(place, piece) for place, piece, _ in cut(text) if "Mary Sloan" in piece]
    assert last[0].startswith("after record") and "asthma" in last[1]


def test_a_chat_with_times_in_brackets_is_no_json() -> None:
    text = "".join(f"[12/03/2024, 10:1{n}] Mary: I have asthma\n" for n in range(3))
    assert cut(text) == [("messages 1 to 3", text, "")]


CHATS = {
    "in brackets": "[12/03/24, 08:01:12] Mary Sloan: {}\n",
    "with a dash": "12/03/2024, 08:02 - Mary Sloan: {}\n",
    "name above": "[9:02 AM] Sloan, Mary\n{}\n",
    "name first": "Mary Sloan  9:14 AM\n{}\n",
    "day in words": "Mary — Today at 21:14\n{}\n",
}


@pytest.mark.parametrize("line", CHATS.values(), ids=CHATS)
def test_a_few_messages_stand_together(line: str) -> None:
    text = "".join(line.format(f"message {number}, {FILLER}") for number in range(60))
    passages = cut(text)
    assert passages[0][0].startswith("messages 1 to ") and 4 < len(passages) < 20
    assert "".join(piece for _, piece, _ in passages) == text
    assert all(len(piece) <= 900 for _, piece, _ in passages)


@pytest.mark.parametrize(
    "text",
    [
        "09:00 Mary Sloan: hip\n09:20 Tom Hart: knee\n09:40 Lucy Brandt: foot\n",
        "Name: Mary Sloan\nAddress: Elm Street\nDiagnosis: asthma\n",
        "The meeting is at 9:14.\nBring the keys: all of them.\n",
    ],
)
def test_lists_forms_and_prose_are_no_chat(text: str) -> None:
    assert messages_in(text, 0, len(text)) == []


def test_a_short_text_with_a_table_stays_whole_unless_the_table_lists_people() -> None:
    above = "Patient: Mary Sloan\n\n"
    assert [place for place, _, _ in cut(f"{above}Test,Result,Unit\nTSH,9.8,mIU/L\nFerritin,6,ng/mL\n")] == [
        "paragraph 1"
    ]
    assert len(cut(f"{above}{TABLE}")) == 3


def test_rows_of_neighbouring_statements_stand_together() -> None:
    text = "".join(f"INSERT INTO visits VALUES ('Mary Sloan','asthma {number}');\n" for number in range(3))
    assert [place for place, _, _ in cut(text) if place.startswith("row")] == ["rows 1 to 3"]


def test_sql_rows_have_their_columns() -> None:
    text = "INSERT INTO patients (name, dx) VALUES ('Mary Sloan','asthma'),('Tom O''Hart (jr)','gout');\n"
    assert cut(text)[1:2] == [
        ("rows 1 to 2", "('Mary Sloan','asthma'),('Tom O''Hart (jr)','gout')", "patients (name, dx)")
    ]


def test_sql_rows_have_the_columns_of_their_table() -> None:
    text = "CREATE TABLE `visits` (name varchar(40), dx text);\nINSERT INTO visits VALUES ('Mary Sloan','asthma');\n"
    ((_, row, carried),) = [passage for passage in cut(text) if passage[0].startswith("row")]
    assert row == "('Mary Sloan','asthma')"
    assert carried == "visits` (name varchar(40), dx text"


def test_prose_around_an_insert_is_not_lost() -> None:
    text = f"INSERT INTO a (b) VALUES ('c');\n\n{FILLER * 40}\n\nMary Sloan has asthma.\n"
    assert any("Mary Sloan has asthma." in piece for _, piece, _ in cut(text))


def test_a_short_text_is_one_passage_and_a_long_one_is_cut() -> None:
    short = (FILLER + "\n\n") * 20
    assert len(short) < WHOLE_CHARS and len(cut(short)) == 1
    assert len(cut(short * 4)) > 3


def test_a_long_paragraph_is_cut_at_sentences() -> None:
    pieces = [piece for _, piece, _ in cut(FILLER * 100)]
    assert len(pieces) > 4
    assert all(len(piece) <= WHOLE_CHARS and piece.rstrip().endswith(".") for piece in pieces)


def test_segments_are_cut_apart_where_the_text_is_long() -> None:
    pages = [FILLER * 15, "Mary Sloan has asthma.", FILLER * 15]
    text = "\n".join(pages)
    starts = [0, len(pages[0]) + 1, len(pages[0]) + len(pages[1]) + 2]
    assert "Mary Sloan has asthma." in [text[passage.start : passage.end] for passage in passages_of(text, starts)]


PIECES = st.sampled_from(
    [
        "Mary Sloan has asthma.\n",
        "\n",
        FILLER * 9 + "\n",
        "name,birth date,diagnosis\n",
        "Tom Hart,1980-05-06,gout\n",
        "Tom Hart\t1980-05-06\n",
        '{"name": "Mary Sloan"}\n',
        '{"visits": [{"note": "asthma"}, ',
        '"name": "Mary"}',
        "]",
        "}\n",
        "INSERT INTO a (b, c) VALUES ('d', 'e'), ('f', 'g');\n",
        "('x'",
        "-- a comment\n",
        "x" * 2_000,
        "[12/03/24, 08:01:12] Mary Sloan: I have asthma\n",
        "Tom Hart  9:14 AM\n",
        "\r\n",
        "  \t ",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=40), st.integers(0, 5))
def test_passages_are_in_order_and_hold_every_word_but_headings(pieces: list[str], parts: int) -> None:
    text = "".join(pieces)
    starts = sorted({0, *(len("".join(pieces[:number])) for number in range(0, len(pieces), parts + 1))})
    passages = list(passages_of(text, starts))
    assert all(passage.start < passage.end <= len(text) for passage in passages)
    assert all(first.end <= second.start for first, second in pairwise(passages))
    for match in re.finditer(r"\w+", text):
        assert _is_in(passages, match.start()), text[match.start() : match.start() + 60]


def test_a_blank_line_before_the_table_of_a_page_is_no_passage() -> None:
    first = FILLER * 30 + "\n"
    text = first + "\nname\tborn\nTom Hart\t1980-05-06\nMary Sloan\t1981-05-06\n"
    places = [passage.place for passage in passages_of(text, (0, len(first))) if passage.start >= len(first)]
    assert places == ["rows 2 to 3"]


def _is_in(passages: list[Passage], at: int) -> bool:
    return any(
        passage.start <= at < passage.end or any(low <= at < high for low, high in passage.carried)
        for passage in passages
    )
