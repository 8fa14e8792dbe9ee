"""Commands and settings -> docs/reference.md: `make docs`."""

import dataclasses
from typing import Any

from typer.main import get_command
from typer.testing import CliRunner

from core.settings import CONFIG_IN_ENV, SECRETS_IN_ENV, env_name, known_in_tables, known_settings
from leakscreen.cli.app import app


def reference() -> str:
    return "\n".join(
        ["# Reference", "", "Written by `make docs` from the code itself.", "", *_commands(), *_settings()]
    )


def _commands() -> list[str]:
    lines = ["## Commands", ""]
    for words in _leaves(get_command(app), ()):
        shown = (
            CliRunner()
            .invoke(app, [*words, "--help"], env={"COLUMNS": "100", "TERMINAL_WIDTH": "100"}, prog_name="leakscreen")
            .output
        )
        lines += [f"### leakscreen {' '.join(words)}", "", "```text", shown.strip(), "```", ""]
    return lines


def _leaves(command: Any, words: tuple[str, ...]) -> list[tuple[str, ...]]:
    inner = getattr(command, "commands", None)
    if not inner:
        return [words]
    return [leaf for name, below in inner.items() for leaf in _leaves(below, (*words, name))]


def _settings() -> list[str]:
    lines = [
        "## Settings",
        "",
        "A flag beats the environment, which beats `leakscreen.toml` (another file by `--config` or "
        f"`{CONFIG_IN_ENV}`), which beats the default. Every setting can be given as `--set KEY=VALUE`.",
        "",
        "| key | environment | default | meaning |",
        "|---|---|---|---|",
    ]
    for key, entry in known_settings().items():
        lines.append(f"| `{key}` | `{env_name(key)}` | {_default(entry)} | {entry.metadata['help']} |")
    lines += ["", "Tables that may be there several times, in the file alone, each written `[[schedule]]`:", ""]
    lines += ["| key | default | meaning |", "|---|---|---|"]
    lines += [f"| `{key}` | {_default(entry)} | {entry.metadata['help']} |" for key, entry in known_in_tables().items()]
    secrets = ", ".join(f"`{name}`" for name in sorted(SECRETS_IN_ENV))
    return [*lines, "", f"Secrets come from the environment or a file, never from `leakscreen.toml`: {secrets}.", ""]


def _default(entry: dataclasses.Field[Any]) -> str:
    if entry.default in ("", ()):
        return "none"
    return f"`{entry.default:,}`" if isinstance(entry.default, int) else f"`{entry.default}`"


if __name__ == "__main__":
    print(reference(), end="")
