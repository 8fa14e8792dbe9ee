"""A plan gives back every ref, unit by unit, and its units keep to their size."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.records import FileRef
from pipelines.plan import PlanTotals, read_unit, units_of, write_plan


def refs(*sizes: int) -> list[FileRef]:
    return [FileRef(f"/f{i}", b"/f%d" % i, size, i, i, "me", "/", (("peer", "p1"),) if i % 2 else ()) for i, size in enumerate(sizes)]


def test_a_plan_can_be_read_back_unit_by_unit(tmp_path: Path) -> None:
    planned = refs(1, 2, 3, 4, 5)
    totals = write_plan(str(tmp_path / "plan.arrow"), iter(planned), unit_files=2, unit_bytes=1000)
    assert totals == PlanTotals(units=3, files=5, bytes=15)
    assert [ref for unit in range(3) for ref in read_unit(str(tmp_path / "plan.arrow"), unit)] == planned
    assert [entry.name for entry in tmp_path.iterdir()] == ["plan.arrow"]


def test_a_walk_that_fails_leaves_no_plan(tmp_path: Path) -> None:
    def broken() -> Iterator[FileRef]:
        yield refs(1)[0]
        raise OSError

    with pytest.raises(OSError):
        write_plan(str(tmp_path / "plan.arrow"), broken(), 1, 1)
    assert list(tmp_path.iterdir()) == []


@given(st.lists(st.integers(0, 100)), st.integers(1, 10), st.integers(1, 200))
def test_units_hold_every_ref_once_in_order_within_limits(sizes: list[int], unit_files: int, unit_bytes: int) -> None:
    units = list(units_of(refs(*sizes), unit_files, unit_bytes))
    assert [ref for unit in units for ref in unit] == refs(*sizes)
    for unit in units:
        assert 1 <= len(unit) <= unit_files
        assert len(unit) == 1 or sum(ref.size for ref in unit) <= unit_bytes
