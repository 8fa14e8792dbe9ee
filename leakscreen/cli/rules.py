"""Commands that show, check and try the screening rules: list, check, test, allow."""

from pathlib import Path
from typing import Annotated

import typer

from leakscreen.cli.options import Config, Json, Rules, Set, Threshold, flags_of, rules_app


@rules_app.command("list")
def rules_list(config: Config = None, rules: Rules = None, setting: Set = None, json: Json = False) -> None:
    """List the characteristics, detectors and screening rules."""
    from leakscreen.commands.rules import list_rules

    list_rules(flags_of(setting, {"rules.files": rules and [str(path) for path in rules]}), config, json)


@rules_app.command("check")
def rules_check(
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="[FILE]...", help="Additional rule files.", show_default=False)
    ] = None,
    config: Config = None,
    setting: Set = None,
    json: Json = False,
) -> None:
    """Check the shipped rules and your own: patterns, validators, examples, ids; exits with 2 if something is wrong."""
    from leakscreen.commands.rules import check

    raise typer.Exit(check(flags_of(setting, {"rules.files": files and [str(path) for path in files]}), config, json))


@rules_app.command("test")
def rules_test(
    file: Annotated[
        str, typer.Argument(metavar="FILE|-", help="A file of any supported type, or - for text on standard input.")
    ],
    misses: Annotated[bool, typer.Option("--misses", help="Also show matches that do not count, and why.")] = False,
    raw: Annotated[bool, typer.Option("--raw", help="Show unmasked values; only on a terminal.")] = False,
    config: Config = None,
    rules: Rules = None,
    threshold: Threshold = None,
    setting: Set = None,
    json: Json = False,
) -> None:
    """Show what each detector finds in a text, and why: pattern, validator, words nearby, score against threshold."""
    from leakscreen.commands.explain import run

    flags = flags_of(setting, {"rules.files": rules and [str(path) for path in rules], "rules.threshold": threshold})
    run(file, flags, config, misses, raw, json)


@rules_app.command("allow")
def rules_allow(
    value: Annotated[
        str,
        typer.Argument(metavar="[VALUE|-]", help="The value, or - to read it from standard input.", show_default=False),
    ] = "",
    path: Annotated[
        str, typer.Option(help="Instead of a value: files whose whole path matches this glob; * also matches /.")
    ] = "",
    characteristic: Annotated[
        str, typer.Option(help="Characteristic for which the value or path is allowed.", show_default=False)
    ] = "",
    kind: Annotated[str, typer.Option("--as", hidden=True)] = "",  # the old name of --characteristic
    reason: Annotated[str, typer.Option(help="Why it is allowed.", show_default=False)] = ...,  # type: ignore[assignment]
    author: Annotated[str, typer.Option(help="Who decided it.", show_default=False)] = ...,  # type: ignore[assignment]
    expires: Annotated[
        str, typer.Option(help="Last day on which it applies, such as 2027-12-31.", show_default=False)
    ] = ...,  # type: ignore[assignment]
    file: Annotated[
        str, typer.Option(help="The allow list (default: the first of rules.allow).", show_default=False)
    ] = "",
    config: Config = None,
    setting: Set = None,
) -> None:
    """Add a value or a path to an allow list; of a value only its keyed hash is written."""
    from leakscreen.commands.allow import run

    run(value, path, characteristic or kind, (reason, author, expires), file, flags_of(setting, {}), config)
