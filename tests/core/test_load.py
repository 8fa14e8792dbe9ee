"""Settings come from flags, environment, file and defaults, in that order, and are refused by name."""

import re
from pathlib import Path

import pytest

from core.errors import SettingsError
from core.settings import Settings, env_name, known_settings, load_settings


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "leakscreen.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_defaults() -> None:
    assert load_settings(environ={}) == Settings()


def test_a_flag_beats_the_environment_which_beats_the_file(tmp_path: Path) -> None:
    config = written(tmp_path, "[limits]\nseconds = 1\ndepth = 1\nmembers = 1\n")
    environ = {"LEAKSCREEN_LIMITS_SECONDS": "2", "LEAKSCREEN_LIMITS_DEPTH": "2"}
    limits = load_settings({"limits.seconds": 3, "limits.depth": None}, config=config, environ=environ).limits
    assert (limits.seconds, limits.depth, limits.members) == (3, 2, 1)


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
        ("[limits]\nsecnds = 3\n", "limits.secnds", "limits.seconds"),
        ("[limit]\nseconds = 3\n", "[limit]", "limits"),
        ("[limits]\nseconds = 'soon'\n", "limits.seconds", "a number"),
        ("[limits]\nseconds = 0\n", "limits.seconds", "0.1"),
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
        ({"LEAKSCREEN_LIMITS_SECOND": "3"}, "LEAKSCREEN_LIMITS_SECONDS"),
        ({"LEAKSCREEN_SCAN_WORKERS": "two"}, "scan.workers"),
    ],
)
def test_what_is_wrong_in_the_environment_is_named(environ: dict[str, str], hint: str) -> None:
    with pytest.raises(SettingsError, match=hint):
        load_settings(environ=environ)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"nowhere\.toml"):
        load_settings(config=tmp_path / "nowhere.toml", environ={})


def test_every_setting_has_help_and_an_environment_name_of_its_own() -> None:
    known = known_settings()
    assert all(entry.metadata["help"] for entry in known.values())
    assert len({env_name(key) for key in known}) == len(known)


def test_the_sample_settings_show_every_default(tmp_path: Path) -> None:
    sample = (Path(__file__).parents[2] / "deploy" / "leakscreen.toml").read_text(encoding="utf-8")
    uncommented = re.sub(r"^# (\w+ = )", r"\1", sample, flags=re.MULTILINE)
    assert load_settings(config=written(tmp_path, uncommented), environ={}) == Settings()
    assert len(re.findall(r"^\w+ = ", uncommented, re.MULTILINE)) == len(known_settings())
