"""What the quick way takes of a command line, it takes as the command line proper does; all else it leaves alone."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leakscreen.cli.app import app
from leakscreen.command_line import plain_scan
from leakscreen.commands import scan as scan_command

WORDS = st.sampled_from(
    [
        "a",
        "b c",
        "/x",
        "--out",
        "--quiet",
        "-q",
        "--json",
        "--full",
        "--resume",
        "-qq",
        "--out=x",
        "--",
        "-",
        "",
        "ä",
        "--outt",
    ]
)


def asked_of_the_command_line(words: Sequence[str], monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    asked: dict[str, Any] = {}

    def run(
        sources: tuple[str, ...], manifests: tuple[str, ...], flags: dict[str, Any], config: object, **ways: bool
    ) -> int:
        asked.update(sources=sources, manifests=manifests, flags=flags, config=config, **ways)
        return 0

    monkeypatch.setattr(scan_command, "run", run)
    app(list(words), standalone_mode=False)
    return asked


@given(st.lists(WORDS, max_size=6))
def test_it_takes_words_as_the_command_line_does(words: list[str]) -> None:
    plain = plain_scan(["scan", *words])
    if plain is None:
        return
    with pytest.MonkeyPatch.context() as monkeypatch:
        requested = asked_of_the_command_line(["scan", *words], monkeypatch)
    assert requested == {
        "sources": tuple(plain.sources),
        "manifests": (),
        "flags": plain.flags,
        "config": None,
        "resume": False,
        "full": False,
        "fail_on_referral": False,
        "quiet": plain.quiet,
        "as_json": plain.as_json,
    }


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["report", "x"],
        ["--help"],
        ["scan", "--help"],
        ["scan", "x", "--full"],
        ["scan", "x", "--out"],
        ["scan", "x", "--out", "-q"],
    ],
)
def test_what_is_less_plain_is_left(words: list[str]) -> None:
    assert plain_scan(words) is None


def test_an_ordinary_scan_is_plain() -> None:
    plain = plain_scan(["scan", "share", "other", "--out", "results", "--quiet"])
    assert plain is not None
    assert (plain.sources, plain.flags, plain.quiet, plain.as_json) == (
        ["share", "other"],
        {"scan.out": "results"},
        True,
        False,
    )
