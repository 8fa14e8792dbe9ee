"""A row of a table is one line with tabs, whatever kind of file the table is in."""

import io
from collections.abc import Callable

import docx
import openpyxl
import pptx
import pytest
from pptx.util import Inches

from core.records import Document, Status
from extraction.readers.excel.cells import MergedCells
from extraction.readers.excel.rows import RowLines
from extraction.readers.html import html_text
from extraction.readers.ooxml import package
from extraction.readers.text.table import table_segments

Examine = Callable[..., list[Document]]

ROWS = [
    ["Name", "Born", "Diagnosis"],
    ["Ann Example", "1974-12-25", "asthma,\nmild"],
    ["Bob Other", "", "migraine"],
    ["Carl Third", "1950-01-01", ""],
]
LINES = [
    "Name\tBorn\tDiagnosis",
    "Ann Example\t1974-12-25\tasthma, mild",
    "Bob Other\t\tmigraine",
    "Carl Third\t1950-01-01\t",
]


def saved(made: object) -> bytes:
    out = io.BytesIO()
    made.save(out)  # type: ignore[attr-defined]
    return out.getvalue()


def letter_with_table() -> bytes:
    letter = docx.Document()
    table = letter.add_table(len(ROWS), 3)
    for row, texts in zip(table.rows, ROWS, strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            first, *others = text.split("\n")
            cell.text = first
            for other in others:
                cell.add_paragraph(other)
    letter.add_paragraph("After it.")
    return saved(letter)


def slide_with_table() -> bytes:
    show = pptx.Presentation()
    slide = show.slides.add_slide(show.slide_layouts[6])
    table = slide.shapes.add_table(len(ROWS), 3, Inches(1), Inches(1), Inches(5), Inches(2)).table
    for number, texts in enumerate(ROWS):
        for column, text in enumerate(texts):
            table.cell(number, column).text = text
    return saved(show)


def book_with_table() -> bytes:
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in ROWS:
        book.active.append([text or None for text in row])
    return saved(book)


def page_with_table() -> bytes:
    rows = "\n".join(
        " <tr>\n" + "".join(f"  <td>\n   <p>{text}</p>\n  </td>\n" for text in row) + " </tr>" for row in ROWS[:2]
    )
    return f"<html>\n<table>\n{rows}\n</table>\n</html>".encode()


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (letter_with_table(), [*LINES, "After it."]),
        (slide_with_table(), LINES),
        (book_with_table(), LINES),
        (page_with_table(), LINES[:2]),
    ],
    ids=["docx", "pptx", "xlsx", "html"],
)
def test_a_row_is_one_line(examined: Examine, data: bytes, lines: list[str]) -> None:
    (document,) = examined(data)
    assert document.status is Status.COMPLETE
    assert "\n".join(lines) in document.text


def test_a_large_letter_is_read_as_a_small_one(monkeypatch: pytest.MonkeyPatch) -> None:
    data = (
        b"<d><tbl><tr><tc><p><t>a</t></p></tc><tc><p><t>b</t></p><p><t>c</t></p></tc></tr></tbl><p><t>after</t></p></d>"
    )
    monkeypatch.setattr(package, "STRETCH_CHARS", 1)
    empty = object.__new__(package.Package)
    empty.fault = ""
    assert "\n".join(empty.stretches(data, {})) == "a\tb c\nafter\n"
    assert package.paragraphs(empty.tree_of(data)) == "a\tb c\nafter"


def test_a_cell_as_long_as_a_letter_keeps_its_lines() -> None:
    lines = package.ParagraphLines()
    lines.start()
    lines.start()
    for number in range(8):
        lines.add(f"paragraph {number}")
        lines.end("p")
    for name in ("tc", "tr"):
        lines.end(name)
    assert lines.take().splitlines() == [f"paragraph {number}" for number in range(8)]


@pytest.mark.parametrize("state", ["hidden", "veryHidden", "visible"])
def test_hidden_sheets_and_merged_cells(examined: Examine, state: str) -> None:
    book = openpyxl.Workbook()
    sheet = book.create_sheet("Ward seven")
    sheet.sheet_state = state
    for row in (["Patient", "Drug"], ["Ann Example", "letrozole"], [None, "ramipril"], ["Bob", "insulin"]):
        sheet.append(row)
    sheet.merge_cells("A2:A3")
    (document,) = examined(saved(book))
    by_place = {segment.where: segment.text for segment in document.segments}
    place = "sheet 2" if state == "visible" else "hidden sheet 2"
    assert by_place[place] == "Patient\tDrug\nAnn Example\tletrozole\nAnn Example\tramipril\nBob\tinsulin"


@pytest.mark.parametrize(
    ("rows", "lines"),
    [
        ([[(0, "a"), (1, "b")], [(1, "x")]], ["a\tb", "\tx"]),
        ([[(2, "a"), (3, "b")], [(2, "x"), (3, "y")]], ["a\tb", "x\ty"]),
        ([[(0, "title")], [(0, "a"), (2, "c")], [(0, "x")]], ["title", "a\t\tc", "x\t\t"]),
        ([[(0, "a"), (16_000, "b")], [(5, "x")]], ["a\tb" + "\t" * 30, "\t\t\t\t\tx" + "\t" * 30]),
        ([[(5, "a"), (6, "b")], [(0, "x"), (6, "y")]], ["a\tb", "x\t\t\t\t\t\ty"]),
        ([[(0, "two\nlines"), (1, "b")], []], ["two lines\tb", ""]),
    ],
)
def test_values_stay_below_their_headings(rows: list[list[tuple[int, str]]], lines: list[str]) -> None:
    shape = RowLines()
    assert [shape.line(row) for row in rows] == lines


def test_merged_cells_repeat_little() -> None:
    ranges = "".join(f'<mergeCell ref="A{row}:A{row + 199}"/>' for row in range(1, 200_000, 200))
    merged = MergedCells(ranges.encode())
    chars = 0
    for row in range(1, 200_000):
        cells = merged.fill(row, [(0, "x" * 200), (1, "y")] if row % 200 == 1 else [(1, "y")])
        chars += sum(len(text) for _, text in cells)
    assert chars < 1_500_000


def test_a_row_of_a_database_is_one_line() -> None:
    rows = [("Ann\nExample", "a\tb", None), (None, None, None), ("Bob", None, "x" * 3_000 + "\ny")]
    (segment,) = table_segments("table 1", ["name", "note", "more"], rows)
    assert segment.text == "name\tnote\tmore\nAnn Example\ta b\t\nBob\t\t" + "x" * 3_000 + "\ny"


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<table><tr>\n<td>a\nb</td>\n<td><div>\n<p>c</p></div></td>\n</tr></table>\n<b>d</b>", "a b\tc\nd"),
        ("<p>some\nwrapped text</p>\n<span>next</span>\n<i>same</i>", "some\nwrapped text\nnext same"),
        ("<pre>one\n<b>two</b>\n<b>three</b></pre>", "one\ntwo\nthree"),
        ("<table><tr><td><p>a</p><p>b</p></td><td>c</td></tr></table>", "a\nb\tc"),
    ],
)
def test_line_ends_in_markup(markup: str, text: str) -> None:
    assert html_text(markup) == text
