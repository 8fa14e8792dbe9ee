"""The application, its groups of commands, and the options that commands share."""

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
rules_app = typer.Typer(help="Show, check and try the screening rules.", no_args_is_help=True)
train_app = typer.Typer(help="Train models, and adopt what they learn from reviews.", no_args_is_help=True)
audit_app = typer.Typer(help="Verify the audit log of the review service.", no_args_is_help=True)
act_app = typer.Typer()
app.add_typer(act_app, name="act")
token_app = typer.Typer(help="Tokens of the review service's API.", no_args_is_help=True)
app.add_typer(rules_app, name="rules")
app.add_typer(audit_app, name="audit")
app.add_typer(token_app, name="token")
app.add_typer(train_app, name="train")

Config = Annotated[
    Path | None, typer.Option("--config", help="Settings file (default: leakscreen.toml, if it exists).")
]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Any setting, such as limits.file_seconds=30; repeatable."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress and no tables.")]
Rules = Annotated[list[Path] | None, typer.Option("--rules", help="Additional rule file; repeatable.")]
Allow = Annotated[
    list[Path] | None, typer.Option("--allow", help="Allow list whose hits are counted separately; repeatable.")
]
Threshold = Annotated[
    float | None,
    typer.Option(help="Minimum score of a span: lower finds more, higher makes fewer mistakes.", show_default=False),
]
Runner = Annotated[str | None, typer.Option(help="local, flink, or the name of any Beam runner.")]
Beam = Annotated[
    list[str] | None, typer.Option("--beam", metavar="OPTION=VALUE", help="An option for Beam itself; repeatable.")
]

CountRunner = Annotated[
    str | None, typer.Option("--runner", help="Count with this Beam runner (local, or the name of any other).")
]


def flags_of(settings: list[str] | None, named: dict[str, Any]) -> dict[str, Any]:
    flags = dict(entry.partition("=")[::2] for entry in settings or ())
    return {**flags, **{key: value for key, value in named.items() if value is not None}}
