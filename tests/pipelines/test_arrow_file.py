"""A plan gives back every ref, unit by unit; units keep to their size and keep files of one content together."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.records import FileRef
from pipelines.plan.arrow_file import PlanTotals, batch_of_refs, read_unit, refs_of, spooled_walk, write_plan
from pipelines.plan.units import units_of


def refs(*sizes: int) -> list[FileRef]:
    return [
        FileRef(f"/f{i}", b"/f%d" % i, size, i, i, "me", "/", (("peer", "p1"),) if i % 2 else ())
        for i, size in enumerate(sizes)
    ]


def table(*sizes: int) -> pa.Table:
    return pa.Table.from_batches([batch_of_refs(refs(*sizes))])


def test_a_plan_can_be_read_back_unit_by_unit(tmp_path: Path) -> None:
    planned = refs(1, 2, 3, 4, 5)
    with spooled_walk(str(tmp_path), planned) as files:
        totals = write_plan(str(tmp_path / "plan.arrow"), files, unit_files=2, unit_bytes=1000)
    assert totals == PlanTotals(units=3, files=5, bytes=15)
    assert [ref for unit in range(3) for ref in read_unit(str(tmp_path / "plan.arrow"), unit)] == planned
    assert [entry.name for entry in tmp_path.iterdir()] == ["plan.arrow"]


def test_what_is_carried_over_comes_after_the_units(tmp_path: Path) -> None:
    plan = str(tmp_path / "plan.arrow")
    totals = write_plan(
        plan, table(1, 2, 3, 4), 2, 1000, to_read=np.array([1, 3]), carried=[np.array([2]), np.array([0])]
    )
    assert totals == PlanTotals(units=1, files=2, bytes=6)
    assert [[ref.size for ref in read_unit(plan, number)] for number in range(3)] == [[2, 4], [3], [1]]


def test_a_walk_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def broken() -> Iterator[FileRef]:
        yield refs(1)[0]
        raise OSError

    with pytest.raises(OSError), spooled_walk(str(tmp_path), broken()):
        pass
    assert list(tmp_path.iterdir()) == []


def test_odd_names_and_faults_survive_the_columns() -> None:
    odd = [
        FileRef("/a%FF", b"/a\xff", 1, 2, 3, "me", "/", device=7, etag="e"),
        FileRef("/link/a", b"/real/a", 1, 2, 3, "me", "/", (("peer", ""),)),
        FileRef("/gone", b"/gone", 0, 0, fault="no such file or folder"),
    ]
    assert refs_of(batch_of_refs(odd)) == odd


@given(st.lists(st.integers(0, 100)), st.integers(1, 10), st.integers(1, 200))
def test_units_hold_every_row_once_within_limits_and_part_no_size(
    sizes: list[int], unit_files: int, unit_bytes: int
) -> None:
    units = list(units_of(table(*sizes), np.arange(len(sizes)), unit_files, unit_bytes))
    assert sorted(row for unit in units for row in unit.tolist()) == list(range(len(sizes)))
    for unit in units:
        held = [sizes[row] for row in unit]
        assert len(set(held)) == 1 or (len(unit) <= unit_files and sum(held) <= unit_bytes)
    for size in set(sizes) - {0}:
        count = sizes.count(size)
        if count <= unit_files * 10 and count * size <= unit_bytes:
            assert len([unit for unit in units if size in (sizes[row] for row in unit)]) == 1


def test_many_files_of_one_size_are_told_apart_by_their_ends(tmp_path: Path) -> None:
    found = []
    for number in range(60):
        path = tmp_path / f"{number}"
        path.write_bytes(b"%02d" % (number % 20) + b"x" * 20_000)
        found.append(FileRef(str(path), bytes(path), 20_002, 1, number + 1))
    files = pa.Table.from_batches([batch_of_refs(found)])
    units = list(units_of(files, np.arange(60), 5, 10_000_000))
    assert len(units) == 20
    assert all(len({row % 20 for row in unit.tolist()}) == 1 for unit in units)
