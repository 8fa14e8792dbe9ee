"""The image, built once for all tests of this folder."""

import pytest

from tests.containers.engine import Engine


@pytest.fixture(scope="session")
def engine() -> Engine:
    engine = Engine()
    engine.build(engine.base())
    return engine
