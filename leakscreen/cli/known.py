"""The commands `known ...`."""

from pathlib import Path
from typing import Annotated

import typer

from leakscreen.cli.options import Config, Set, app, flags_of

known_app = typer.Typer(no_args_is_help=True, help="Find the organisation's own people by exact match.")
app.add_typer(known_app, name="known")


@known_app.command("build")
def build(
    source: Annotated[Path, typer.Argument(metavar="LIST.csv", help="The list; its first line names the columns.")],
    primary: Annotated[str, typer.Option("--key", help="Column whose value is of one person only, such as mrn.")],
    supporting: Annotated[
        str,
        typer.Option("--with", help="Columns of which one must be near it: name,birth_date or DOB=birth_date."),
    ],
    out: Annotated[Path, typer.Option(help="The index to write.")] = Path("known.index"),
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    config: Config = None,
    setting: Set = None,
) -> None:
    """Make an index of a list of people: keyed hashes alone, no value; a list that cannot be right is refused."""
    from leakscreen.commands.known import run

    columns = [column.strip() for column in supporting.split(",") if column.strip()]
    run(source, primary, columns, out, flags_of(setting, {}), config, as_json)
