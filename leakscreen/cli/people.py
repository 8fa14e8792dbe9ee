"""The commands about people: `people`."""

from typing import Annotated

import typer

from leakscreen.cli.options import app

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
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Count the different people whom files concern, linked over files, scans and sources without any value."""
    from leakscreen.commands.people import run

    run(scans, which, listed, as_json)
