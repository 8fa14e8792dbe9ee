"""The doctor tries the protections for real, and says what is missing."""

import json
import subprocess
import sys

import pytest

from core.settings import LimitSettings, Settings
from extraction.confinement.self_test import ATTEMPTS, AttemptResult, run_self_test
from extraction.format import Need
from extraction.registry import Registry
from extraction.sandbox import Protection
from leakscreen.commands import doctor
from leakscreen.commands.doctor import Diagnosis, Part


def test_the_protections_of_this_machine_work_and_are_told_as_json() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "leakscreen", "doctor", "--json"], capture_output=True, text=True, check=True
    )
    report = json.loads(done.stdout)
    assert report["ok"] is True
    assert report["parser"] == "works"
    assert report["protection"]["rlimits"] is True
    assert "path exists" in report["left"]
    assert [deed["deed"] for deed in report["deeds"]] == [attempt.name for attempt in ATTEMPTS]
    assert all(deed["refused"] for deed in report["deeds"])
    assert {part["name"] for part in report["parts"]} == {need.name for need in Registry().needs}
    assert all(part["missing"] == (not part["found"]) and part["get"] for part in report["parts"])


UNCONFINED = """
import json, sys
import extraction.confinement.self_test as trial
trial.confine = lambda *_: None
trial.main(int(sys.argv[1]), trial.Scene(*json.loads(sys.argv[2])))
"""


def test_a_process_that_is_not_confined_is_found_out() -> None:
    outcomes = run_self_test(LimitSettings(memory_bytes=256_000_000), ["-c", UNCONFINED])
    assert [outcome.refused for outcome in outcomes] == [False] * len(ATTEMPTS)


def diagnosis(**changes: object) -> Diagnosis:
    whole: dict[str, object] = {
        "protection": Protection(3, True),
        "attempts": (AttemptResult("fly", "gravity", True),),
        "parses": "",
        "parts": (Part("wings", "flight", "", "grow some"), Part("feet", "walking", "2.0", "")),
    }
    return Diagnosis(**{**whole, **changes})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("found", "code", "words"),
    [
        (diagnosis(), 0, ["version 3", "refused", "missing", "grow some", "2.0", "can be parsed safely"]),
        (diagnosis(protection=Protection(0, False)), 2, ["NO", "cannot be parsed safely"]),
        (diagnosis(attempts=(AttemptResult("fly", "gravity", False),)), 2, ["POSSIBLE", "cannot be parsed safely"]),
        (diagnosis(parses="failed: it did not start"), 2, ["it did not start", "cannot be parsed safely"]),
    ],
)
def test_the_verdict(
    found: Diagnosis, code: int, words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "diagnose", lambda settings: found)
    assert doctor.run({}, None, as_json=False) == code
    printed = " ".join(capsys.readouterr().out.split())
    assert all(word in printed for word in words)


def test_a_parser_that_does_not_start_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("extraction.sandbox.sandbox.probe", lambda: Protection(0, False))
    assert "Landlock" in doctor._try_to_parse(Settings())


def test_each_optional_part_says_how_to_get_it() -> None:
    for need in Registry().needs:
        assert isinstance(need, Need)
        assert need.name and need.gives and need.get
        assert isinstance(need.find(), str)
