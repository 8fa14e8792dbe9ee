"""Commands that measure rules and people on verified files: evaluate, compare, sample, agreement, benchmark."""

import contextlib
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from evaluation.categories import Scheme
from leakscreen.cli.options import Beam, Config, CountRunner, Json, Rules, Set, app, flags_of


class Period(StrEnum):
    YEAR = "year"
    MONTH = "month"
    DAY = "day"


class Unit(StrEnum):
    RECORD = "record"
    FILE = "file"
    CONTENT = "content"


class Stages(StrEnum):
    ALL = "all"
    POSITIVES = "positives"
    NEGATIVES = "negatives"


class Drawn(StrEnum):
    CONTENT = "content"
    FILE = "file"


Verified = Annotated[
    Path | None, typer.Option(help="Verified files: CSV (uri, phi), JSON lines or Parquet.", show_default=False)
]
FromReviews = Annotated[
    bool, typer.Option("--from-reviews", help="Use the decisions of reviewers about this scan instead of --labels.")
]
Counted = Annotated[
    Unit, typer.Option(help="What n counts: records (files and members of containers), files on disk, or contents.")
]


@contextlib.contextmanager
def _verified(
    scan: str, labels: Path | None, from_reviews: bool, config: Path | None, setting: list[str] | None
) -> Iterator[Path]:
    """A file of labels: the one that was named, or one of what reviewers decided."""
    if from_reviews == (labels is not None):
        raise typer.BadParameter("give either --labels or --from-reviews")
    if labels is not None:
        yield labels
        return
    from leakscreen.commands.labels import labels_from_reviews

    with labels_from_reviews(scan, flags_of(setting, {}), config) as decided:
        yield decided


@app.command()
def evaluate(
    scan: Annotated[str, typer.Argument(metavar="SCAN", help="A scan's folder, or an --out folder.")],
    labels: Verified = None,
    from_reviews: FromReviews = False,
    audit: Annotated[
        Path | None, typer.Option(help="Verified random sample of the screened negatives, to estimate what was missed.")
    ] = None,
    plan_width: Annotated[
        float | None,
        typer.Option(metavar="WIDTH", help="Also show how many more files to verify for intervals of this width."),
    ] = None,
    plan: Annotated[float | None, typer.Option(hidden=True)] = None,  # the old name of --plan-width
    unit: Counted = Unit.RECORD,
    runner: CountRunner = None,
    beam: Beam = None,
    json: Json = False,
    config: Config = None,
    setting: Set = None,
) -> None:
    """Measure the tool and each rule on verified files: TDP, FRP, coverage, what each stage lost.

    Labels may be a random sample, as `leakscreen sample` draws it. Labels reach copies of the same content.
    """
    from leakscreen.commands.evaluate import run

    width = plan if plan_width is None else plan_width
    with _verified(scan, labels, from_reviews, config, setting) as verified:
        run(scan, verified, audit, width, runner, tuple(beam or ()), json, unit.value)


@app.command()
def compare(
    first: Annotated[str, typer.Argument(metavar="RULE_A", help="A rule of the scan.")],
    second: Annotated[str, typer.Argument(metavar="RULE_B", help="Another rule of the scan.")],
    scan: Annotated[str, typer.Argument(metavar="SCAN", help="A scan's folder, or an --out folder.")],
    labels: Verified = None,
    from_reviews: FromReviews = False,
    unit: Counted = Unit.RECORD,
    runner: CountRunner = None,
    beam: Beam = None,
    json: Json = False,
    config: Config = None,
    setting: Set = None,
) -> None:
    """Compare two rules: which finds more PHI files, and at what cost; negatives need not be verified."""
    from leakscreen.commands.compare import run

    with _verified(scan, labels, from_reviews, config, setting) as verified:
        run(first, second, scan, verified, runner, tuple(beam or ()), json, unit.value)


@app.command()
def sample(
    scan: Annotated[str, typer.Argument(metavar="SCAN", help="A scan's folder, or an --out folder.")],
    files: Annotated[int, typer.Option(min=1, help="Number of files to draw.")],
    by_risk: Annotated[bool, typer.Option("--by-risk", help="Draw from each risk level separately.")] = False,
    stages: Annotated[
        Stages,
        typer.Option(help="Draw from all stages (referred, screened only, screened negative) or only from some."),
    ] = Stages.ALL,
    negatives: Annotated[bool, typer.Option("--negatives", hidden=True)] = False,  # the old --stages negatives
    unit: Annotated[Drawn, typer.Option(help="Draw different contents, or files on disk.")] = Drawn.CONTENT,
    seed: Annotated[int, typer.Option(help="The same seed draws the same files.")] = 20,
    out: Annotated[Path | None, typer.Option(help="CSV file to write (default: standard output).")] = None,
) -> None:
    """Draw a random sample of files for people to verify, blind: the sheet does not tell their stages."""
    from leakscreen.commands.sample import run

    run(scan, files, by_risk, Stages.NEGATIVES.value if negatives else stages.value, seed, out, unit.value)


@app.command()
def agreement(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="CSV or JSON lines: uri, phi, reviewer, and optionally when and category; with --spans, annotations.",
        ),
    ],
    spans: Annotated[
        bool,
        typer.Option(
            "--spans",
            help="Compare marked spans: a FILE or NAME=FILE for each person, in a format of `leakscreen benchmark`.",
        ),
    ] = False,
    scan: Annotated[
        str | None, typer.Option(help="The scan that the files belong to, to show the agreement per rule.")
    ] = None,
    period: Annotated[Period, typer.Option(help="Length of the periods over time.")] = Period.MONTH,
    json: Json = False,
) -> None:
    """Show how well reviewers or annotators agree: kappas, F, alpha; over time, per category and per rule."""
    if spans:
        from leakscreen.commands.span_agreement import run as compare_spans

        compare_spans(files, json)
        return
    if len(files) > 1:
        raise typer.BadParameter("decisions come in one file; give --spans to compare annotations")
    from leakscreen.commands.agreement import run

    run(Path(files[0]), scan, period.value, json)


@app.command()
def benchmark(
    corpus: Annotated[
        Path,
        typer.Argument(
            metavar="CORPUS",
            help="A file or folder: i2b2 XML (2006, 2014), JSON of TAB or Presidio, JSON lines, BRAT, CoNLL.",
        ),
    ],
    system: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=FILE", help="What another system marked, in any of these formats; repeatable."),
    ] = None,
    leakscreen: Annotated[
        bool, typer.Option("--leakscreen/--no-leakscreen", help="Run leakscreen's own screen.")
    ] = True,
    categories: Annotated[
        Scheme | None,
        typer.Option(help="Compare in these categories (default: i2b2 if the corpus has patients or doctors)."),
    ] = None,
    split: Annotated[str | None, typer.Option(help="Use only documents of this split, such as dev or test.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Use at most this many documents.")] = None,
    presidio_python: Annotated[
        str | None, typer.Option(metavar="PATH", help="A Python with presidio-analyzer installed.")
    ] = None,
    presidio_model: Annotated[
        str | None, typer.Option(metavar="NAME|PATH", help="The spaCy model for Presidio.")
    ] = None,
    language_model: Annotated[
        str | None,
        typer.Option(metavar="NAME|PATH", help="Weigh precision by this masked language model."),
    ] = None,
    language_model_python: Annotated[
        str | None, typer.Option(metavar="PATH", help="A Python with transformers and torch installed.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder for benchmark.json, benchmark.md and benchmark.svg.")] = None,
    config: Config = None,
    rules: Rules = None,
    setting: Set = None,
    json: Json = False,
) -> None:
    """Measure span detection on a corpus: leakscreen, Presidio and any other systems, pair by pair."""
    from leakscreen.commands.benchmark import Wanted, run

    flags = flags_of(setting, {"rules.files": rules and [str(path) for path in rules]})
    wanted = Wanted(
        corpus,
        split,
        limit,
        tuple(system or ()),
        leakscreen,
        presidio_python,
        presidio_model,
        categories,
        language_model,
        language_model_python,
    )
    run(wanted, flags, config, out, json)
