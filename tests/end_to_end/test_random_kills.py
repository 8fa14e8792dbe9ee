"""A scan that is killed at random moments, and resumed each time, ends with the records of an undisturbed one."""

import random
from pathlib import Path

import pytest

from benchmarks.kills import Stress, newest_rows
from leakscreen.demo import Planted
from tests.end_to_end.conftest import KEY


def test_random_kills_cost_no_record(
    share: tuple[Path, list[Planted]], scanned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A few moments of one scan; `python -m benchmarks.kills` tries a hundred."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("LEAKSCREEN_HMAC_KEY", KEY)
    stress = Stress(tmp_path, share[0], seconds=6.0, wanted=newest_rows(scanned))
    assert stress.round(4, random.Random(1)), "the scan was over before the first moment came"
