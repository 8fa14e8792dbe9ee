"""Where files are -> folders with everything below them, and a folder -> the boxes of its map."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Sum

from review.dashboard.choice import Choice
from review.dashboard.plots import Column, Plot, written
from review.models import Folder
from review.translation import gettext, ngettext
from review.translation import gettext_lazy as _

Path = tuple[str, ...]
NO_FOLDERS = _("There are no folders to show: their names were removed.")
_MOST_CHILDREN, _MOST_BELOW, _DIVIDED, _DEEPEST = 40, 12, 15, 100
ROOT: Path = ()
_COUNTS = ("files", "examined", "referred")


def place_in(source: str, uri: str, container: str | None = None) -> Path:
    """The source, then each folder below it; what is inside a container is where the container is."""
    outer = uri if container is None else container.partition("!")[0]
    below = outer[len(source) :] if source and outer.startswith(source) else outer
    return (source or "/", *(part for part in below.split("/")[:-1] if part))


def folders_above(leaves: Mapping[Path, Sequence[int]]) -> dict[Path, list[int]]:
    """Every folder and every folder above it, each with the sums of all below."""
    totals: dict[Path, list[int]] = {ROOT: [0, 0, 0]}
    for path, counts in leaves.items():
        for depth in range(len(path) + 1):
            above = totals.setdefault(path[:depth], [0, 0, 0])
            for place, count in enumerate(counts):
                above[place] += count
    return totals


@dataclass(frozen=True, slots=True)
class FolderMap:
    """`above` leads from the top down to the folder itself."""

    above: Sequence[tuple[int, str]]
    plot: Plot


def folder_map(choice: Choice, number: int, skipped: int = 0) -> FolderMap:
    """Two levels below a folder; small folders are combined, and one that has a single folder alone is skipped.

    `skipped` leaves out that many of the largest folders, to show those that are combined otherwise.
    """
    if choice.scan is None:
        return FolderMap((), _plot([], [], "", choice.nothing_chosen))
    rows, links = list[list[Any]](), list[str]()
    above = _above(choice.scan.pk, number)
    here = above[-1][0] if above else 0
    children = _children(choice.scan.pk, here, _MOST_CHILDREN, skipped)
    if not skipped and len(children) == 1 and children[0].files == _files_of(choice.scan.pk, here):
        return folder_map(choice, children[0].number)
    below = {child.number: _children(choice.scan.pk, child.number, _MOST_BELOW) for child in children[:_DIVIDED]}
    for child in children:
        inner = below.get(child.number, [])
        for folder in inner:
            rows.append(_row(folder, f"{child.path}/{folder.path}", child.path))
            links.append(choice.address(folder=str(folder.number)))
        left = [getattr(child, name) - sum(getattr(each, name) for each in inner) for name in _COUNTS]
        if left[0]:
            label = gettext("%s: other files") % child.path if inner else child.path
            rows.append([label, child.path, *left, left[2] / left[0]])
            links.append(choice.address(folder=str(child.number)))
    _add_rest(choice, here, skipped + len(children), rows, links)
    return FolderMap(above, _plot(rows, links, above[-1][1] if above else ""))


def _add_rest(choice: Choice, here: int, shown: int, rows: list[list[Any]], links: list[str]) -> None:
    """Folders too many to draw, as one box that leads to them; and the files that are in no folder below this one."""
    scan_id = choice.scan.pk if choice.scan else ""
    whole = Folder.objects.filter(scan=scan_id, number=here).first()
    if whole is None:
        return
    below = Folder.objects.filter(scan=scan_id, parent=here).order_by("-files", "number")
    inside = [*below.aggregate(*(Sum(name, default=0) for name in _COUNTS)).values()]
    drawn = list(below.values_list(*_COUNTS)[:shown])
    smaller = [total - sum(row[place] for row in drawn) for place, total in enumerate(inside)]
    if left := below.count() - len(drawn):
        label = ngettext("%s smaller folder", "%s smaller folders", left) % written(left, "count")
        rows.append([label, label, *smaller, smaller[2] / smaller[0] if smaller[0] else 0.0])
        links.append(choice.address(folder=str(here), skipped=str(shown)))
    own = [getattr(whole, name) - inner for name, inner in zip(_COUNTS, inside, strict=True)]
    if own[0]:
        label = gettext("files of this folder itself")
        rows.append([label, label, *own, own[2] / own[0]])
        links.append("")


def _files_of(scan_id: str, number: int) -> int:
    return int(Folder.objects.filter(scan=scan_id, number=number).values_list("files", flat=True).first() or 0)


def _children(scan_id: str, number: int, most: int, skipped: int = 0) -> list[Folder]:
    largest_first = Folder.objects.filter(scan=scan_id, parent=number).order_by("-files", "number")
    return list(largest_first[skipped : skipped + most])


def _above(scan_id: str, number: int) -> list[tuple[int, str]]:
    trail: list[tuple[int, str]] = []
    at: int | None = number
    while at is not None and len(trail) < _DEEPEST:
        folder = Folder.objects.filter(scan=scan_id, number=at).first()
        if folder is None:
            return _above(scan_id, 0) if number else []
        trail.insert(0, (folder.number, folder.path or str(_("everything"))))
        at = folder.parent
    return trail


def _row(folder: Folder, label: str, group: str) -> list[Any]:
    return [
        label,
        group,
        folder.files,
        folder.examined,
        folder.referred,
        folder.referred / folder.files if folder.files else 0.0,
    ]


def _plot(rows: list[list[Any]], links: list[str], title: str, empty: str = NO_FOLDERS) -> Plot:
    columns = (
        Column("label", _("Folder")),
        Column("group", _("In")),
        Column("value", _("Files"), "count"),
        Column("examined", _("Examined"), "count"),
        Column("referred", _("Referred"), "count"),
        Column("share", _("Referred per file"), "rate"),
    )
    note = _(
        "Each box is a folder, sized by its number of files; its colour is the share of them that was referred, as the"
        " key says. Click a box to open its folder."
    )
    return Plot(
        "folders",
        "treemap",
        _("Where the problem lives: %s") % title if title else _("Folder map"),
        note,
        columns,
        rows,
        empty,
        links=links,
    )
