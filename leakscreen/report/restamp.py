"""The report of a scan -> that of a scan with the same findings: only what tells them apart is replaced."""

import re
from html import escape
from typing import Any

from leakscreen.report.format import duration, moment, page_title, visible

_STAMP = re.compile(r'(<(\w+) data-told="(\w+)">)[^<]*(</\2>)')
_OF_MANIFEST = frozenset({"scan_id", "started", "carried_from", "seal"})
_OF_SUMMARY = frozenset({"scan_id", "started", "finished", "seconds", "carried", "seal", "units_seal"})


def restamped(
    page: str, original: tuple[dict[str, Any], dict[str, Any]], manifest: dict[str, Any], summary: dict[str, Any]
) -> str | None:
    """The page of `original` (manifest and summary) for another scan; None if anything else differs."""
    if not (_same(original[0], manifest, _OF_MANIFEST) and _same(original[1], summary, _OF_SUMMARY)):
        return None
    values = {
        "title": page_title(summary["scan_id"]),
        "scan_id": summary["scan_id"],
        "started": moment(summary["started"]),
        "seconds": duration(summary["seconds"]),
        "carried_from": summary["carried"]["from"],
    }
    return _STAMP.sub(lambda stamp: f"{stamp[1]}{escape(visible(values[stamp[3]]))}{stamp[4]}", page)


def _same(left: dict[str, Any], right: dict[str, Any], but_for: frozenset[str]) -> bool:
    names = left.keys() - but_for
    return names == right.keys() - but_for and all(left[name] == right[name] for name in names)
