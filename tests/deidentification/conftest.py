"""Real de-identifiers, with the sandbox and the process that rewrites; each is started once for a module."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from core.settings import load_settings
from deidentification.deidentify import Deidentifier

Make = Callable[..., Deidentifier]


@pytest.fixture(scope="module")
def make() -> Iterator[Make]:
    """make("surrogate", **settings) -> a de-identifier that is closed in the end."""
    made: dict[object, Deidentifier] = {}

    def deidentifier(way: str = "tag", **flags: Any) -> Deidentifier:
        key = way, tuple(sorted(flags.items()))
        if key not in made:
            made[key] = Deidentifier(load_settings({"deidentify.way": way, **flags}, environ={}), mapping=True)
        return made[key]

    yield deidentifier
    for one in made.values():
        one.close()
