"""Totals of units add up in any order, and say what the records say."""

import io
from dataclasses import replace
from typing import Any

import pyarrow.parquet as pq
from hypothesis import given
from hypothesis import strategies as st

from core.records import FileRecord, FileRef, HealthClass, HealthVerdict, Risk, RuleHit, Screening, Status
from pipelines.results.parquet import footer_totals, unit_parquet
from pipelines.results.schema import SCHEMA, table_of
from pipelines.results.totals import add, no_totals, table_totals, unit_totals

SHAPED = st.fixed_dictionaries(
    {"x": st.integers(0, 9), "y": st.dictionaries(st.sampled_from("abc"), st.integers(0, 9))}
)


def record(name: str, status: Status, *, container: str | None = None, referred: bool = False) -> FileRecord:
    ref = FileRef(name, name.encode(), 10, 1_700_000_000_000_000_000)
    screening = (
        Screening(3, (("email", 2),), (RuleHit("email", "email", 0),), referred, Risk.HIGH) if referred else Screening()
    )
    health = HealthVerdict(0.25, True, ("fever",)) if referred else None
    return FileRecord("s", ref, name, container, 10, None, "text/plain", status, "", 5, screening, health)


RECORDS = [
    record("/a", Status.COMPLETE, referred=True),
    record("/b.zip", Status.CONTAINER),
    record("/b.zip!c", Status.ENCRYPTED, container="/b.zip"),
]


@given(SHAPED, SHAPED, SHAPED)
def test_adding_does_not_depend_on_order(a: dict[str, Any], b: dict[str, Any], c: dict[str, Any]) -> None:
    assert add(add(add({}, a), b), c) == add(add(add({}, c), a), b)


def test_totals_count_files_members_and_outcomes() -> None:
    totals = unit_totals(RECORDS, {})
    assert {key: totals[key] for key in ("files", "records", "bytes", "examined", "screened_positive", "referred")} == {
        "files": 2,
        "records": 3,
        "bytes": 20,
        "examined": 1,
        "screened_positive": 1,
        "referred": 1,
    }
    assert totals["status"] == {"complete": 1, "container": 1, "encrypted": 1}
    assert totals["rules"] == {"email": 1} and totals["risk"] == {"high": 1}


def test_a_unit_is_a_parquet_file_with_its_totals_in_the_footer() -> None:
    raw = bytes(
        unit_parquet(RECORDS, lambda seconds: unit_totals(RECORDS, {"write": {"seconds": seconds, "bytes": 0}}))
    )
    assert pq.read_schema(io.BytesIO(raw)).equals(SCHEMA, check_metadata=False)
    assert footer_totals(io.BytesIO(raw))["records"] == 3
    first = pq.read_table(io.BytesIO(raw)).to_pylist(maps_as_pydicts="lossy")[0]
    assert (first["uri"], first["pii_bits"], first["pii_counts"], first["referred"], first["path"]) == (
        "/a",
        3,
        {"email": 2},
        True,
        None,
    )


NAMES = st.sampled_from(["email", "last_name", "phone_number"])
COUNTS = st.dictionaries(NAMES, st.integers(1, 9), max_size=3).map(lambda counts: tuple(counts.items()))
SCREENINGS = st.builds(
    Screening,
    rules=st.lists(st.builds(RuleHit, NAMES, st.just("p"), st.integers(0, 3)), max_size=3).map(tuple),
    positive=st.booleans(),
    risk=st.sampled_from(Risk),
    counts=COUNTS,
    suppressed=COUNTS,
)
VERDICTS = st.builds(HealthVerdict, st.floats(0, 1), st.booleans(), label=st.sampled_from(HealthClass))
MADE = st.builds(
    FileRecord,
    st.just("s"),
    st.just(FileRef("/a", b"/a", 10, 1)),
    st.sampled_from(["/a", "/a!b"]),
    st.sampled_from([None, "/a"]),
    st.integers(0, 2**40),
    st.none(),
    st.sampled_from(["text/plain", "application/pdf"]),
    st.sampled_from(Status),
    st.sampled_from(["", "corrupt", "a password"]),
    st.integers(0, 100),
    SCREENINGS,
    st.none() | VERDICTS,
    st.sampled_from([None, "/c"]),
)


@given(st.lists(MADE, max_size=12))
def test_totals_of_columns_are_those_of_records(records: list[FileRecord]) -> None:
    assert table_totals(table_of(records)) == unit_totals(records, {})


def test_totals_of_columns_count_what_was_suppressed_screened_and_judged() -> None:
    screening = Screening(positive=True, risk=Risk.LOW, suppressed=(("email", 3),), rules=(RuleHit("r", "p", 0),))
    judged = replace(RECORDS[0], screening=screening, health=HealthVerdict(0.2, True))
    totals = table_totals(table_of([judged, replace(judged, health=None), RECORDS[1]]))
    assert (totals["suppressed"], totals["rules"], totals["risk"]) == ({"email": 6}, {"r": 2}, {"low": 1})
    assert (totals["screened_positive"], totals["health_positive"], totals["referred"]) == (2, 1, 1)


def test_a_unit_without_records_has_every_figure() -> None:
    assert unit_totals([], {}) == table_totals(table_of([])) == no_totals()
