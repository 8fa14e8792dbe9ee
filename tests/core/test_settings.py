"""Settings come from flags, environment, file and defaults, in that order, and are refused by name."""

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from core.errors import SettingsError
from core.settings import (
    LimitSettings,
    ScanSettings,
    Settings,
    env_name,
    known_settings,
    load_settings,
    renamed_settings,
    stored_section,
)


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "leakscreen.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_defaults() -> None:
    assert load_settings(environ={}) == Settings()


def test_a_flag_beats_the_environment_which_beats_the_file(tmp_path: Path) -> None:
    config = written(tmp_path, "[limits]\nfile_seconds = 1\ndepth = 1\nmembers = 1\n")
    environ = {"LEAKSCREEN_LIMITS_FILE_SECONDS": "2", "LEAKSCREEN_LIMITS_DEPTH": "2"}
    limits = load_settings({"limits.file_seconds": 3, "limits.depth": None}, config=config, environ=environ).limits
    assert (limits.file_seconds, limits.depth, limits.members) == (3, 2, 1)


def test_the_environment_can_name_the_file(tmp_path: Path) -> None:
    config = written(tmp_path, '[scan]\nexclude = ["*.iso"]\n')
    assert load_settings(environ={"LEAKSCREEN_CONFIG": str(config)}).scan.exclude == ("*.iso",)


def test_tables_come_in_the_order_of_the_file(tmp_path: Path) -> None:
    config = written(
        tmp_path, '[[schedule]]\nname = "b"\ncron = "0 1 * * *"\nsources = ["/srv"]\n[[schedule]]\nname = "a"\n'
    )
    first, second = load_settings(config=config, environ={}).schedule
    assert (first.name, first.cron, first.sources, first.overlap) == ("b", "0 1 * * *", ("/srv",), "skip")
    assert second.name == "a"


def test_a_list_in_the_environment_is_comma_separated() -> None:
    assert load_settings(environ={"LEAKSCREEN_SCAN_INCLUDE": "*.txt, *.md"}).scan.include == ("*.txt", "*.md")


def test_the_key_in_the_environment_is_not_a_setting() -> None:
    assert load_settings(environ={"LEAKSCREEN_HMAC_KEY": "x" * 32}) == Settings()


@pytest.mark.parametrize(
    ("text", "named", "hint"),
    [
        ("[limits]\nfile_secnds = 3\n", "limits.file_secnds", "limits.file_seconds"),
        ("[limit]\nfile_seconds = 3\n", "[limit]", "limits"),
        ("[limits]\nfile_seconds = 'soon'\n", "limits.file_seconds", "a number"),
        ("[limits]\nfile_seconds = 0\n", "limits.file_seconds", "0.1"),
        ("[limits]\ndepth = 1000\n", "limits.depth", "100"),
        ("[limits]\ndepth = 1.5\n", "limits.depth", "a whole number"),
        ("[limits]\ndepth = true\n", "limits.depth", "a whole number"),
        ("[privacy]\nsandbox = 'allow'\n", "privacy.sandbox", "allow-none"),
        ("[scan]\ninclude = [1]\n", "scan.include", "a list of texts"),
        ("scan = 3\n", "scan", "section"),
        ("[schedule]\nname = 'a'\n", "schedule", "[[schedule]]"),
        ("[[schedule]]\nname = 'a'\n[[schedule]]\ncorn = 'x'\n", "table 2", "schedule.cron"),
        ("[[schedule]]\noverlap = 'jump'\n", "schedule.overlap", "skip"),
        ("[[schedule]]\nsources = 'a'\ngrace_minutes = 0\n", "schedule.grace_minutes", "at least 1"),
        ("[oidc]\npasswords = 'maybe'\n", "oidc.passwords", "true or false"),
        ("[oidc]\npasswords = 0\n", "oidc.passwords", "true or false"),
        ("[[schedule]]\nrefer = 'often'\n", "schedule.refer", "true or false"),
        ("[limits]\nseconds = 'soon'\n", "limits.file_seconds", "a number"),
        ("[limits]\nseconds = 1\nfile_seconds = 2\n", "limits.file_seconds", "given twice"),
        ("[limits\n", "leakscreen.toml", "TOML"),
    ],
)
def test_what_is_wrong_in_the_file_is_named_with_the_nearest_valid_one(
    tmp_path: Path, text: str, named: str, hint: str
) -> None:
    with pytest.raises(SettingsError) as fault:
        load_settings(config=written(tmp_path, text), environ={})
    assert named in str(fault.value)
    assert hint in str(fault.value)


@pytest.mark.parametrize(
    ("environ", "hint"),
    [
        ({"LEAKSCREEN_LIMITS_FILE_SECOND": "3"}, "LEAKSCREEN_LIMITS_FILE_SECONDS"),
        ({"LEAKSCREEN_SCAN_WORKERS": "two"}, "scan.workers"),
    ],
)
def test_what_is_wrong_in_the_environment_is_named(environ: dict[str, str], hint: str) -> None:
    with pytest.raises(SettingsError, match=hint):
        load_settings(environ=environ)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WEB_SERVICE_HOST", "10.0.0.1"),
        ("WEB_SERVICE_PORT", "80"),
        ("WEB_SERVICE_PORT_HTTP", "80"),
        ("WEB_PORT", "tcp://10.0.0.1:80"),
        ("WEB_PORT_80_TCP", "tcp://10.0.0.1:80"),
        ("WEB_PORT_80_TCP_PROTO", "tcp"),
        ("WEB_PORT_80_TCP_ADDR", "10.0.0.1"),
        ("REVIEW_PORT", "tcp://10.0.0.1:80"),
    ],
)
def test_what_a_cluster_adds_for_a_service_is_refused_with_the_remedy(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"LEAKSCREEN_{name} .*enableServiceLinks: false"):
        load_settings(environ={f"LEAKSCREEN_{name}": value})


def test_no_setting_is_taken_for_what_a_cluster_adds() -> None:
    for key, entry in known_settings().items():
        try:
            load_settings(environ={env_name(key): "udp://log.example.org:514"})
        except SettingsError as error:
            assert "enableServiceLinks" not in str(error) or entry.type is int, key


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"nowhere\.toml"):
        load_settings(config=tmp_path / "nowhere.toml", environ={})


def test_every_setting_has_help_and_an_environment_name_of_its_own() -> None:
    known = known_settings()
    assert all(entry.metadata["help"] for entry in known.values())
    assert len({env_name(key) for key in known}) == len(known)


RENAMED = {
    "rules.evidence": ("rules.evidence_per_file", "7", 7),
    "rules.learned": ("rules.adopted_dir", "/srv/a", "/srv/a"),
    "health.learned": ("health.adopted_dir", "/srv/b", "/srv/b"),
    "scan.beam": ("scan.beam_options", "parallelism=4", ("parallelism=4",)),
    "limits.seconds": ("limits.file_seconds", "3", 3.0),
    "limits.expansion_seconds": ("limits.expansion_cpu_seconds", "4", 4.0),
}


def value_of(settings: Settings, key: str) -> Any:
    section, name = key.split(".")
    return getattr(getattr(settings, section), name)


def test_all_renamed_settings_are_tested_here() -> None:
    assert renamed_settings() == {old: new for old, (new, _, _) in RENAMED.items()}


@pytest.mark.parametrize("old", RENAMED)
def test_a_setting_works_by_its_old_and_its_new_name(tmp_path: Path, old: str) -> None:
    new, text, value = RENAMED[old]
    for key in (old, new):
        section, name = key.split(".")
        toml = list(value) if isinstance(value, tuple) else value
        config = written(tmp_path, f"[{section}]\n{name} = {toml!r}\n")
        assert value_of(load_settings(config=config, environ={}), new) == value
        assert value_of(load_settings(environ={env_name(key): text}), new) == value
        assert value_of(load_settings({key: text}, environ={}), new) == value
    with pytest.raises(SettingsError, match=rf"{new} is given twice"):
        load_settings({old: text, new: text}, environ={})
    with pytest.raises(SettingsError, match=rf"{new} is given twice"):
        load_settings(environ={env_name(old): text, env_name(new): text})


def test_the_environment_beats_the_file_whichever_names_they_use(tmp_path: Path) -> None:
    config = written(tmp_path, "[limits]\nfile_seconds = 1\n")
    assert load_settings(config=config, environ={"LEAKSCREEN_LIMITS_SECONDS": "2"}).limits.file_seconds == 2


@pytest.mark.parametrize(
    ("word", "value"), [("true", True), ("yes", True), ("Yes", True), ("false", False), ("no", False)]
)
def test_a_boolean_is_read_from_every_place(tmp_path: Path, word: str, value: bool) -> None:
    quoted = written(tmp_path, f"[oidc]\npasswords = {word!r}\n[[schedule]]\nrefer = {word!r}\nnotify = {word!r}\n")
    settings = load_settings(config=quoted, environ={})
    assert (settings.oidc.passwords, settings.schedule[0].refer, settings.schedule[0].notify) == (value, value, value)
    plain = written(tmp_path, f"[oidc]\npasswords = {str(value).lower()}\n")
    assert load_settings(config=plain, environ={}).oidc.passwords is value
    assert load_settings(environ={"LEAKSCREEN_OIDC_PASSWORDS": word}).oidc.passwords is value
    assert load_settings({"oidc.passwords": word}, environ={}).oidc.passwords is value


def test_a_section_stored_by_an_earlier_version_is_read() -> None:
    earlier = {"seconds": 7.0, "depth": 2, "gone_since": 1}
    assert stored_section(LimitSettings, earlier) == LimitSettings(file_seconds=7.0, depth=2)
    stored = json.loads(json.dumps(asdict(ScanSettings(beam_options=("a=1",), include=("*.txt",)))))
    assert stored_section(ScanSettings, stored) == ScanSettings(beam_options=("a=1",), include=("*.txt",))
    stored["beam"] = stored.pop("beam_options")
    assert stored_section(ScanSettings, stored) == ScanSettings(beam_options=("a=1",), include=("*.txt",))


def test_the_sample_settings_show_every_default(tmp_path: Path) -> None:
    sample = (Path(__file__).parents[2] / "deploy" / "leakscreen.toml").read_text(encoding="utf-8")
    uncommented = re.sub(r"^# (\w+ = )", r"\1", sample, flags=re.MULTILINE)
    assert load_settings(config=written(tmp_path, uncommented), environ={}) == Settings()
    assert len(re.findall(r"^\w+ = ", uncommented, re.MULTILINE)) == len(known_settings())
