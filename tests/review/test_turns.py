"""Writers of SQLite take turns, and who is gone holds nobody up."""

import threading
from pathlib import Path

import pytest
from django.db import connection, transaction

from review.audit import record, verify
from tests.review.conftest import use_database


@pytest.fixture
def own_file(sqlite_template: Path, tmp_path: Path) -> None:
    path = tmp_path / "review.sqlite3"
    path.write_bytes(sqlite_template.read_bytes())
    use_database(f"sqlite:///{path}")


@pytest.mark.usefixtures("own_file")
def test_a_writer_waits_for_its_turn_and_then_gets_it() -> None:
    order: list[str] = []

    def other() -> None:
        try:
            record("other", "sight")
            order.append("other")
        finally:
            connection.close()

    with transaction.atomic():
        record("first", "sight")
        waiting = threading.Thread(target=other)
        waiting.start()
        waiting.join(0.2)
        order.append("first")
    waiting.join()
    assert order == ["first", "other"]
    assert verify() == (2, [])


@pytest.mark.usefixtures("own_file")
def test_a_failed_or_closed_transaction_gives_its_turn_back() -> None:
    with pytest.raises(ZeroDivisionError), transaction.atomic():
        record("first", "sight")
        raise ZeroDivisionError
    assert connection._turn is None
    with transaction.atomic():
        record("second", "sight")
        assert connection._turn is not None
    connection.close()
    record("third", "sight")
    assert verify() == (2, [])
