"""Commands around the review service: review, refer, serve, notify, schedule, export-..., purge, audit."""

from pathlib import Path
from typing import Annotated

import typer

from leakscreen.cli.options import Config, Json, Quiet, Set, app, audit_app, flags_of


@app.command()
def review(
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[SOURCE]...",
            help="What to scan first; without it, the newest scan in --out is reviewed.",
            show_default=False,
        ),
    ] = None,
    out: Annotated[str | None, typer.Option(help="Folder of the results.")] = None,
    workers: Annotated[int | None, typer.Option(help="Worker processes; 0 means one per core.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on; 0 means any free one.")] = None,
    config: Config = None,
    setting: Set = None,
    quiet: Quiet = False,
) -> None:
    """Scan, refer and serve in one go, and print a link that logs you in once and opens the first referral.

    The first account is manager and reviewer.
    """
    from leakscreen.commands.review import run

    flags = {"scan.out": out, "scan.workers": workers, "review.port": port}
    run(tuple(sources or ()), flags_of(setting, flags), config, quiet)


@app.command()
def refer(
    scan: Annotated[str, typer.Argument(metavar="SCAN", help="A scan's folder, or an --out folder.")],
    screened: Annotated[
        bool, typer.Option("--screened", help="Refer all screened positives, whatever the health stage decided.")
    ] = False,
    audit: Annotated[
        int,
        typer.Option(
            min=0, help="Also draw this many contents that were not referred, from both stages; all are judged blind."
        ),
    ] = 0,
    negatives: Annotated[int, typer.Option(min=0, hidden=True)] = 0,  # the old name of --audit
    config: Config = None,
    setting: Set = None,
    json: Json = False,
) -> None:
    """Send a scan's positives to the review service; running it again changes nothing."""
    from leakscreen.commands.refer import run

    run(scan, flags_of(setting, {}), config, screened, audit or negatives, json)


@app.command()
def notify(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print what is due; send and write nothing.")] = False,
    retry_refused: Annotated[
        bool, typer.Option("--retry-refused", help="Also retry messages that a server refused for good.")
    ] = False,
    again: Annotated[bool, typer.Option("--again", hidden=True)] = False,  # the old name of --retry-refused
    config: Config = None,
    setting: Set = None,
    json: Json = False,
) -> None:
    """Send each reviewer a digest of the queues, at most one per period.

    Exit codes: 0 everything was delivered; 2 failure; 3 something could not be delivered yet.
    """
    from leakscreen.commands.notify import run

    raise typer.Exit(run(flags_of(setting, {}), config, dry_run, retry_refused or again, json))


@app.command()
def schedule(
    once: Annotated[
        bool, typer.Option("--once", help="Run what is due, then exit; for cron and systemd timers.")
    ] = False,
    listed: Annotated[
        bool, typer.Option("--list", help="Show when each schedule runs next, and how its last run ended.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would run now; run and write nothing.")] = False,
    history: Annotated[int, typer.Option(min=0, metavar="N", help="Show the last N entries of the history.")] = 0,
    only: Annotated[
        str | None, typer.Option("--run", metavar="NAME", help="Run this schedule now, whatever the time.")
    ] = None,
    state: Annotated[
        Path | None, typer.Option(help="Folder for history and lock (default: in ~/.local/share/leakscreen).")
    ] = None,
    config: Config = None,
    setting: Set = None,
    json: Json = False,
) -> None:
    """Run the scans in the [[schedule]] tables of leakscreen.toml at their times; refer and notify after each."""
    from leakscreen.commands import schedule as command

    flags = flags_of(setting, {})
    if listed:
        command.show(state, flags, config, json)
    elif history:
        command.print_history(state, history, json)
    elif dry_run:
        command.dry_run(state, setting or [], flags, config)
    else:
        raise typer.Exit(command.run(once, only, state, setting or [], flags, config))


@app.command()
def serve(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on; 0 means any free one.")] = None,
    config: Config = None,
    setting: Set = None,
    quiet: Quiet = False,
) -> None:
    """Run the review service; its first start creates the database and asks for the first manager."""
    from leakscreen.commands.serve import run

    run(flags_of(setting, {"review.host": host, "review.port": port}), config, quiet)


@app.command("export-labels")
def export_labels(
    scan: Annotated[str | None, typer.Option(help="Export only files of the scan with this id.")] = None,
    negatives: Annotated[
        bool, typer.Option("--negatives", help="Export only what an audit drew from the files that were not referred.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="CSV file to write (default: standard output).")] = None,
    config: Config = None,
    setting: Set = None,
) -> None:
    """Export the decisions of reviewers as labels for `leakscreen evaluate`."""
    from leakscreen.commands.labels import run

    run(scan, negatives, out, flags_of(setting, {}), config)


@app.command("export-markings")
def export_markings(
    session: Annotated[str, typer.Argument(metavar="SESSION", help="Name of the session.")],
    out: Annotated[Path, typer.Option(help="New folder to write to; it will hold whole texts.", show_default=False)],
    form: Annotated[str, typer.Option("--format", metavar="tab|i2b2|brat", help="What to write.")] = "tab",
    config: Config = None,
    setting: Set = None,
) -> None:
    """Export the settled spans of a marking session, with their texts, as a corpus for `leakscreen benchmark`."""
    from leakscreen.commands.markings import run

    run(session, form, out, flags_of(setting, {}), config)


@app.command()
def purge(
    older_than: Annotated[
        str, typer.Option(metavar="AGE", help="Days or weeks since the decision, such as 90d.", show_default=False)
    ],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be removed.")] = False,
    config: Config = None,
    setting: Set = None,
    json: Json = False,
) -> None:
    """Remove findings, paths and comments of decided referrals; votes, decisions and the audit log remain."""
    from leakscreen.commands.purge import run

    run(older_than, dry_run, flags_of(setting, {}), config, json)


@audit_app.command("verify")
def audit_verify(config: Config = None, setting: Set = None, json: Json = False) -> None:
    """Detect any edit, removal or reordering in the audit log; exits with 2 if there is one."""
    from leakscreen.commands.audit import verify

    raise typer.Exit(verify(flags_of(setting, {}), config, json))
