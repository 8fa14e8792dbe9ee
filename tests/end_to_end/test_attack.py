"""The quick groups of `make attack` are held; the others take minutes and are run by that command."""

import pytest

from benchmarks.attack.__main__ import GROUPS


@pytest.mark.parametrize(("group", "least"), [("sandbox", 400), ("lying child", 1_500), ("disguises", 200)])
def test_every_attack_is_held(group: str, least: int) -> None:
    cases = list(GROUPS[group]())
    assert [case.name for case in cases if not case.held] == []
    assert len(cases) >= least
