"""Proposed prototypes, by radius, beside the present rules -> a table and sentences for a terminal."""

from typing import Any

from rich.table import Table

from leakscreen.console.summary import console_for, rate


def print_preview(preview: Any) -> None:
    console = console_for()
    present = preview.present
    kind = "PHI files alone (one class)" if preview.one_class else "the reviews"
    title = f"What prototypes learned from {kind} would do, on {present.n:,} examined files"
    table = Table(title=title, title_justify="left", box=None)
    table.add_column("rules", no_wrap=True)
    for column in ("prototypes", "screened", "not verified", "TDP", "FRP"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_row("present rules", "", *_rates(present))
    for choice in preview.choices:
        proposal = choice.proposal
        mark = " ←" if choice is preview.chosen else ""
        table.add_row(
            f"and learned, radius {proposal.radius}{mark}",
            f"{len(proposal.prototypes):,}",
            *_rates(choice.beside),
        )
    console.print(table)
    console.print(_alone(preview))
    for line in _explained(preview):
        console.print(line, markup=False, highlight=False)


def _alone(preview: Any) -> Table:
    table = Table(title="The learned rule alone, cross-validated", title_justify="left", box=None)
    table.add_column("radius", no_wrap=True)
    for column in ("TPF, verified", "of all files", "FPF, verified", "of all files", "score"):
        table.add_column(column, justify="right", no_wrap=True)
    for choice in preview.choices:
        proposal, of_all = choice.proposal, choice.of_all
        table.add_row(
            f"{proposal.radius}{' ←' if choice is preview.chosen else ''}",
            _share(proposal.tpf),
            _of_all(of_all.tpf, of_all.tpf_bounds),
            _share(proposal.fpf),
            _of_all(of_all.fpf, of_all.fpf_bounds),
            f"{float(proposal.score):.3f}",
        )
    return table


def _of_all(value: float | None, bounds: tuple[float, float] | None) -> str:
    return rate(value) if bounds is None else f"≥{rate(bounds[0])} ≤{rate(bounds[1])}"


def _rates(found: Any) -> tuple[str, str, str, str]:
    mark = "≥" if found.bounded else ""
    unverified = f"{found.positive - found.verified:,}"
    return f"{found.positive:,}", unverified, mark + rate(found.tdp), mark + rate(found.frp)


def _share(share: Any) -> str:
    return rate(None if share is None else float(share))


def _explained(preview: Any) -> list[str]:
    chosen = preview.chosen
    said = [
        "Cross-validated: a verified file counts as flagged if what the other files taught flags it."
        " ≥ and ≤: the worst cases of what unverified files may hold.",
        "Score: TPF - FPF among verified files - share of unverified files that would be flagged; 0 is no better than"
        " chance.",
    ]
    if preview.offers_one_class:
        said.append(f"Only {preview.negatives} verified files are not PHI; --one-class learns from PHI files alone.")
    if preview.on_containers:
        said.append(
            f"{preview.on_containers:,} labels name containers (archives, mails), which have no text of their own and"
            " teach nothing: label their members."
        )
    if preview.unchanged:
        said.append(
            "The learned rule compares whole files: all that one file holds, whoever it belongs to."
            f" Rules about one person stay as they are: {', '.join(preview.unchanged)}."
        )
    if chosen.unseen:
        said.append(
            f"Radius {chosen.proposal.radius} would screen in {chosen.unseen:,} files that nobody has reviewed."
        )
    said.append(
        f"Adopted as {preview.adopted}; `leakscreen train prototypes --rollback` undoes it."
        if preview.adopted
        else "Nothing was changed: --adopt uses the marked radius, --radius another one."
    )
    return said
