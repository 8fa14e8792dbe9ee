"""Versions are adopted, listed and taken back; a changed file is refused, and nothing is deleted."""

from pathlib import Path

import pytest

from core.adopted import Versions
from core.errors import ModelError


@pytest.fixture
def versions(tmp_path: Path) -> Versions:
    return Versions(tmp_path / "learned", ".toml")


def test_nothing_is_in_use_at_first(versions: Versions) -> None:
    assert (versions.current(), versions.in_use, versions.history()) == (None, 0, [])


def test_what_was_adopted_last_is_in_use_until_it_is_taken_back(versions: Versions) -> None:
    first, second = versions.adopt(b"one", "first"), versions.adopt(b"two", "second")
    assert versions.current() == second
    assert versions.back() == 1 and versions.current() == first
    assert versions.back() == 0 and versions.current() is None
    assert second.read_bytes() == b"two"
    third = versions.adopt(b"three", "third")
    assert third.name == "0003.toml" and versions.current() == third
    assert [(change.action, change.version) for change in versions.history()] == [
        ("adopted", 1),
        ("adopted", 2),
        ("went back", 1),
        ("went back", 0),
        ("adopted", 3),
    ]


def test_there_is_nothing_to_go_back_from(versions: Versions) -> None:
    with pytest.raises(ModelError, match="nothing to go back from"):
        versions.back()


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda path: path.write_bytes(b"other"), "changed since it was adopted"),
        (lambda path: path.unlink(), "cannot be read"),
    ],
)
def test_a_version_that_is_not_what_was_adopted_is_refused(versions: Versions, spoil: object, message: str) -> None:
    spoil(versions.adopt(b"one", ""))  # type: ignore[operator]
    with pytest.raises(ModelError, match=message):
        versions.current()


def test_a_history_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "history.jsonl").write_text("no json\n")
    with pytest.raises(ModelError, match="not a history"):
        Versions(tmp_path, ".toml").current()
