"""Commands about tokens of the API: token make, list, revoke."""

from typing import Annotated

import typer

from leakscreen.cli.options import Config, Json, Set, flags_of, token_app


@token_app.command("make")
def token_make(
    owner: Annotated[str, typer.Argument(metavar="USER", help="The person for whom the token acts.")],
    scope: Annotated[
        list[str],
        typer.Option("--scope", help="What it may do, such as referrals:read; repeatable.", show_default=False),
    ],
    name: Annotated[str, typer.Option(help="What it is for.")] = "made by the command line",
    days: Annotated[int, typer.Option(help="Days until it expires.")] = 90,
    config: Config = None,
    setting: Set = None,
) -> None:
    """Make a token of the API and print it once; it acts for a person, within scopes and that person's roles."""
    from leakscreen.commands.token import make

    make(owner, name, scope, days, flags_of(setting, {}), config)


@token_app.command("list")
def token_list(config: Config = None, setting: Set = None, json: Json = False) -> None:
    """List the tokens, without the tokens themselves."""
    from leakscreen.commands.token import show

    show(flags_of(setting, {}), config, json)


@token_app.command("revoke")
def token_revoke(
    number: Annotated[int, typer.Argument(metavar="ID", help="Its number, as `token list` shows it.")],
    config: Config = None,
    setting: Set = None,
) -> None:
    """Revoke a token at once."""
    from leakscreen.commands.token import revoke

    revoke(number, flags_of(setting, {}), config)
