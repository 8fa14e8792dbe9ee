"""Commands of the mail gateway: gate, check."""

from pathlib import Path
from typing import Annotated

import typer

from leakscreen.cli.options import Config, Json, Set, app, flags_of

gate_app = typer.Typer(
    help="Judge outgoing mail as a milter, and release what reviewers cleared.", no_args_is_help=True
)
app.add_typer(gate_app, name="gate")


@gate_app.command("run")
def gate_run(
    listen: Annotated[
        str | None, typer.Option(metavar="HOST:PORT|PATH", help="Where the mail server connects.")
    ] = None,
    out: Annotated[str | None, typer.Option(help="Folder for the results.")] = None,
    config: Config = None,
    setting: Set = None,
) -> None:
    """Run the gate: a milter for Postfix, and the service behind `leakscreen check`, until it is stopped."""
    from leakscreen.commands.gate import run

    run(flags_of(setting, {"gate.listen": listen, "gate.out": out}), config)


@gate_app.command("release")
def gate_release(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be done.")] = False,
    config: Config = None,
    setting: Set = None,
    json: Json = False,
) -> None:
    """Release held mails that reviewers cleared, and do with the others what gate.on_phi says; needs root.

    A mail is released only when everything of it that was referred is decided and nothing of it is PHI.
    """
    from leakscreen.commands.gate import release

    release(flags_of(setting, {}), config, dry_run, json)


@gate_app.command("policies")
def gate_policies(config: Config = None, setting: Set = None, json: Json = False) -> None:
    """Check the policies, and list them."""
    from leakscreen.commands.gate import show_policies

    show_policies(flags_of(setting, {}), config, json)


@app.command()
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to judge.")],
    config: Config = None,
    setting: Set = None,
    json: Json = False,
) -> None:
    """Give one verdict about a file: from the running gate in milliseconds, or by loading the models.

    Exit codes: 0 nothing was found; 1 it is referred; 2 failure; 3 it was not, or not wholly, examined.
    """
    from leakscreen.commands.check import run

    raise typer.Exit(run(str(file), flags_of(setting, {}), config, json))
