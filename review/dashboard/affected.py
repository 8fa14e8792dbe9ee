"""Scans that were taken in -> how many different people their referred files concern, by scan and by source."""

from review.dashboard.plots import Column, Plot
from review.models import Scan
from review.translation import gettext_lazy as _

_SCANS = 60  # that are drawn, the newest


def affected_plots() -> list[Plot]:
    counted = Scan.objects.exclude(people={}).exclude(taken_in=None).order_by("-started")[:_SCANS]
    scans = sorted(counted, key=lambda scan: scan.started)
    rows = [
        [f"{scan.started:%Y-%m-%d} {scan.pk[-6:]}", scan.people["count"], *_interval(scan.people), scan.people["known"]]
        for scan in scans
    ]
    columns = (
        Column("label", _("Scan")),
        Column("value", _("People"), "count"),
        Column("least", _("Surely"), "count"),
        Column("most", _("At most"), "count"),
        Column("known", _("Known people"), "count"),
    )
    by_source = [
        [f"{source}, {scan.started:%Y-%m-%d}", count]
        for scan in scans
        for source, count in scan.people["by_source"].items()
    ]
    note = _("Different people in referred files, linked over files without any value.")
    return [
        Plot("affected", "bars", _("People affected, scan by scan"), note, columns, rows),
        Plot(
            "affected-sources",
            "bars",
            _("People affected, by source"),
            _("Somebody in two sources counts in both."),
            (Column("label", _("Source and scan")), Column("value", _("People"), "count")),
            by_source,
        ),
    ]


def _interval(people: dict[str, int]) -> tuple[int, int]:
    return people["surely_distinct"], people["at_most"]
