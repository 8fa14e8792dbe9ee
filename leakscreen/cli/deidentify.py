"""The command that writes de-identified copies: `deidentify`."""

from pathlib import Path
from typing import Annotated

import typer

from leakscreen.cli.options import Config, Json, Quiet, Set, app, flags_of


@app.command()
def deidentify(
    source: Annotated[
        str, typer.Argument(metavar="FILE|DIR|-", help="A file, a folder, or - for text on standard input.")
    ],
    out: Annotated[
        Path | None,
        typer.Option(
            help="File, or empty folder, to write; for - standard output, if it is left out.", show_default=False
        ),
    ] = None,
    way: Annotated[
        str | None,
        typer.Option(
            metavar="tag|mask|generalise|surrogate", help="How values are replaced (default: tag).", show_default=False
        ),
    ] = None,
    mapping: Annotated[
        Path | None,
        typer.Option(
            help="Write which value became what, encrypted with LEAKSCREEN_MAPPING_PASSPHRASE.", show_default=False
        ),
    ] = None,
    quiet: Quiet = False,
    json: Json = False,
    config: Config = None,
    setting: Set = None,
) -> None:
    """Write copies without the people in them; each is read again and screened before it gets its name."""
    from leakscreen.commands.deidentify import run

    flags = flags_of(setting, {"deidentify.way": way})
    raise typer.Exit(run(source, out, mapping, flags, config, quiet=quiet, as_json=json))
