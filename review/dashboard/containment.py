"""Scans that were taken in -> how many of the files found so far are open, contained and closed, and how fast."""

from typing import Any

from review.dashboard.plots import Column, Plot
from review.models import Scan
from review.translation import gettext_lazy as _

_SCANS = 60  # that are drawn, the newest
_COLUMNS = (
    Column("label", _("Scan")),
    Column("value", _("Open"), "count"),
    Column("contained", _("Contained"), "count"),
    Column("closed", _("Closed"), "count"),
    Column("found", _("Found"), "count"),
    Column("days", _("Median days to close"), "ratio"),
)


def containment_plots() -> list[Plot]:
    """As of each scan; the newest one also after every `leakscreen act status`."""
    counted = Scan.objects.exclude(containment={}).exclude(taken_in=None).order_by("-started")[:_SCANS]
    scans = sorted(counted, key=lambda scan: scan.started)
    rows = [_row(f"{scan.started:%Y-%m-%d} {scan.pk[-6:]}", scan.containment) for scan in scans]
    by_source = [
        _row(source or "no source", counts)
        for scan in scans[-1:]
        for source, counts in scan.containment["by_source"].items()
    ]
    note = _(
        "Files found in all scans of the folder so far. Contained: an action is done. Closed: a later scan of the place"
        " no longer sees that content there."
    )
    sources = (Column("label", _("Source")), *_COLUMNS[1:])
    return [
        Plot("containment", "bars", _("Open, contained and closed, scan by scan"), note, _COLUMNS, rows),
        Plot("containment-sources", "bars", _("Open, contained and closed, by source"), note, sources, by_source),
    ]


def _row(label: str, counts: dict[str, Any]) -> list[Any]:
    return [label, *(counts[name] for name in ("open", "contained", "closed", "found", "median_days_to_close"))]
