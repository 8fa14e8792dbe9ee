"""A scan's figures -> what was examined and what not, of which types, at which risk, and where the time went."""

from collections import defaultdict
from typing import Any

from django.urls import reverse

from core.access import CIRCLES, UNKNOWN, count_access
from core.in_words import spoken_type
from review.dashboard.choice import Choice
from review.dashboard.plots import Column, Plot
from review.dashboard.rules import prevalence_plot
from review.translation import gettext_lazy as _

_STATUSES = ("complete", "partial", "container", "unsupported", "encrypted", "failed", "unreadable")
_RISKS = ("high", "medium", "low", "none")
_MOST_TYPES = 20


def scan_plots(choice: Choice, file_list: str) -> list[Plot]:
    if choice.figures is None:
        return [_status(choice)]
    return [
        _status(choice),
        _reasons(choice, file_list),
        prevalence_plot(choice),
        _risks(choice),
        *_access(choice, linked=bool(file_list)),
        _types(choice),
        _stages(choice),
    ]


def _inside(choice: Choice, source: str) -> bool:
    return choice.source in ("", source)


def _status(choice: Choice) -> Plot:
    counts: dict[str, int] = defaultdict(int)
    for reason in choice.figures.reasons if choice.figures else ():
        if _inside(choice, reason.source):
            counts[reason.status] += reason.files
    everything = sum(counts.values())
    rows = [[status, counts[status], counts[status] / everything] for status in _STATUSES if counts[status]]
    columns = (
        Column("label", _("Status")),
        Column("value", _("Files"), "count"),
        Column("share", _("Share"), "percent"),
    )
    note = _("Every file and every member of an archive or mail ends in exactly one status.")
    return Plot(
        "status",
        "bars",
        _("Coverage of the scan"),
        note,
        columns,
        rows,
        choice.nothing_chosen,
        {"value": "value", "tones": True},
    )


def _reasons(choice: Choice, file_list: str) -> Plot:
    counts: dict[tuple[str, str], int] = defaultdict(int)
    for reason in choice.figures.reasons if choice.figures else ():
        if _inside(choice, reason.source) and reason.is_gap:
            counts[reason.status, reason.reason] += reason.files
    largest = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    rows = [[f"{reason or 'no reason recorded'}", status, files] for (status, reason), files in largest]
    links = (
        [file_list + choice.address(status=status, reason=reason) for (status, reason), _ in largest]
        if file_list
        else []
    )
    columns = (
        Column("label", _("Reason"), "reason"),
        Column("status", _("Status")),
        Column("value", _("Files"), "count"),
    )
    note = _("Files that were not examined, or only in part, or are in a language that the models do not know.")
    options = {"value": "value", "most": 16, "tone": "status"}
    return Plot(
        "reasons",
        "bars",
        _("What was not examined or judged, and why"),
        note,
        columns,
        rows,
        _("Everything was examined and judged."),
        options,
        links=links,
    )


def _risks(choice: Choice) -> Plot:
    counts: dict[str, int] = defaultdict(int)
    for source, risk, files in choice.figures.risks if choice.figures else ():
        if _inside(choice, source):
            counts[risk] += files
    rows = [[risk, counts[risk]] for risk in _RISKS if counts[risk]]
    columns = (Column("label", _("Risk")), Column("value", _("Referred files"), "count"))
    note = _("How much of a person is readable in the referred files.")
    return Plot(
        "risks",
        "bars",
        _("Risk of what was referred"),
        note,
        columns,
        rows,
        _("Nothing was referred."),
        {"value": "value", "tones": True},
    )


def _access(choice: Choice, linked: bool) -> list[Plot]:
    found = choice.figures.access if choice.figures else ()
    circles, readers = count_access((access, files) for source, access, files in found if _inside(choice, source))
    shown = [name for name in CIRCLES if circles[name]]
    plots = [
        Plot(
            "access",
            "bars",
            _("Who may read what was referred"),
            _("The widest circle of people who may read each file, as its source says."),
            (Column("label", _("May read it")), Column("value", _("Referred files"), "count")),
            [[CIRCLES[name], circles[name]] for name in shown],
            _("Nothing was referred, or the scan was counted by a version that did not look at this."),
            {"value": "value"},
            links=[f"{reverse('list')}?access={name}" if linked and name != UNKNOWN else "" for name in shown],
        )
    ]
    if readers:
        rows = [[name, files] for name, files in sorted(readers.items(), key=lambda entry: (-entry[1], entry[0]))]
        note = _("Of files that not everyone may read. A file counts for each group; users are not named here.")
        columns = (Column("label", _("Group or user")), Column("value", _("Referred files"), "count"))
        options = {"value": "value", "most": _MOST_TYPES}
        plots.append(Plot("readers", "bars", _("Groups and users who may read them"), note, columns, rows, "", options))
    return plots


def _types(choice: Choice) -> Plot:
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for kind in choice.figures.kinds if choice.figures else ():
        if _inside(choice, kind.source):
            for place, count in enumerate((kind.files, kind.examined + kind.containers, kind.referred, kind.size)):
                counts[kind.media_type][place] += count
    largest = sorted(counts.items(), key=lambda entry: (-entry[1][0], entry[0]))
    rows: list[list[Any]] = [[spoken_type(name), *four, 1000 * four[2] / four[0]] for name, four in largest]
    columns = (
        Column("label", _("Type")),
        Column("value", _("Files"), "count"),
        Column("examined", _("Examined or opened"), "count"),
        Column("referred", _("Referred"), "count"),
        Column("size", _("Size"), "bytes"),
        Column("per_thousand", _("Referred per 1,000 files"), "count"),
    )
    note = _("Types detected from content; the stronger part was examined, or opened where it is an archive or a mail.")
    options = {"value": "value", "part": "examined", "most": _MOST_TYPES}
    return Plot("types", "bars", _("File types"), note, columns, rows, _("There are no records."), options)


def _stages(choice: Choice) -> Plot:
    stages = choice.figures.stages if choice.figures else ()
    rows = [[name, seconds, size, size / seconds if seconds else None] for name, seconds, size in stages]
    columns = (
        Column("label", _("Stage")),
        Column("value", _("Work"), "seconds"),
        Column("size", _("Read"), "bytes"),
        Column("rate", _("A second"), "bytes"),
    )
    note = _("Work added up over all workers, for the scan as a whole.")
    return Plot(
        "stages",
        "bars",
        _("Where the time went"),
        note,
        columns,
        rows,
        _("No times were recorded."),
        {"value": "value", "how": "seconds"},
    )
