"""The examples in deploy/ use commands, flags, exit codes and settings that exist."""

import re
import shlex
import tomllib
from collections.abc import Iterator
from configparser import RawConfigParser
from pathlib import Path

import pytest
from typer.main import get_command

from core.settings import Settings, load_settings
from leakscreen.cli.app import app
from leakscreen.schedules.table import schedules_of

DEPLOY = Path(__file__).parents[2] / "deploy"
UNITS = sorted((DEPLOY / "systemd").iterdir())
CLUSTER = (DEPLOY / "kubernetes" / "schedules.yaml").read_text(encoding="utf-8")


def commands() -> Iterator[tuple[str, str]]:
    for unit in UNITS:
        for line in re.findall(
            r"^ExecStart(?:Post)?=-?\S+/bin/(leakscreen .*)$", unit.read_text(encoding="utf-8"), re.MULTILINE
        ):
            yield unit.name, line
    for line in re.findall(r"\b(leakscreen (?:scan|refer|notify|schedule)\b[^|\"\n]*)", CLUSTER):
        yield "schedules.yaml", line


@pytest.mark.parametrize(("where", "line"), list(commands()))
def test_every_command_is_understood(where: str, line: str) -> None:
    _, name, *words = shlex.split(line)
    command = get_command(app).commands[name]  # type: ignore[attr-defined]
    if name == "gate":  # a group of commands
        name, *words = words
        command = command.commands[name]
    assert command.make_context(name, list(words)).params


def test_there_is_a_command_for_each_part() -> None:
    assert {line.split()[1] for _, line in commands()} == {"scan", "refer", "notify", "schedule", "gate", "serve"}


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_units_are_whole(unit: Path) -> None:
    """Every timer has its service; every service runs as somebody without rights."""
    text = unit.read_text(encoding="utf-8")
    sections = RawConfigParser(strict=False)
    sections.optionxform = str  # type: ignore[assignment,method-assign]
    sections.read_string(text)
    if unit.suffix == ".timer":
        assert unit.with_suffix(".service") in UNITS
        assert {"Unit", "Timer", "Install"} == set(sections.sections())
    else:
        by_root = unit.stem == "leakscreen-gate-release"  # Postfix lets nobody else release a mail
        assert sections["Service"].get("User") == (None if by_root else "leakscreen")
        assert sections["Service"]["NoNewPrivileges"] == "yes"
        assert sections["Service"]["LimitCORE"] == "0"
    for command in ("scan ", "notify "):
        if f"leakscreen {command}" in text:
            assert "SuccessExitStatus=3" in text


def test_the_settings_of_the_cluster_are_known(tmp_path: Path) -> None:
    lines = CLUSTER.partition("leakscreen.toml: |\n")[2].partition("---")[0]
    (tmp_path / "leakscreen.toml").write_text(lines)
    assert load_settings(config=tmp_path / "leakscreen.toml", environ={}).mail.sender == "leakscreen@example.org"


def test_the_schedule_of_the_sample_settings_can_be_run(tmp_path: Path) -> None:
    text = (DEPLOY / "leakscreen.toml").read_text(encoding="utf-8")
    table = "\n".join(re.findall(r"^# (\[\[\w+\]\]|    \w+ = .*)$", text, re.MULTILINE))
    assert {"schedule", "policy"} == tomllib.loads(table).keys()
    (tmp_path / "leakscreen.toml").write_text(table)
    settings: Settings = load_settings(config=tmp_path / "leakscreen.toml", environ={})
    assert [each.name for each in schedules_of(settings)] == ["share-nightly"]
