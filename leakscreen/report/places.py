"""Referred files -> the folders with the most of them, so that an owner sees where to start."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from core.records import Risk
from leakscreen.report.format import UNDEFINED, count
from leakscreen.report.plots import Bar, width
from leakscreen.report.view import Plot

_MOST = 12


def places(rows: Sequence[Mapping[str, Any]]) -> Plot:
    """A member of an archive or mail counts for the folder of its outermost container."""
    files: Counter[str] = Counter()
    high: Counter[str] = Counter()
    for row in rows:
        outer = str(row.get("container_uri") or "").partition("!")[0] or str(row.get("uri") or UNDEFINED)
        folder = outer.rpartition("/")[0] + "/" if "/" in outer else UNDEFINED
        files[folder] += 1
        high[folder] += row.get("risk") == Risk.HIGH
    folders = sorted(files.items(), key=lambda entry: (-entry[1], entry[0]))
    largest = folders[0][1] if folders else None
    bars = [
        Bar(
            folder,
            count(amount),
            "",
            width(amount, largest),
            "referred",
            flag=f"{count(high[folder])} high risk" if high[folder] else "",
        )
        for folder, amount in folders[:_MOST]
    ]
    return Plot(bars, len(folders) - len(bars))
