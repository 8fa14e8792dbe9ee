"""The shipped rules, loaded and made ready once for all tests of this room."""

import pytest

from screening.ruleset.ruleset import RuleSet, load_rules
from screening.screen import Screen


@pytest.fixture(scope="session")
def ruleset() -> RuleSet:
    return load_rules()


@pytest.fixture(scope="session")
def screen(ruleset: RuleSet) -> Screen:
    return Screen(ruleset, b"a key for tests, 32 bytes long..")
