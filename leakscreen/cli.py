"""The command line: its words, flags and help; each command imports its rooms only when it runs."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

app = typer.Typer(
    name="leakscreen",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    add_completion=False,
)
rules_app = typer.Typer(help="Look at and check the screening rules.", no_args_is_help=True)
train_app = typer.Typer(help="Train the models that come with leakscreen.", no_args_is_help=True)
audit_app = typer.Typer(help="Look after the audit log of the review service.", no_args_is_help=True)
app.add_typer(rules_app, name="rules")
app.add_typer(audit_app, name="audit")
app.add_typer(train_app, name="train")

Config = Annotated[Path | None, typer.Option("--config", help="Settings file (default: leakscreen.toml, where there is one).")]
Set = Annotated[list[str] | None, typer.Option("--set", metavar="KEY=VALUE", help="Any setting, such as limits.seconds=30; repeatable.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no tables.")]
Rules = Annotated[list[Path] | None, typer.Option("--rules", help="Further rule file; repeatable.")]
Allow = Annotated[list[Path] | None, typer.Option("--allow", help="Allow list whose hits are counted apart; repeatable.")]
Threshold = Annotated[
    float | None, typer.Option(help="Score that a span must reach: lower finds more, higher errs less.", show_default=False)
]
Runner = Annotated[str | None, typer.Option(help="local, or the name of any Beam runner.")]
Beam = Annotated[list[str] | None, typer.Option("--beam", metavar="OPTION=VALUE", help="An option for Beam itself; repeatable.")]

Labels = Annotated[Path, typer.Option(help="Verified files: CSV (uri, phi), JSON lines or Parquet.", show_default=False)]
CountRunner = Annotated[str | None, typer.Option("--runner", help="Count in Beam with this runner (local, or any Beam runner).")]


class Period(StrEnum):
    YEAR = "year"
    MONTH = "month"
    DAY = "day"


class FailOn(StrEnum):
    NEVER = "never"
    REFERRAL = "referral"


class ExportFormat(StrEnum):
    JSONL = "jsonl"
    CSV = "csv"
    SARIF = "sarif"
    PARQUET = "parquet"
    CEF = "cef"
    SYSLOG = "syslog"


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"leakscreen {version('leakscreen')}")
        raise typer.Exit


@app.callback()
def main(version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")] = False) -> None:
    """Finds leaked personal health information in arbitrary files, and measures its own screening rules."""


@app.command()
def scan(
    sources: Annotated[list[str] | None, typer.Argument(metavar="SOURCE...", help="Folders and files to scan.", show_default=False)] = None,
    manifest: Annotated[list[Path] | None, typer.Option(help="Crawl manifest: JSON lines with a path and free metadata.")] = None,
    out: Annotated[str | None, typer.Option(help="Folder (or Beam filesystem URI) for the results.")] = None,
    config: Config = None,
    runner: Runner = None,
    workers: Annotated[int | None, typer.Option(help="Worker processes; 0 means one per core.")] = None,
    beam: Beam = None,
    include: Annotated[list[str] | None, typer.Option(help="Only files that match this glob; repeatable.")] = None,
    exclude: Annotated[list[str] | None, typer.Option(help="Leave out what matches this glob; repeatable.")] = None,
    rules: Rules = None,
    threshold: Threshold = None,
    allow: Allow = None,
    setting: Set = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the newest scan in --out.")] = False,
    fail_on: Annotated[FailOn, typer.Option(help="Exit with 1 when something was referred.")] = FailOn.NEVER,
    quiet: Quiet = False,
    json: Json = False,
) -> None:
    """Scan folders and files, and refer what leaks health information.

    Exit codes: 0 every file examined; 1 something referred (with --fail-on referral); 2 failure; 3 some files were not examined.
    """
    from leakscreen.commands.scan import run

    flags = _flags(setting, {"scan.out": out, "scan.runner": runner, "scan.workers": workers, "scan.beam": beam, "scan.include": include})
    flags |= _flags(None, {"scan.exclude": exclude, "rules.files": rules and [str(path) for path in rules], "rules.threshold": threshold})
    flags |= _flags(None, {"rules.allow": allow and [str(path) for path in allow]})
    manifests = tuple(str(path) for path in manifest or ())
    raise typer.Exit(run(tuple(sources or ()), manifests, flags, config, resume, fail_on is FailOn.REFERRAL, quiet, json))


@app.command()
def report(scan: Annotated[str, typer.Argument(metavar="SCAN", help="A scan's folder, or an --out folder.")], json: Json = False) -> None:
    """Write a scan's report.html again, and print its summary."""
    from leakscreen.commands.report import run

    run(scan, json)


@app.command()
def evaluate(
    scan: Annotated[str, typer.Argument(metavar="SCAN", help="A scan's folder, or an --out folder.")],
    labels: Annotated[Path | None, typer.Option(help="Verified files: CSV (uri, phi), JSON lines or Parquet.", show_default=False)] = None,
    from_reviews: Annotated[
        bool, typer.Option("--from-reviews", help="What reviewers decided about this scan, in place of --labels.")
    ] = False,
    audit: Annotated[
        Path | None, typer.Option(help="Verified files, drawn at random from the screened negatives: what was missed.")
    ] = None,
    plan: Annotated[float | None, typer.Option(metavar="WIDTH", help="How many more files to verify for intervals of this width.")] = None,
    runner: CountRunner = None,
    beam: Beam = None,
    json: Json = False,
    config: Config = None,
    setting: Set = None,
) -> None:
    """Measure each rule on verified files: TDP, FRP, coverage.

    Labels may be a random sample, with the columns probability and stratum; `leakscreen sample` draws one.
    """
    from leakscreen.commands.evaluate import run

    if from_reviews == (labels is not None):
        raise typer.BadParameter("give one of --labels and --from-reviews")
    if labels is not None:
        run(scan, labels, audit, plan, runner, tuple(beam or ()), json)
        return
    from leakscreen.commands.review_labels import labels_from_reviews

    with labels_from_reviews(scan, _flags(setting, {}), config) as (decided, negatives):
        run(scan, decided, audit or negatives, plan, runner, tuple(beam or ()), json)


@app.command()
def compare(
    first: Annotated[str, typer.Argument(metavar="RULE_A", help="A rule of the scan.")],
    second: Annotated[str, typer.Argument(metavar="RULE_B", help="Another rule of the scan.")],
    scan: Annotated[str, typer.Argument(metavar="SCAN", help="A scan's folder, or an --out folder.")],
    labels: Labels,
    runner: CountRunner = None,
    beam: Beam = None,
    json: Json = False,
) -> None:
    """Tell which of two rules finds more PHI files, and at what price, without verifying negatives."""
    from leakscreen.commands.compare import run

    run(first, second, scan, labels, runner, tuple(beam or ()), json)


@app.command()
def sample(
    scan: Annotated[str, typer.Argument(metavar="SCAN", help="A scan's folder, or an --out folder.")],
    files: Annotated[int, typer.Option(min=1, help="How many files to draw.")],
    by_risk: Annotated[bool, typer.Option("--by-risk", help="Draw from each level of risk apart.")] = False,
    negatives: Annotated[bool, typer.Option("--negatives", help="Draw from the screened negatives, for an audit.")] = False,
    seed: Annotated[int, typer.Option(help="The same seed draws the same files.")] = 20,
    out: Annotated[Path | None, typer.Option(help="CSV file to write (default: standard output).")] = None,
) -> None:
    """Draw files for people to verify, where there are too many to verify all."""
    from leakscreen.commands.sample import run

    run(scan, files, by_risk, negatives, seed, out)


@app.command()
def agreement(
    decisions: Annotated[
        Path, typer.Argument(metavar="FILE", help="CSV or JSON lines: uri, phi, reviewer, and perhaps when and category.")
    ],
    scan: Annotated[str | None, typer.Option(help="The scan that the files are of, to tell the agreement per rule.")] = None,
    period: Annotated[Period, typer.Option(help="By what to follow it over time.")] = Period.MONTH,
    json: Json = False,
) -> None:
    """Tell how far reviewers agree: kappa, F, alpha; over time, per category and per rule."""
    from leakscreen.commands.agreement import run

    run(decisions, scan, period.value, json)


@app.command()
def benchmark(
    corpus: Annotated[Path, typer.Argument(metavar="CORPUS", help="TAB's JSON, or JSON lines with spans or entities.")],
    split: Annotated[str | None, typer.Option(help="Only documents of this split, such as dev or test.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only so many documents.")] = None,
    presidio_python: Annotated[str | None, typer.Option(metavar="PATH", help="A Python that has presidio-analyzer.")] = None,
    presidio_model: Annotated[str | None, typer.Option(metavar="NAME|PATH", help="The spaCy model for Presidio.")] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for benchmark.json, benchmark.md and benchmark.svg.")] = None,
    config: Config = None,
    rules: Rules = None,
    setting: Set = None,
    json: Json = False,
) -> None:
    """Measure span detection on a corpus, with Presidio and published figures beside."""
    from leakscreen.commands.benchmark import run

    flags = _flags(setting, {"rules.files": rules and [str(path) for path in rules]})
    run(corpus, split, limit, presidio_python, presidio_model, flags, config, out, json)


@app.command()
def refer(
    scan: Annotated[str, typer.Argument(metavar="SCAN", help="A scan's folder, or an --out folder.")],
    screened: Annotated[bool, typer.Option("--screened", help="Refer all screened positives, whatever the health stage said.")] = False,
    negatives: Annotated[int, typer.Option(min=0, help="Draw so many screened negatives as well, to learn what was missed.")] = 0,
    config: Config = None,
    setting: Set = None,
    json: Json = False,
) -> None:
    """Hand a scan's positives to the review service; repeated, it changes nothing."""
    from leakscreen.commands.refer import run

    run(scan, _flags(setting, {}), config, screened, negatives, json)


@app.command()
def notify(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print what is due, and send and write nothing.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Also try what was refused for good.")] = False,
    config: Config = None,
    setting: Set = None,
    json: Json = False,
) -> None:
    """Send digests of the queues to their reviewers, at most one a period each. Exits with 3 where something was not taken yet."""
    from leakscreen.commands.notify import run

    raise typer.Exit(run(_flags(setting, {}), config, dry_run, again, json))


@app.command()
def schedule(
    once: Annotated[bool, typer.Option("--once", help="Run what is due, then exit: for cron and systemd timers.")] = False,
    listed: Annotated[bool, typer.Option("--list", help="Show when each schedule comes next, and how it ended last.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be run now, and run and write nothing.")] = False,
    history: Annotated[int, typer.Option(min=0, metavar="N", help="Show the last N entries of the history.")] = 0,
    only: Annotated[str | None, typer.Option("--run", metavar="NAME", help="Run this schedule now, whatever the clock says.")] = None,
    state: Annotated[Path | None, typer.Option(help="Folder of history and lock (default: in ~/.local/share/leakscreen).")] = None,
    config: Config = None,
    setting: Set = None,
    json: Json = False,
) -> None:
    """Run the scans of leakscreen.toml's [[schedule]] tables at their times; refer and notify after each."""
    from leakscreen.commands import schedule as command

    flags = _flags(setting, {})
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
    """Run the review service; on first start it makes its database and asks for the first manager."""
    from leakscreen.commands.serve import run

    run(_flags(setting, {"review.host": host, "review.port": port}), config, quiet)


@app.command()
def export(
    scan: Annotated[str, typer.Argument(metavar="SCAN", help="A scan's folder, or an --out folder.")],
    form: Annotated[ExportFormat, typer.Option("--format", help="What to write.")] = ExportFormat.JSONL,
    out: Annotated[Path | None, typer.Option(help="File to write (default: standard output).")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every file, not only the referred ones.")] = False,
    send: Annotated[bool, typer.Option("--send", help="Send syslog lines to syslog.url instead.")] = False,
    config: Config = None,
    setting: Set = None,
) -> None:
    """Write the referred files of a scan for other systems, masked; whole or not at all."""
    from leakscreen.commands.export import run

    run(scan, form.value, out, everything, send, _flags(setting, {}), config)


@app.command("export-labels")
def export_labels(
    scan: Annotated[str | None, typer.Option(help="Only the files of the scan with this id.")] = None,
    negatives: Annotated[bool, typer.Option("--negatives", help="Those of the audit of negatives, for evaluate --audit.")] = False,
    out: Annotated[Path | None, typer.Option(help="CSV file to write (default: standard output).")] = None,
    config: Config = None,
    setting: Set = None,
) -> None:
    """Write what reviewers decided as labels for `leakscreen evaluate`."""
    from leakscreen.commands.export_labels import run

    run(scan, negatives, out, _flags(setting, {}), config)


@app.command()
def purge(
    older_than: Annotated[str, typer.Option(metavar="AGE", help="Days or weeks since the decision, such as 90d.", show_default=False)],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tell what would be removed.")] = False,
    config: Config = None,
    setting: Set = None,
    json: Json = False,
) -> None:
    """Remove findings, paths and comments of decided referrals; votes, decisions and the audit log stay."""
    from leakscreen.commands.purge import run

    run(older_than, dry_run, _flags(setting, {}), config, json)


@audit_app.command("verify")
def audit_verify(config: Config = None, setting: Set = None, json: Json = False) -> None:
    """Find any edit, removal or reordering in the audit log. Exits with 2 where there is one."""
    from leakscreen.commands.audit import verify

    raise typer.Exit(verify(_flags(setting, {}), config, json))


@app.command()
def spans(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="A file of any supported type, or - for text on standard input.")],
    config: Config = None,
    rules: Rules = None,
    threshold: Threshold = None,
    setting: Set = None,
) -> None:
    """Print every PII span of a file as JSON lines."""
    from leakscreen.commands.spans import run

    run(file, _flags(setting, {"rules.files": rules and [str(path) for path in rules], "rules.threshold": threshold}), config)


@app.command()
def demo(
    folder: Annotated[Path, typer.Argument(help="Where the demo's share and results go.")] = Path("leakscreen-demo"),
    files: Annotated[int, typer.Option(min=30, help="How many files the share has.")] = 300,
    seed: Annotated[int, typer.Option(help="Seed of the share.")] = 20,
    prevalence: Annotated[float, typer.Option(min=0.0, max=1.0, help="Share of files with planted PHI, such as 0.0044 or 0.165.")] = 0.01,
    workers: Annotated[int | None, typer.Option(help="Worker processes; 0 means one per core.")] = None,
    quiet: Quiet = False,
) -> None:
    """Scan a made share with known truth, and tell what was missed."""
    from leakscreen.commands.demo import run

    run(folder, files, seed, prevalence, {"scan.workers": workers}, quiet)


@app.command()
def doctor(config: Config = None, setting: Set = None, json: Json = False) -> None:
    """Try the protections of this machine, and tell which optional parts are missing. Exits with 2 where files cannot be parsed safely."""
    from leakscreen.commands.doctor import run

    raise typer.Exit(run(_flags(setting, {}), config, json))


@rules_app.command("list")
def rules_list(config: Config = None, rules: Rules = None, setting: Set = None, json: Json = False) -> None:
    """List the characteristics, detectors and screening rules."""
    from leakscreen.commands.rules import list_rules

    list_rules(_flags(setting, {"rules.files": rules and [str(path) for path in rules]}), config, json)


@rules_app.command("check")
def rules_check(
    files: Annotated[list[Path] | None, typer.Argument(metavar="[FILE]...", help="Further rule files.", show_default=False)] = None,
    config: Config = None,
    setting: Set = None,
    json: Json = False,
) -> None:
    """Check the rules, ours and yours: patterns, validators, examples, ids. Exits with 2 where something is wrong."""
    from leakscreen.commands.rules import check

    raise typer.Exit(check(_flags(setting, {"rules.files": files and [str(path) for path in files]}), config, json))


@rules_app.command("test")
def rules_test(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="A file of any supported type, or - for text on standard input.")],
    misses: Annotated[bool, typer.Option("--misses", help="Also what a pattern matches without counting, and why.")] = False,
    raw: Annotated[bool, typer.Option("--raw", help="Show values as they are; only on a terminal.")] = False,
    config: Config = None,
    rules: Rules = None,
    threshold: Threshold = None,
    setting: Set = None,
    json: Json = False,
) -> None:
    """Show what each detector finds in a text, and why: pattern, validator, words nearby, score against threshold."""
    from leakscreen.commands.explain import run

    flags = _flags(setting, {"rules.files": rules and [str(path) for path in rules], "rules.threshold": threshold})
    run(file, flags, config, misses, raw, json)


@rules_app.command("allow")
def rules_allow(
    value: Annotated[
        str, typer.Argument(metavar="[VALUE|-]", help="The value, or - to read it from standard input.", show_default=False)
    ] = "",
    path: Annotated[str, typer.Option(help="Instead of a value: files whose whole path matches this glob; * crosses folders.")] = "",
    kind: Annotated[str, typer.Option("--as", help="Characteristic that the value or path is allowed for.", show_default=False)] = "",
    reason: Annotated[str, typer.Option(help="Why it may stand there.", show_default=False)] = ...,  # type: ignore[assignment]
    author: Annotated[str, typer.Option(help="Who decided it.", show_default=False)] = ...,  # type: ignore[assignment]
    expires: Annotated[str, typer.Option(help="Last day on which it applies, such as 2027-12-31.", show_default=False)] = ...,  # type: ignore[assignment]
    file: Annotated[str, typer.Option(help="The allow list; default: the first of rules.allow.", show_default=False)] = "",
    config: Config = None,
    setting: Set = None,
) -> None:
    """Add a value, by its keyed hash, or a path to an allow list; the value itself is not written."""
    from leakscreen.commands.allow import run

    run(value, path, kind, (reason, author, expires), file, _flags(setting, {}), config)


@train_app.command("health")
def train_health(
    data: Annotated[Path | None, typer.Option(help="Folder with the training data.", show_default=False)] = None,
    from_reviews: Annotated[
        Path | None, typer.Option(help="Verified files to learn from: CSV (uri, phi) or JSON lines.", show_default=False)
    ] = None,
    scan: Annotated[list[str] | None, typer.Option(help="With --from-reviews: a scan of the verified files; repeatable.")] = None,
    adopt: Annotated[bool, typer.Option("--adopt", help="With --from-reviews: use what it learned from the next scan on.")] = False,
    back: Annotated[bool, typer.Option("--back", help="Take the adopted version back.")] = False,
    versions: Annotated[bool, typer.Option("--versions", help="List what was adopted and taken back.")] = False,
    out: Annotated[Path | None, typer.Option(help="With --data: model file to write (default: the shipped one).")] = None,
    setting: Set = None,
    config: Config = None,
    json: Json = False,
) -> None:
    """Train the health model, or let it learn from verified files: preview, adopt as the next version, go back."""
    if sum((data is not None, from_reviews is not None, back, versions)) != 1:
        raise typer.BadParameter("give one of --data, --from-reviews, --back and --versions")
    if data is not None:
        from leakscreen.commands.train import health

        return health(data, out)
    from leakscreen.commands import train_reviews

    flags = _flags(setting, {})
    if back:
        return train_reviews.back(flags, config)
    if versions:
        return train_reviews.versions(flags, config, json)
    if not scan:
        raise typer.BadParameter("--from-reviews needs --scan: the scan in which the files were found")
    return train_reviews.learn(from_reviews or Path(), scan, adopt, flags, config, json)


@train_app.command("names")
def train_names(
    data: Annotated[Path, typer.Option(help="Folder with the training data.", show_default=False)],
    out: Annotated[Path | None, typer.Option(help="Model file to write (default: the one that comes with leakscreen).")] = None,
) -> None:
    """Train the model of names, organizations and places, and print how it does on texts it has not seen."""
    from leakscreen.commands.train import names

    names(data, out)


@train_app.command("prototypes")
def train_prototypes(
    scan: Annotated[str | None, typer.Argument(metavar="SCAN", help="The scan that was reviewed.", show_default=False)] = None,
    from_reviews: Annotated[
        Path | None, typer.Option("--from-reviews", help="Verified files: CSV (uri, phi) or JSON lines.", show_default=False)
    ] = None,
    radius: Annotated[int | None, typer.Option(min=0, max=6, help="Differing bits allowed (default: the marked row).")] = None,
    adopt: Annotated[bool, typer.Option("--adopt", help="Use the prototypes from the next scan on.")] = False,
    back: Annotated[bool, typer.Option("--back", help="Take the adopted version back.")] = False,
    versions: Annotated[bool, typer.Option("--versions", help="List what was adopted and taken back.")] = False,
    setting: Set = None,
    config: Config = None,
    json: Json = False,
) -> None:
    """Propose prototypes from reviewed files, and show what they would change before they are adopted."""
    from leakscreen.commands import train_prototypes as command

    flags = _flags(setting, {})
    if back:
        command.back(flags, config)
    elif versions:
        command.versions(flags, config, json)
    elif scan is None or from_reviews is None:
        raise typer.BadParameter("give SCAN and --from-reviews FILE, or --back, or --versions")
    else:
        command.run(scan, from_reviews, radius, adopt, flags, config, json)


def _flags(settings: list[str] | None, named: dict[str, Any]) -> dict[str, Any]:
    flags = dict(entry.partition("=")[::2] for entry in settings or ())
    return {**flags, **{key: value for key, value in named.items() if value is not None}}
