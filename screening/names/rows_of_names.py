"""Lines that look like rows, and spans -> the lines of the tables in which somebody is named."""

from bisect import bisect_right
from collections.abc import Sequence

from core.records import Span
from screening.names.row_lines import Stretch
from screening.names.table_columns import NAMES


def rows_of_names(lines: Sequence[Stretch], spans: Sequence[Span]) -> list[Stretch]:
    """Lines that follow each other, one of them with a name: columns have no say elsewhere, and code is full of rows.

    Spans come in the order of the text.
    """
    names = [span.start for span in spans if span.characteristic in NAMES] if lines else []
    if not names:
        return []
    starts = [start for start, _ in lines]
    rows: list[Stretch] = []
    done = 0
    for name in names:
        at = bisect_right(starts, name) - 1
        if at < done or name >= lines[at][1]:
            continue
        low, high = at, at + 1
        while low > done and lines[low - 1][1] + 1 == starts[low]:
            low -= 1
        while high < len(lines) and lines[high - 1][1] + 1 == starts[high]:
            high += 1
        rows += lines[low:high]
        done = high
    return rows
