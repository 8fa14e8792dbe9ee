"""A value for a CSV file -> the same value, made harmless where a spreadsheet would run it as a formula."""

from typing import Any

# Spreadsheets also start a formula at full-width signs, and some skip a tab or a line break before looking for one.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def safe_cell(value: Any) -> Any:
    """Puts a quotation mark before text that a spreadsheet would evaluate, also after blanks; numbers stay numbers."""
    if not isinstance(value, str):
        return value
    return f"'{value}" if value.startswith(_FORMULA_STARTS) or value.lstrip().startswith(_FORMULA_STARTS) else value
