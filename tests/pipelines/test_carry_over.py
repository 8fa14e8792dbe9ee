"""Records that are carried over keep, renew or empty each column as the table of columns says."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.columns import COLUMNS, Rescan, columns_of_rescan
from core.records import FileRef, Risk, RuleHit, Screening, Status
from pipelines.plan.arrow_file import PLAN_SCHEMA, batch_of_refs
from pipelines.rescan.carry_over import Carried, carry_over
from pipelines.rescan.previous import PreviousScan
from pipelines.rescan.rescreen import Rescreen
from pipelines.results.folder import ScanFolder, unit_file
from pipelines.results.parquet import footer_totals, unit_parquet
from pipelines.results.people import PeopleFile
from pipelines.results.schema import table_of
from pipelines.results.totals import table_totals
from screening.ruleset.definitions import Prototype, Rule
from screening.ruleset.ruleset import RuleSet, load_rules
from tests.pipelines.test_people import PERSON
from tests.pipelines.test_schema import RECORD, VERDICT

BEFORE = FileRef("/srv/a.zip", b"/srv/a.zip", 7, 1_000, 5, "ann", "/srv", (("case", "12"),), access="group")
NOW = replace(BEFORE, owner="bob", source="/", metadata=(("case", "13"),), access="everyone")
OUTER = replace(RECORD, ref=BEFORE, uri="/srv/a.zip", container_uri=None, status=Status.CONTAINER, duplicate_of=None)
INNER = replace(OUTER, uri="/srv/a.zip!b", container_uri="/srv/a.zip", status=Status.PARTIAL)
RECORDS = [OUTER, INNER]


def previous_scan(folder: Path) -> PreviousScan:
    scan = ScanFolder(str(folder / "scan=before"))
    Path(scan.files).mkdir(parents=True)
    with pa.OSFile(scan.plan, "wb") as sink, pa.ipc.new_file(sink, PLAN_SCHEMA) as plan:
        plan.write_batch(batch_of_refs([BEFORE]))
    Path(scan.files, unit_file(0)).write_bytes(unit_parquet(RECORDS, lambda _: {}))
    Path(scan.people).mkdir()
    people = PeopleFile()
    for record in RECORDS:
        people.add(record.uri, [PERSON])
    people.add("/srv/gone", [PERSON])
    people.write(str(Path(scan.people, unit_file(0))), None)
    return PreviousScan(scan, {"walk": {"units": 1}, "started": "2026-01-05T08:00:00+00:00"})


def carried(folder: Path, now: FileRef, rescreen: Rescreen | None = None) -> tuple[Carried, list[Path]]:
    new = ScanFolder(str(folder / "scan=now"))
    Path(new.files).mkdir(parents=True)
    Path(new.people).mkdir()
    walked = pa.Table.from_batches([batch_of_refs([now])])
    done = carry_over(previous_scan(folder), new, walked, rescreen or Rescreen(), np.array([True]))
    return done, sorted(Path(new.files).glob("*"))


def columns(table: pa.Table) -> dict[str, list[Any]]:
    return {name: table[name].to_pylist() for name in table.column_names}


def test_each_column_is_kept_or_of_today_as_the_table_says(tmp_path: Path) -> None:
    done, (file,) = carried(tmp_path, NOW)
    before, after = columns(table_of(RECORDS)), columns(pq.read_table(file))
    assert (done.records, list(after)) == (2, list(before))
    for column in COLUMNS:
        if column.rescan is not Rescan.REFRESHED:
            assert after[column.name] == before[column.name], column.name
    today = table_of([replace(record, scan_id="now", ref=NOW) for record in RECORDS])
    for column in columns_of_rescan(Rescan.REFRESHED):
        assert after[column.name] == today[column.name].to_pylist() != before[column.name], column.name


def test_the_totals_of_carried_records_are_in_their_footer(tmp_path: Path) -> None:
    _, (file,) = carried(tmp_path, NOW)
    with file.open("rb") as handle:
        assert footer_totals(handle) == table_totals(pq.read_table(file)) == table_totals(table_of(RECORDS))


def test_a_moved_file_has_its_new_path_in_every_column_of_paths(tmp_path: Path) -> None:
    moved = replace(NOW, uri="/srv/%FF/a.zip", path=b"/srv/\xff/a.zip")
    _, (file,) = carried(tmp_path, moved)
    after = pq.read_table(file)
    assert {column.name for column in columns_of_rescan(Rescan.RENAMED)} == {"uri", "container_uri", "path"}
    assert after["uri"].to_pylist() == ["/srv/%FF/a.zip", "/srv/%FF/a.zip!b"]
    assert after["container_uri"].to_pylist() == [None, "/srv/%FF/a.zip"]
    assert after["path"].to_pylist() == [b"/srv/\xff/a.zip"] * 2


@pytest.mark.parametrize("change", [{"size": 8}, {"mtime_ns": 2_000}, {"inode": 6}], ids=str)
def test_a_changed_file_is_not_carried_over(tmp_path: Path, change: dict[str, Any]) -> None:
    done, files = carried(tmp_path, replace(NOW, **change))
    assert (done.records, len(done.rows), files) == (0, 0, [])


def rules(bits: int) -> RuleSet:
    """One rule, which fires on this very vector."""
    rule = Rule("rules.toml", "new", "", "", 0, True, (Prototype("only", bits, 2**64 - 1),))
    return replace(load_rules(), rules=(rule,))


def test_other_rules_renew_the_columns_of_rules_and_keep_the_verdict() -> None:
    examined = replace(RECORD, screening=replace(RECORD.screening, rules=(), positive=False))
    after, needs_text = Rescreen(rules(RECORD.screening.bits)).apply(table_of([examined]))
    wanted = replace(RECORD, screening=replace(RECORD.screening, rules=(RuleHit("new", "only", 0),)))
    assert after.to_pylist() == table_of([wanted]).to_pylist()
    assert needs_text.tolist() == [False]


def test_a_record_that_no_rule_screens_any_more_has_no_column_of_health_left() -> None:
    after, needs_text = Rescreen(rules(1)).apply(table_of([RECORD]))
    without = replace(RECORD.screening, rules=(), positive=False)
    wanted = replace(RECORD, screening=without, health=None, likeness=b"")
    assert after.to_pylist() == table_of([wanted]).to_pylist()
    assert needs_text.tolist() == [False]
    for column in columns_of_rescan(Rescan.HEALTH):
        assert after[column.name].to_pylist() == [column.empty], column.name


def test_what_has_no_verdict_or_one_of_another_model_needs_its_text() -> None:
    screening = Screening(RECORD.screening.bits, positive=True, risk=Risk.LOW)
    table = table_of([replace(RECORD, screening=screening, health=health) for health in (None, VERDICT)])
    assert Rescreen().apply(table)[1].tolist() == [True, False]
    assert Rescreen(same_health=False).apply(table)[1].tolist() == [True, True]
    assert Rescreen(rules(RECORD.screening.bits)).apply(table)[1].tolist() == [True, False]


def test_people_are_carried_with_their_files_and_those_of_other_files_are_not(tmp_path: Path) -> None:
    moved = replace(NOW, uri="/srv/%FF/a.zip", path=b"/srv/\xff/a.zip")
    carried(tmp_path, moved)
    (file,) = (tmp_path / "scan=now" / "people").glob("*")
    (before,) = (tmp_path / "scan=before" / "people").glob("*")
    after, rows = pq.read_table(file), pq.read_table(before)
    assert after["uri"].to_pylist() == ["/srv/%FF/a.zip", "/srv/%FF/a.zip!b"]
    assert after.drop_columns("uri").equals(rows.drop_columns("uri").slice(0, 2))
    assert after["health"].to_pylist() == [True, True]


def test_nobody_keeps_health_of_a_file_that_is_no_longer_screened(tmp_path: Path) -> None:
    carried(tmp_path, NOW, Rescreen(rules(1)))
    (file,) = (tmp_path / "scan=now" / "people").glob("*")
    assert pq.read_table(file)["health"].to_pylist() == [False, False]
