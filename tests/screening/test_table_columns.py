import pytest

from core.records import Span
from screening.names.encoded_texts import encoded_together
from screening.names.row_lines import Stretch, rows_of_each
from screening.names.rows_of_names import rows_of_names
from screening.names.table_columns import agreed, tables_in
from screening.patterns.overlap import resolved

TABLE = """Ward,Person,Diagnosis,Day
3,Ana Roe,Gout,1
4,Bo Poe,Gout,2
5,Cy Boe,Mumps,3
6,Di Doe,Croup,4
7,Summer Field,Gout,5
"""


def found(text: str, *names: str) -> list[Span]:
    """Every place where one of the names stands; the first word is a first name, the second a last name."""
    spans = []
    for name in names:
        at = text.find(name)
        while at >= 0:
            start = at
            for word, kind in zip(name.split(), ("first_name", "last_name"), strict=False):
                spans.append(Span(start, start + len(word), kind, 0.9))
                start += len(word) + 1
            at = text.find(name, at + 1)
    return resolved(spans)


def rows_in(text: str) -> list[Stretch]:
    (lines,) = rows_of_each(encoded_together([text]))
    return lines.rows


def told(text: str, spans: list[Span]) -> list[str]:
    return [
        f"{span.characteristic.removesuffix('_name')} {text[span.start : span.end]}"
        for span in agreed(text, tables_in(text, rows_of_names(rows_in(text), spans)), spans)
    ]


NAMES = ("Ana Roe", "Bo Poe", "Cy Boe", "Di Doe")
SEEN = ["first Ana", "last Roe", "first Bo", "last Poe", "first Cy", "last Boe", "first Di", "last Doe"]


def test_what_fills_most_cells_of_a_column_fills_the_rest() -> None:
    assert told(TABLE, found(TABLE, *NAMES)) == [*SEEN, "first Summer", "last Field"]


def test_a_name_of_which_half_was_found_is_found_whole() -> None:
    assert told(TABLE, found(TABLE, *NAMES, "Summer")) == [*SEEN, "first Summer", "last Field"]


@pytest.mark.parametrize("false", ["Mumps", "Ward", "Person"])
def test_headings_and_lone_cells_among_others_are_no_names(false: str) -> None:
    assert told(TABLE, found(TABLE, *NAMES, "Summer Field", false)) == [*SEEN, "first Summer", "last Field"]


def test_a_column_that_says_the_same_over_and_over_agrees_with_itself() -> None:
    text = "1,Ana Roe,Gout\n2,Bo Poe,Gout\n3,Cy Boe,Gout\n4,Di Doe,Gout\n5,Di Doe,Gout\n"
    some = [span for span in found(text, "Gout") if 20 < span.start < 50]
    assert told(text, some) == []


def test_a_column_of_places_has_no_names() -> None:
    text = "1,Paris\n2,Rome\n3,Chelsea\n4,Sidney\n5,Florence\n"
    places = [
        Span(text.index(name), text.index(name) + len(name), "city", 0.9) for name in ("Rome", "Chelsea", "Florence")
    ]
    spans = resolved([*places, *found(text, "Paris", "Sidney")])
    assert agreed(text, tables_in(text, rows_in(text)), spans) == places


def test_a_heading_of_known_words_is_no_name_even_without_figures_below() -> None:
    text = "LAST\tFIRST\tUNIT\nROE\tANA\tICU\nPOE\tBO\tER\nBOE\tCY\tER\nDOE\tDI\tICU\n"
    names = ("LAST", "FIRST", "ROE", "POE", "BOE", "DOE")
    assert told(text, found(text, *names)) == [f"first {name}" for name in names[2:]]


def test_rows_of_another_size_in_between_do_not_part_a_table() -> None:
    text = TABLE.replace("4,Bo Poe,Gout,2", "4,Bo Poe,Gout,2,too,many")
    assert told(text, found(text, *NAMES)) == [*SEEN, "first Summer", "last Field"]


def test_names_inside_longer_cells_stay() -> None:
    text = "1,call Ana Roe back,3\n2,nothing to say here,4\n3,none of it,5\n4,no,6\n5,yes,7\n"
    assert told(text, found(text, "Ana Roe")) == ["first Ana", "last Roe"]


def test_other_spans_and_text_without_tables_stay_as_they_are() -> None:
    spans = [*found("Ana Roe came.", "Ana Roe"), Span(8, 12, "city", 0.6)]
    assert agreed("Ana Roe came.", tables_in("Ana Roe came.", rows_in("Ana Roe came.")), spans) == spans
    assert agreed(TABLE, tables_in(TABLE, rows_in(TABLE)), [Span(0, 4, "city", 0.6)]) == [Span(0, 4, "city", 0.6)]


def test_a_place_in_a_column_of_names_is_a_name() -> None:
    spans = resolved([*found(TABLE, *NAMES[:3]), Span(TABLE.index("Di Doe"), TABLE.index("Di Doe") + 6, "city", 0.9)])
    assert told(TABLE, spans) == [*SEEN, "first Summer", "last Field"]


def test_rows_whose_quotes_never_close_are_still_rows() -> None:
    """Cells with line ends inside, as spreadsheets export them, break a row in two."""
    text = "\n".join(f' seen by {name}",,,,,,' for name in NAMES)
    assert told(text, found(text, *NAMES)) == SEEN


def test_only_tables_with_a_name_in_them_are_looked_at() -> None:
    text = f"1,2\n3,4\n\n{TABLE}And no more, said he.\nso\n5,6\n7,8\n"
    rows = rows_of_names(rows_in(text), found(text, "Ana Roe", "Cy Boe"))
    assert "".join(f"{text[start:end]}\n" for start, end in rows) == f"{TABLE}And no more, said he.\n"
    assert rows_of_names(rows_in(text), [Span(0, 1, "city", 0.6)]) == []
