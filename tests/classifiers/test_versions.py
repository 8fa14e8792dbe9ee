from pathlib import Path

import pytest

from classifiers.versions import adopt, go_back, list_versions
from core.errors import ModelError


def test_versions_are_kept_and_reversible(tmp_path: Path) -> None:
    model = tmp_path / "health.model"
    adopt(model, b"second", before=b"first")
    adopt(model, b"third", before=b"second")
    assert [(version.number, version.path.read_bytes(), version.in_use) for version in list_versions(model)] == [
        (1, b"first", False),
        (2, b"second", False),
        (3, b"third", True),
    ]
    assert go_back(model).number == 2
    assert model.read_bytes() == b"second"
    assert go_back(model).number == 1
    assert model.read_bytes() == b"first"
    with pytest.raises(ModelError, match="version 1 is the oldest"):
        go_back(model)
    assert adopt(model, b"fourth", before=b"first").number == 4
    assert [version.number for version in list_versions(model)] == [1, 2, 3, 4]


def test_a_model_without_versions_cannot_go_back(tmp_path: Path) -> None:
    (tmp_path / "health.model").write_bytes(b"mine")
    with pytest.raises(ModelError, match="none of its kept versions"):
        go_back(tmp_path / "health.model")


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot be written"):
        adopt(tmp_path / "absent" / "health.model", b"new", before=b"old")
