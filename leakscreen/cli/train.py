"""Commands that train models: train health, names, prototypes."""

from pathlib import Path
from typing import Annotated

import typer

from leakscreen.cli.options import Config, Json, Set, flags_of, train_app


@train_app.command("health")
def train_health(
    data: Annotated[Path | None, typer.Option(help="Folder with the training data.", show_default=False)] = None,
    also: Annotated[
        Path | None,
        typer.Option(
            help="With --data: folder of further sets to train on, <kind>-<name>.jsonl; kinds: note, talk, structured,"
            " general, everyday.",
            show_default=False,
        ),
    ] = None,
    from_reviews: Annotated[
        Path | None,
        typer.Option(help="Verified files to learn from: CSV (uri, phi) or JSON lines.", show_default=False),
    ] = None,
    scan: Annotated[
        list[str] | None, typer.Option(help="With --from-reviews: a scan of the verified files; repeatable.")
    ] = None,
    one_class: Annotated[
        bool, typer.Option("--one-class", help="With --from-reviews: learn from PHI files alone.")
    ] = False,
    adopt: Annotated[
        bool, typer.Option("--adopt", help="With --from-reviews: use the result from the next scan on.")
    ] = False,
    rollback: Annotated[bool, typer.Option("--rollback", help="Return to the version before the adopted one.")] = False,
    back: Annotated[bool, typer.Option("--back", hidden=True)] = False,  # the old name of --rollback
    versions: Annotated[bool, typer.Option("--versions", help="List what was adopted and rolled back.")] = False,
    out: Annotated[
        Path | None, typer.Option(help="With --data: model file to write (default: the shipped one).")
    ] = None,
    setting: Set = None,
    config: Config = None,
    json: Json = False,
) -> None:
    """Train the health model, or let it learn from verified files: preview, adopt as the next version, roll back."""
    if sum((data is not None, from_reviews is not None, rollback or back, versions)) != 1:
        raise typer.BadParameter("give one of --data, --from-reviews, --rollback and --versions")
    if also is not None and data is None:
        raise typer.BadParameter("--also adds to --data, which is missing")
    if data is not None:
        from leakscreen.commands.train import health

        return health(data, out, also)
    from leakscreen.commands import train_reviews

    flags = flags_of(setting, {})
    if rollback or back:
        return train_reviews.roll_back(flags, config)
    if versions:
        return train_reviews.list_versions(flags, config, json)
    if not scan:
        raise typer.BadParameter("--from-reviews needs --scan: the scan of the verified files")
    return train_reviews.learn(from_reviews or Path(), scan, one_class, adopt, flags, config, json)


@train_app.command("names")
def train_names(
    data: Annotated[Path, typer.Option(help="Folder with the training data.", show_default=False)],
    also: Annotated[
        Path | None,
        typer.Option(
            help="A corpus of your own to learn from too, such as `export-markings` writes.", show_default=False
        ),
    ] = None,
    language: Annotated[
        str | None,
        typer.Option(help="Train the model of this language instead: es or fr; needs --texts.", show_default=False),
    ] = None,
    texts: Annotated[
        Path | None,
        typer.Option(
            help="With --language: folder of fr_NAME.jsonl, pages with marks, and fr_NAME.txt.", show_default=False
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Model file to write (default: the one that comes with leakscreen).")
    ] = None,
) -> None:
    """Train the model of names, organizations and places, and print its scores on unseen texts."""
    from leakscreen.commands.train import names, names_of

    if (language is None) != (texts is None):
        raise typer.BadParameter("--language and --texts belong together")
    if language is not None and texts is not None:
        return names_of(language, data, texts, out)
    return names(data, out, also)


@train_app.command("prototypes")
def train_prototypes(
    scan: Annotated[
        str | None, typer.Argument(metavar="SCAN", help="The scan that was reviewed.", show_default=False)
    ] = None,
    from_reviews: Annotated[
        Path | None,
        typer.Option("--from-reviews", help="Verified files: CSV (uri, phi) or JSON lines.", show_default=False),
    ] = None,
    radius: Annotated[
        int | None, typer.Option(min=0, max=6, help="Number of differing bits allowed (default: the marked row).")
    ] = None,
    one_class: Annotated[
        bool, typer.Option("--one-class", help="Learn from PHI files alone; for few verified files without PHI.")
    ] = False,
    adopt: Annotated[bool, typer.Option("--adopt", help="Use the prototypes from the next scan on.")] = False,
    rollback: Annotated[bool, typer.Option("--rollback", help="Return to the version before the adopted one.")] = False,
    back: Annotated[bool, typer.Option("--back", hidden=True)] = False,  # the old name of --rollback
    versions: Annotated[bool, typer.Option("--versions", help="List what was adopted and rolled back.")] = False,
    setting: Set = None,
    config: Config = None,
    json: Json = False,
) -> None:
    """Propose prototypes from reviewed files, and show what they would change before they are adopted."""
    from leakscreen.commands import train_prototypes as command

    flags = flags_of(setting, {})
    if rollback or back:
        command.roll_back(flags, config)
    elif versions:
        command.list_versions(flags, config, json)
    elif scan is None or from_reviews is None:
        raise typer.BadParameter("give SCAN and --from-reviews FILE, or --rollback, or --versions")
    else:
        command.run(scan, from_reviews, radius, one_class, adopt, flags, config, json)
