"""Referred files -> the folders that hold most of them, so that an owner sees where to begin."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from core.records import Risk
from leakscreen.report.format import UNDEFINED, count
from leakscreen.report.plots import Bar, width
from leakscreen.report.view import Plot

_MOST = 12


def places(rows: Sequence[Mapping[str, Any]]) -> Plot:
    """A member of an archive or mail is where its outermost container is."""
    files: Counter[str] = Counter()
    high: Counter[str] = Counter()
    for row in rows:
        outer = str(row.get("container_uri") or "").partition("!")[0] or str(row.get("uri") or UNDEFINED)
        folder = outer.rpartition("/")[0] + "/" if "/" in outer else UNDEFINED
        files[folder] += 1
        high[folder] += row.get("risk") == Risk.HIGH
    found = sorted(files.items(), key=lambda entry: (-entry[1], entry[0]))
    largest = found[0][1] if found else None
    bars = [
        Bar(
            folder,
            count(amount),
            "",
            width(amount, largest),
            "referred",
            flag=f"{count(high[folder])} of high risk" if high[folder] else "",
        )
        for folder, amount in found[:_MOST]
    ]
    return Plot(bars, len(found) - len(bars))
