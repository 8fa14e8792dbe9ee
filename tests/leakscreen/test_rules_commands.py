"""`rules test`, `rules allow` and `spans` from the outside: what they print, and what they never print."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from leakscreen.cli.app import app

RUNNER = CliRunner()
LINE = "SIN: 130 692 544, order 613-555-0142\n"


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LEAKSCREEN_HMAC_KEY", "ab" * 32)
    monkeypatch.chdir(tmp_path)


def ran(*words: str, text: str = "") -> str:
    result = RUNNER.invoke(app, list(words), input=text, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_rules_test_tells_what_and_why_without_the_value() -> None:
    output = ran("rules", "test", "-", text=LINE)
    assert "sin-grouped" in output and "raised by 'SIN'" in output and "reaches the threshold" in output
    assert "130 692 544" not in output
    assert "phone-north-american" not in output
    assert "stays below the threshold" in ran("rules", "test", "-", "--misses", text=LINE)


def test_rules_test_as_json() -> None:
    (finding,) = json.loads(ran("rules", "test", "-", "--json", text=LINE))["findings"]
    assert finding["detector"] == "sin-grouped"
    assert finding["validator"] == "sin" and finding["valid"] and finding["raised_by"] == "SIN"
    assert "130 692" not in json.dumps(finding)


def test_raw_values_go_to_terminals_only() -> None:
    from core.errors import SettingsError

    with pytest.raises(SettingsError, match="terminal"):
        RUNNER.invoke(app, ["rules", "test", "-", "--raw"], input=LINE, catch_exceptions=False)


def test_a_value_is_allowed_by_its_hash_alone(tmp_path: Path) -> None:
    grounds = ("--reason", "our switchboard", "--author", "privacy office", "--file", "allow.toml")
    ran("rules", "allow", "613-555-0142", "--expires", "2999-12-31", *grounds)
    ran("rules", "allow", "--path", "*/samples/*", "--expires", "2020-01-01", *grounds)
    kept = (tmp_path / "allow.toml").read_text()
    assert "555" not in kept and "phone_number" in kept
    result = RUNNER.invoke(app, ["rules", "check", "--json", "--set", "rules.allow=allow.toml"])
    report = json.loads(result.output)
    assert [problem["message"] for problem in report["problems"]] == [
        "path '*/samples/*' expired on 2020-01-01; renew or remove it"
    ]


def test_a_threshold_moves_spans() -> None:
    lines = ran("spans", "-", "--set", "rules.disable=names", text="call 613-555-0142").splitlines()
    assert [json.loads(line)["characteristic"] for line in lines] == ["phone_number"]
    assert ran("spans", "-", "--threshold", "0.95", "--set", "rules.disable=names", text="call 613-555-0142") == ""
