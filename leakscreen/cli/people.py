"""The commands about people: `people`, `breach` and `addressees`."""

from pathlib import Path
from typing import Annotated

import typer

from leakscreen.cli.options import Beam, Config, CountRunner, Set, app, flags_of

_WHICH = ("referred", "screened", "all")


def _checked(which: str) -> str:
    if which not in _WHICH:
        raise typer.BadParameter(f"{which!r} is not one of {', '.join(_WHICH)}.")
    return which


@app.command()
def people(
    scans: Annotated[list[str], typer.Argument(metavar="SCAN...", help="Folders of scans, or --out folders.")],
    which: Annotated[
        str,
        typer.Option("--of", metavar="|".join(_WHICH), callback=_checked, help="The files whose people are counted."),
    ] = "referred",
    listed: Annotated[int, typer.Option("--top", min=0, help="How many folders, files and people to list.")] = 20,
    runner: CountRunner = None,
    workers: Annotated[
        int | None,
        typer.Option(min=0, help="Worker processes of --runner local (0: one per core).", show_default=False),
    ] = None,
    beam: Beam = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    config: Config = None,
    setting: Set = None,
) -> None:
    """Count the different people whom files concern, linked over files, scans and sources without any value."""
    from leakscreen.commands.people import run, run_in_beam

    if runner is None:
        run(scans, which, listed, as_json)
        return
    named = {"scan.runner": runner, "scan.workers": workers, "scan.beam_options": list(beam) if beam else None}
    run_in_beam(scans, which, listed, as_json, flags_of(setting, named), config)


@app.command()
def breach(
    scans: Annotated[list[str] | None, typer.Argument(metavar="[SCAN]...", help="Folders of scans.")] = None,
    from_reviews: Annotated[
        bool, typer.Option("--from-reviews", help="Count what reviewers verified, and apart what nobody decided yet.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option(help="File to write: .html, .docx or .json (default: JSON printed).")
    ] = None,
    form: Annotated[
        str, typer.Option("--format", metavar="html|docx|json", help="What to write, whatever its name.")
    ] = "",
    discovered: Annotated[str, typer.Option(metavar="YYYY-MM-DD", help="Day of discovery, for deadlines.")] = "",
    config: Config = None,
    setting: Set = None,
) -> None:
    """Write a breach report: how many people, what was exposed, where, and whom laws ask to tell; no legal advice."""
    from leakscreen.commands.breach import run

    run(scans or [], from_reviews, out, form, discovered, flags_of(setting, {}), config)


@app.command()
def addressees(
    scans: Annotated[list[str] | None, typer.Argument(metavar="[SCAN]...", help="Folders of scans.")] = None,
    from_reviews: Annotated[
        bool, typer.Option("--from-reviews", help="Only of files that reviewers found to hold health information.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="The sealed list to write, or with --open the opened one.")] = None,
    reason: Annotated[str, typer.Option(help="Why the list is needed; it goes into the audit log.")] = "",
    sealed: Annotated[
        Path | None, typer.Option("--open", metavar="FILE", help="Open a sealed list (default: to standard output).")
    ] = None,
    config: Config = None,
    setting: Set = None,
) -> None:
    """Make a list of affected people with names and addresses, for letters: read again in the sandbox, audited, and
    encrypted with LEAKSCREEN_LIST_PASSPHRASE."""
    from leakscreen.commands.addressees import run, run_open

    if sealed is not None:
        run_open(sealed, out)
        return
    if out is None:
        raise typer.BadParameter("name the file to write with --out", param_hint="--out")
    run(scans or [], from_reviews, out, reason, flags_of(setting, {}), config)
