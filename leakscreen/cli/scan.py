"""Commands that examine files: scan, report, spans, demo, doctor."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from leakscreen.cli.options import Allow, Beam, Config, Json, Quiet, Rules, Runner, Set, Threshold, app, flags_of


class FailOn(StrEnum):
    NEVER = "never"
    REFERRAL = "referral"


@app.command()
def scan(
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SOURCE...",
            help="Folders, files and addresses to scan: s3://bucket/prefix, smb://user@server/share, "
            "imaps://user@server, sftp://, davs://, git://, postgresql:// and others (docs/sources.md).",
            show_default=False,
        ),
    ] = None,
    manifest: Annotated[
        list[Path] | None, typer.Option(help="Crawl manifest: JSON lines with a path and any metadata.")
    ] = None,
    out: Annotated[str | None, typer.Option(help="Folder (or Beam filesystem URI) for the results.")] = None,
    config: Config = None,
    runner: Runner = None,
    workers: Annotated[int | None, typer.Option(help="Worker processes; 0 means one per core.")] = None,
    flink_master: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="Job manager for --runner flink.")
    ] = None,
    flink_jars: Annotated[Path | None, typer.Option(help="Folder with the jars for --runner flink.")] = None,
    beam: Beam = None,
    include: Annotated[list[str] | None, typer.Option(help="Scan only files that match this glob; repeatable.")] = None,
    exclude: Annotated[list[str] | None, typer.Option(help="Skip what matches this glob; repeatable.")] = None,
    rules: Rules = None,
    threshold: Threshold = None,
    allow: Allow = None,
    setting: Set = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue the newest scan in --out.")] = False,
    sample: Annotated[str | None, typer.Option(help="Scan only a random sample, such as 1% or 5000 (files).")] = None,
    sample_by: Annotated[
        str | None, typer.Option(metavar="folder|none", help="Draw the sample from every top folder.")
    ] = None,
    full: Annotated[
        bool, typer.Option("--full", help="Read every file, even if unchanged since the last scan in --out.")
    ] = False,
    fail_on: Annotated[FailOn, typer.Option(help="Exit with 1 if something was referred.")] = FailOn.NEVER,
    quiet: Quiet = False,
    json: Json = False,
) -> None:
    """Scan folders and files, and refer those that leak health information.

    Exit codes: 0 every file was examined; 1 something was referred (with --fail-on referral); 2 failure;
    3 some files were not examined, or are in a language that the models do not know.
    """
    from leakscreen.commands.scan import run

    flags = flags_of(
        setting,
        {
            "scan.out": out,
            "scan.runner": runner,
            "scan.workers": workers,
            "scan.beam_options": beam,
            "scan.include": include,
        },
    )
    flags |= flags_of(
        None,
        {"scan.exclude": exclude, "rules.files": rules and [str(path) for path in rules], "rules.threshold": threshold},
    )
    flags |= flags_of(None, {"scan.flink_master": flink_master, "scan.flink_jars": flink_jars and str(flink_jars)})
    flags |= flags_of(
        None,
        {"scan.sample": sample, "scan.sample_by": sample_by, "rules.allow": allow and [str(path) for path in allow]},
    )
    manifests = tuple(str(path) for path in manifest or ())
    ways = {
        "resume": resume,
        "full": full,
        "fail_on_referral": fail_on is FailOn.REFERRAL,
        "quiet": quiet,
        "as_json": json,
    }
    raise typer.Exit(run(tuple(sources or ()), manifests, flags, config, **ways))


@app.command()
def report(
    scan: Annotated[str, typer.Argument(metavar="SCAN", help="A scan's folder, or an --out folder.")],
    json: Json = False,
) -> None:
    """Write a scan's report.html again and print its summary."""
    from leakscreen.commands.report import run

    run(scan, json)


@app.command()
def spans(
    file: Annotated[
        str, typer.Argument(metavar="FILE|-", help="A file of any supported type, or - for text on standard input.")
    ],
    config: Config = None,
    rules: Rules = None,
    threshold: Threshold = None,
    setting: Set = None,
) -> None:
    """Print every PII span of a file as JSON lines."""
    from leakscreen.commands.spans import run

    run(
        file,
        flags_of(setting, {"rules.files": rules and [str(path) for path in rules], "rules.threshold": threshold}),
        config,
    )


@app.command()
def demo(
    folder: Annotated[Path, typer.Argument(help="Folder for the demo's share and results.")] = Path("leakscreen-demo"),
    files: Annotated[int, typer.Option(min=30, help="Number of files in the share.")] = 300,
    seed: Annotated[int, typer.Option(help="Seed of the share.")] = 20,
    prevalence: Annotated[
        float, typer.Option(min=0.0, max=1.0, help="Share of files with planted PHI, such as 0.0044 or 0.165.")
    ] = 0.01,
    workers: Annotated[int | None, typer.Option(help="Worker processes; 0 means one per core.")] = None,
    quiet: Quiet = False,
) -> None:
    """Generate a synthetic share, scan it, and report what was missed."""
    from leakscreen.commands.demo import run

    run(folder, files, seed, prevalence, {"scan.workers": workers}, quiet)


@app.command()
def doctor(
    service: Annotated[
        bool,
        typer.Option(
            "--service",
            help="Check what the service needs instead: keys, database, mail, schedules, disk, clock. Changes nothing.",
        ),
    ] = False,
    state: Annotated[
        Path | None, typer.Option(help="With --service: the folder of the scheduler's history.", show_default=False)
    ] = None,
    config: Config = None,
    setting: Set = None,
    json: Json = False,
) -> None:
    """Test the protections of this machine, and show which optional parts are missing.

    Exit codes: 0 files can be parsed safely, or the service can work; 2 not.
    """
    from leakscreen.commands.doctor import run, run_for_service

    flags = flags_of(setting, {})
    raise typer.Exit(run_for_service(flags, config, state, json) if service else run(flags, config, json))
