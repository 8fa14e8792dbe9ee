"""The application with all its commands; each one imports what it needs only when it runs."""

from typing import Annotated

import typer

from core.version import VERSION

from leakscreen.cli import scan, people, known, deidentify, measure, review, act, token, export, gate, rules, train  # isort: skip - help lists commands in this order
from leakscreen.cli.options import app

__all__ = [
    "act",
    "app",
    "deidentify",
    "export",
    "gate",
    "known",
    "measure",
    "people",
    "review",
    "rules",
    "scan",
    "token",
    "train",
]


def _version(requested: bool) -> None:
    if requested:
        typer.echo(f"leakscreen {VERSION}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Find leaked personal health information in any kind of file, and measure the screening rules."""
