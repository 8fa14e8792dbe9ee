"""A flag that was renamed works by both names, and the help shows the new one alone."""

from typing import Any

import pytest
from typer.testing import CliRunner

from leakscreen.cli.app import app

RENAMED = {
    "notify": (["notify"], "--retry-refused", "--again", [], "leakscreen.commands.notify.run"),
    "train health": (["train", "health"], "--rollback", "--back", [], "leakscreen.commands.train_reviews.roll_back"),
    "train prototypes": (
        ["train", "prototypes"],
        "--rollback",
        "--back",
        [],
        "leakscreen.commands.train_prototypes.roll_back",
    ),
    "evaluate": (
        ["evaluate", "SCAN", "--labels", "l.csv"],
        "--plan-width",
        "--plan",
        ["0.01"],
        "leakscreen.commands.evaluate.run",
    ),
    "rules allow": (
        ["rules", "allow", "x", "--reason", "r", "--author", "a", "--expires", "2999-01-01"],
        "--characteristic",
        "--as",
        ["phone_number"],
        "leakscreen.commands.allow.run",
    ),
}


@pytest.mark.parametrize("name", RENAMED)
def test_both_names_of_a_flag_do_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words, new, old, value, target = RENAMED[name]
    calls: list[tuple[Any, ...]] = []

    def called(*arguments: Any) -> int:
        calls.append(arguments)
        return 0

    monkeypatch.setattr(target, called)
    for flags in ([], [new, *value], [old, *value]):
        CliRunner().invoke(app, [*words, *flags])
    without, calls_with = calls[:-2], calls[-2:]
    assert calls_with[0] == calls_with[1]
    assert calls_with[0] not in without
    shown = CliRunner().invoke(app, [*words[: 1 + len(name.split()) // 2], "--help"]).output.split()
    assert new in shown and old not in shown
