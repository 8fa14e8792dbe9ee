"""Each setting counts towards the findings that it can change, and no other."""

from dataclasses import replace
from pathlib import Path

import pytest

from core.settings import Settings
from pipelines.bundle.inputs import Inputs, read_inputs

WIDE = '[[rule]]\nid = "wide"\ndescription = "Any"\nexpression = "first_name"\nscreens = true\n'


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LEAKSCREEN_HMAC_KEY", "ab" * 32)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def changed(settings: Settings) -> set[str]:
    before, after = (_aspects(read_inputs(one)) for one in (Settings(), settings))
    return {name for name in before if before[name] != after[name]}


def _aspects(inputs: Inputs) -> dict[str, str]:
    return inputs.aspects(inputs.rules())


DEFAULT = Settings()


@pytest.mark.parametrize(
    ("settings", "aspects"),
    [
        (DEFAULT, set()),
        (replace(DEFAULT, scan=replace(DEFAULT.scan, unit_files=7, workers=1)), set()),
        (replace(DEFAULT, health=replace(DEFAULT.health, batch=3)), set()),
        (replace(DEFAULT, limits=replace(DEFAULT.limits, depth=3)), {"reading"}),
        (replace(DEFAULT, ocr=replace(DEFAULT.ocr, enabled="off")), {"reading"}),
        (replace(DEFAULT, rules=replace(DEFAULT.rules, evidence_per_file=3)), {"detection"}),
        (replace(DEFAULT, rules=replace(DEFAULT.rules, threshold=0.9)), {"detection"}),
        (replace(DEFAULT, rules=replace(DEFAULT.rules, disable=("names",))), {"detection"}),
        (replace(DEFAULT, rules=replace(DEFAULT.rules, disable=("identifying-information",))), {"rules"}),
    ],
)
def test_which_findings_a_setting_can_change(settings: Settings, aspects: set[str]) -> None:
    assert changed(settings) == aspects


def test_rule_files_models_keys_and_allow_lists_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "wide.toml").write_text(WIDE)
    assert changed(replace(DEFAULT, rules=replace(DEFAULT.rules, files=(str(tmp_path / "wide.toml"),)))) == {"rules"}
    (tmp_path / "own.model").write_bytes(b"another model")
    assert changed(replace(DEFAULT, health=replace(DEFAULT.health, model=str(tmp_path / "own.model")))) == {"health"}
    entry = '[[path]]\nglob = "/a/*"\nreason = "r"\nauthor = "a"\nexpires = 2999-01-01\n'
    (tmp_path / "allow.toml").write_text(entry)
    assert changed(replace(DEFAULT, rules=replace(DEFAULT.rules, allow=(str(tmp_path / "allow.toml"),)))) == {
        "detection"
    }
    before = read_inputs(DEFAULT)
    monkeypatch.setenv("LEAKSCREEN_HMAC_KEY", "cd" * 32)
    after = read_inputs(DEFAULT)
    assert _aspects(before)["detection"] != _aspects(after)["detection"]
    assert before.sha256 != after.sha256
