"""The commands of `act`: propose, list, approve, reject, run, undo, status, verify."""

from pathlib import Path
from typing import Annotated

import typer

from core.settings.act import ACTIONS
from leakscreen.cli.options import Config, Json, Set, act_app, flags_of

Ids = Annotated[list[str] | None, typer.Argument(metavar="[ID]...", help="Actions by id, or the beginning of one.")]
_SCAN = "A scan's folder, or an --out folder."


@act_app.callback(invoke_without_command=True)
def act(
    context: typer.Context,
    resume: Annotated[
        bool, typer.Option("--resume", help="Finish what a crash interrupted, or undo it where it cannot be finished.")
    ] = False,
    config: Config = None,
    setting: Set = None,
    json: Json = False,
) -> None:
    """Contain what was found: propose actions on files, let somebody else approve them, carry them out, undo them."""
    if context.invoked_subcommand is not None:
        if resume or setting or config or json:
            raise typer.BadParameter("options go behind the command, and --resume has none")
        return
    if not resume:
        typer.echo(context.get_help())
        raise typer.Exit(2)
    from leakscreen.commands.act import resume as command

    raise typer.Exit(command(flags_of(setting, {}), config, json))


@act_app.command()
def propose(
    scan: Annotated[str, typer.Argument(metavar="SCAN", help=_SCAN)],
    do: Annotated[
        str, typer.Option(metavar="|".join(ACTIONS), help="The action; without it, the [[policy]] tables decide.")
    ] = "",
    only: Annotated[
        list[str] | None, typer.Option(metavar="PATTERN", help="Only files whose path matches; repeatable.")
    ] = None,
    risk: Annotated[list[str] | None, typer.Option(help="Only files of this risk; repeatable.")] = None,
    verified: Annotated[
        bool, typer.Option("--verified", help="Only files that reviewers decided to hold health information.")
    ] = False,
    to: Annotated[str, typer.Option(metavar="FOLDER", help="Where `move` moves files to.")] = "",
    copy: Annotated[
        Path | None,
        typer.Option("--with", metavar="FILE", help="The copy with which `replace` replaces; one is made if missing."),
    ] = None,
    until: Annotated[str, typer.Option(metavar="YYYY-MM-DD", help="The last day on which `ignore` holds.")] = "",
    label: Annotated[str, typer.Option(help="The words that `label` writes (default: restricted).")] = "",
    reason: Annotated[str, typer.Option(help="Why; kept in the journal.")] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be proposed; write nothing.")] = False,
    config: Config = None,
    setting: Set = None,
    json: Json = False,
) -> None:
    """Propose an action on the referred files of a scan; nothing is touched. Proposing twice changes nothing."""
    from leakscreen.commands.act_propose import Wish, only_of, run

    wish = Wish(do, only_of(only), tuple(risk or ()), verified, to, copy, until, label, reason)
    raise typer.Exit(run(scan, wish, dry_run, flags_of(setting, {}), config, json))


@act_app.command("list")
def list_actions(
    state: Annotated[str, typer.Option(help="Only those in this state, such as proposed.")] = "",
    config: Config = None,
    setting: Set = None,
    json: Json = False,
) -> None:
    """List all actions with their state, who proposed and approved them, and how they ended."""
    from leakscreen.commands.act import show

    raise typer.Exit(show(state, flags_of(setting, {}), config, json))


@act_app.command()
def approve(
    ids: Ids = None,
    everything: Annotated[bool, typer.Option("--all", help="All that were proposed by somebody else.")] = False,
    config: Config = None,
    setting: Set = None,
    json: Json = False,
) -> None:
    """Approve what somebody else proposed."""
    from leakscreen.commands.act import approve as command

    raise typer.Exit(command(ids or (), everything, flags_of(setting, {}), config, json))


@act_app.command()
def reject(
    ids: Ids = None,
    why: Annotated[str, typer.Option(help="Why; kept in the journal.")] = "",
    config: Config = None,
    setting: Set = None,
    json: Json = False,
) -> None:
    """Reject what was proposed or approved and is not carried out yet."""
    from leakscreen.commands.act import reject as command

    raise typer.Exit(command(ids or (), why, flags_of(setting, {}), config, json))


@act_app.command()
def run(
    ids: Ids = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print exactly what would happen to each file; change nothing.")
    ] = False,
    follow: Annotated[
        bool, typer.Option("--follow", help="Go on until stopped: take up and carry out what comes next, too.")
    ] = False,
    config: Config = None,
    setting: Set = None,
    json: Json = False,
) -> None:
    """Carry out what is approved, or only the ids given; what a crash interrupted is finished first.

    Without ids it also takes up what people asked for in the cases of the review service.
    Exit codes: 0 all done; 2 failure; 3 some files were left alone, and the list says why.
    """
    from leakscreen.commands import act as commands

    if follow:
        if ids or dry_run:
            raise typer.BadParameter("--follow takes neither ids nor --dry-run")
        raise typer.Exit(commands.follow(flags_of(setting, {}), config, json))
    raise typer.Exit(commands.run(ids or (), dry_run, flags_of(setting, {}), config, json))


@act_app.command()
def undo(
    ids: Ids = None,
    to: Annotated[str, typer.Option(metavar="PATH", help="Put the file there instead of its old place.")] = "",
    config: Config = None,
    setting: Set = None,
    json: Json = False,
) -> None:
    """Undo what was done: the file is back, with its owner, mode, times and attributes. Not for delete and tell."""
    from leakscreen.commands.act import undo as command

    raise typer.Exit(command(ids or (), to, flags_of(setting, {}), config, json))


@act_app.command()
def status(
    scan: Annotated[str, typer.Argument(metavar="SCAN", help=_SCAN)],
    listed: Annotated[bool, typer.Option("--list", help="Also list each file.")] = False,
    config: Config = None,
    setting: Set = None,
    json: Json = False,
) -> None:
    """Count what all scans of the folder found, what is contained, and what a later scan verified to be gone."""
    from leakscreen.commands.act_status import run

    raise typer.Exit(run(scan, flags_of(setting, {}), config, listed, json))


@act_app.command()
def verify(config: Config = None, setting: Set = None, json: Json = False) -> None:
    """Detect any edit, removal or reordering in the journal, and damage in the vault; exits with 2 if there is any."""
    from leakscreen.commands.act import verify as command

    raise typer.Exit(command(flags_of(setting, {}), config, json))
