"""Each setting counts towards the findings that it can change, and no other."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.settings import Settings, known_settings
from core.settings.scan import ExtractionSettings
from pipelines.bundle.inputs import Decisive, Inputs, read_inputs
from screening.known.build import build_index

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
    passwords = tmp_path / "passwords"
    locked = replace(DEFAULT, extraction=ExtractionSettings(str(passwords)))
    for content in ("sesame\n", "swordfish\n"):
        passwords.write_text(content)
        passwords.chmod(0o600)
        assert changed(locked) == {"reading"}
        assert content.strip() not in repr(read_inputs(locked).decisive)
    before = read_inputs(DEFAULT)
    monkeypatch.setenv("LEAKSCREEN_HMAC_KEY", "cd" * 32)
    after = read_inputs(DEFAULT)
    assert _aspects(before)["detection"] != _aspects(after)["detection"]
    assert before.sha256 != after.sha256


# These settings do not decide what is found in a file. A new setting belongs here, or else into Decisive: without that,
# a re-scan would keep results that the old value made.
NOT_DECISIVE_SECTIONS = {
    "sources",
    "review",
    "oidc",
    "mail",
    "webhook",
    "syslog",
    "log",
    "metrics",
    "gate",
    "act",
    "deidentify",
}
NOT_DECISIVE = {
    "scan.out",
    "scan.runner",
    "scan.workers",
    "scan.max_bytes_per_second",
    "scan.max_files_per_second",
    "scan.hours",
    "scan.back_off",
    "scan.include",  # these and the sample decide which files are walked; every walk is compared with the one before
    "scan.exclude",
    "scan.sample",
    "scan.sample_by",
    "scan.seed",
    "scan.access_lists",  # read by the walk
    "scan.unit_files",
    "scan.unit_bytes",
    "scan.flink_master",
    "scan.flink_jars",
    "scan.beam_options",
}
# These name files whose content counts; test_rule_files_models_keys_and_allow_lists_count changes it.
BY_CONTENT = {
    "rules.files",
    "rules.adopted_dir",
    "rules.allow",
    "health.model",
    "health.adopted_dir",
    "privacy.key_file",
    "extraction.passwords_file",
    "rules.known_file",
}
OTHER_VALUES: dict[str, Any] = {"rules.disable": ("names",), "rules.threshold": 0.9}


def with_other_value(key: str) -> Settings:
    section, _, name = key.partition(".")
    entry = known_settings()[key]
    present = getattr(getattr(DEFAULT, section), name)
    if key in OTHER_VALUES:
        value = OTHER_VALUES[key]
    elif entry.metadata["choices"]:
        value = next(choice for choice in entry.metadata["choices"] if choice != present)
    elif isinstance(present, bool):
        value = not present
    elif isinstance(present, int | float):
        value = present + 1
    elif isinstance(present, tuple):
        value = (*present, "other")
    else:
        value = present + "other"
    return replace(DEFAULT, **{section: replace(getattr(DEFAULT, section), **{name: value})})


def test_the_lists_of_settings_name_nothing_that_is_gone() -> None:
    assert known_settings().keys() >= NOT_DECISIVE | BY_CONTENT | OTHER_VALUES.keys()
    assert {key.partition(".")[0] for key in known_settings()} >= NOT_DECISIVE_SECTIONS


@pytest.mark.parametrize("key", sorted(known_settings().keys() - BY_CONTENT))
def test_every_setting_that_decides_findings_is_among_the_inputs(key: str) -> None:
    before, after = read_inputs(DEFAULT).sha256, read_inputs(with_other_value(key)).sha256
    decides = key not in NOT_DECISIVE and key.partition(".")[0] not in NOT_DECISIVE_SECTIONS
    assert (before != after) is decides, (
        f"{key}: add it to Decisive (pipelines/bundle/inputs.py), or to NOT_DECISIVE here"
    )


def test_decisive_settings_reach_the_workers_as_they_were() -> None:
    settings = replace(DEFAULT, rules=replace(DEFAULT.rules, disable=("names",), threshold=0.7))
    decisive = Decisive.of(settings, {"values": [["email", "00"]], "paths": []})
    assert Decisive.from_json(decisive.to_json()) == decisive


def test_decisive_settings_of_an_earlier_version_are_read() -> None:
    """Keys of that time: limits.seconds, and a setting that is gone."""
    text = Decisive.of(DEFAULT, {"values": [], "paths": []}).to_json()
    old = text.replace('"file_seconds": 120.0', '"seconds": 7.5, "gone": 1').replace(
        '"threshold"', '"gone": 1, "threshold"'
    )
    assert Decisive.from_json(old).limits == replace(DEFAULT.limits, file_seconds=7.5)


def test_another_version_of_screening_makes_findings_stale(monkeypatch: pytest.MonkeyPatch) -> None:
    before = _aspects(read_inputs(Settings()))
    monkeypatch.setattr("pipelines.bundle.inputs.SCREENER_VERSION", 0)
    after = _aspects(read_inputs(Settings()))
    assert {name for name in before if before[name] != after[name]} == {"detection"}


def test_another_list_of_known_people_is_another_way_of_detecting(tmp_path: Path) -> None:
    (tmp_path / "list.csv").write_text("mrn,name\n4471223,Charles Sloan\n")
    build_index(tmp_path / "list.csv", "mrn", ["name"], tmp_path / "index", bytes.fromhex("ab" * 32))
    with_list = replace(DEFAULT, rules=replace(DEFAULT.rules, known_file=str(tmp_path / "index")))
    assert changed(with_list) == {"detection"}
    assert Decisive.from_json(read_inputs(with_list).decisive.to_json()) == read_inputs(with_list).decisive
