"""The command `export`; its formats are the modules of leakscreen/export/formats."""

from pathlib import Path
from typing import Annotated

import typer

from leakscreen.cli.options import Config, Set, app, flags_of
from leakscreen.export.registry import format_names


def _checked(form: str) -> str:
    if form not in format_names():
        raise typer.BadParameter(f"{form!r} is not one of {', '.join(format_names())}.")
    return form


@app.command()
def export(
    scan: Annotated[str, typer.Argument(metavar="SCAN", help="A scan's folder, or an --out folder.")],
    form: Annotated[
        str, typer.Option("--format", metavar="|".join(format_names()), callback=_checked, help="What to write.")
    ] = "jsonl",
    out: Annotated[Path | None, typer.Option(help="File to write (default: standard output).")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every file, not only the referred ones.")] = False,
    send: Annotated[bool, typer.Option("--send", help="Send syslog lines to syslog.url instead.")] = False,
    config: Config = None,
    setting: Set = None,
) -> None:
    """Write the referred files of a scan for other systems, masked; whole or not at all."""
    from leakscreen.commands.export import run

    run(scan, form, out, everything, send, flags_of(setting, {}), config)
