import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.csv_cells import safe_cell


@pytest.mark.parametrize("sign", ["=", "+", "-", "@", "＝", "＋", "－", "＠"])
@pytest.mark.parametrize("before", ["", " ", "  \u00a0", "\t", "\r", "\n ", "\u3000"])
def test_what_a_spreadsheet_would_evaluate_is_quoted(sign: str, before: str) -> None:
    text = f"{before}{sign}cmd|'/C calc'!A0"
    assert safe_cell(text) == f"'{text}"


@pytest.mark.parametrize("start", ["\t", "\r", "\n"])
def test_a_tab_or_a_line_break_at_the_start_is_quoted(start: str) -> None:
    assert safe_cell(f"{start}x") == f"'{start}x"


@pytest.mark.parametrize("value", ["", "a=b", "plain", " plain", "'quoted", -2, 1.5, None, True])
def test_all_else_stays_as_it_is(value: object) -> None:
    assert safe_cell(value) is value


@given(st.text())
def test_no_cell_begins_like_a_formula(text: str) -> None:
    shown = safe_cell(text)
    assert not shown.lstrip().startswith(("=", "+", "-", "@"))
    assert shown in (text, f"'{text}")
