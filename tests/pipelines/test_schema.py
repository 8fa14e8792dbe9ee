"""Records become a table of the results' schema, and tables of older versions are read into it."""

from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from core.records import (
    Evidence,
    FileRecord,
    FileRef,
    HealthClass,
    HealthVerdict,
    Neighbour,
    Passages,
    Risk,
    Role,
    RuleHit,
    Screening,
    Status,
)
from pipelines.results.folder import ScanFolder
from pipelines.results.schema import SCHEMA, table_of

REF = FileRef("/a%FF", b"/a\xff", 7, 1_700_000_000_123_456_789, 0, "ann", "/srv", (("case", "12"),), access="everyone")
EVIDENCE = Evidence("email", 3, 9, "j***", "ff", "page 1", 1, "subject", "row 2")
SCREENING = Screening(
    5,
    (("email", 2),),
    (RuleHit("r", "p", 1),),
    True,
    Risk.LOW,
    (EVIDENCE,),
    (("phone", 3),),
    tied=4,
    persons=1,
    vectors=(1, 5),
    known=2,
)
NEAREST = (Neighbour("note 3", 0.2),)
VERDICT = HealthVerdict(
    0.25, True, ("fever",), HealthClass.TALK, 0.5, NEAREST, 1, Role.SUBJECT, "row 2", Passages(judged=7, positive=2)
)
RECORD = FileRecord(
    "s",
    REF,
    "/a%FF!b",
    "/a%FF",
    6,
    "ab",
    "text/plain",
    Status.PARTIAL,
    "too long",
    99,
    SCREENING,
    VERDICT,
    "/c!b",
    "it",
    people=3,
    likeness=b"12345678",
)


def test_every_value_of_a_record_is_in_its_row() -> None:
    (row,) = table_of([RECORD]).to_pylist(maps_as_pydicts="strict")
    assert row == {
        "scan_id": "s",
        "uri": "/a%FF!b",
        "container_uri": "/a%FF",
        "size": 6,
        "mtime": datetime(2023, 11, 14, 22, 13, 20, 123456, tzinfo=UTC),
        "owner": "ann",
        "sha256": "ab",
        "media_type": "text/plain",
        "status": "partial",
        "reason": "too long",
        "language": "it",
        "judged": False,
        "chars": 99,
        "pii_bits": 5,
        "pii_counts": {"email": 2},
        "suppressed": {"phone": 3},
        "tied_bits": 4,
        "persons": 1,
        "people": 3,
        "known": 2,
        "rules": [{"rule": "r", "prototype": "p", "distance": 1}],
        "passage_bits": [1, 5],
        "screened_positive": True,
        "health_distance": 0.25,
        "health_positive": True,
        "health_terms": ["fever"],
        "health_class": "personal-talk",
        "health_threshold": 0.5,
        "health_nearest": [{"prototype": "note 3", "distance": 0.2}],
        "health_person": 1,
        "passages": {"judged": 7, "positive": 2},
        "strongest": "row 2",
        "health_role": "subject",
        "referred": True,
        "risk": "low",
        "evidence": [
            {
                "characteristic": "email",
                "start": 3,
                "end": 9,
                "masked": "j***",
                "hmac": "ff",
                "where": "page 1",
                "person": 1,
                "role": "subject",
                "passage": "row 2",
            }
        ],
        "likeness": b"12345678",
        "duplicate_of": "/c!b",
        "source": "/srv",
        "metadata": {"case": "12"},
        "path": b"/a\xff",
        "access": "everyone",
        "deleted": False,
        "carved_at": None,
    }


def test_what_a_record_lacks_is_null_or_empty() -> None:
    plain = FileRecord("s", FileRef("/b", b"/b", 1, 0), "/b", None, 1, None, "text/plain", Status.COMPLETE, "", 0)
    (row,) = table_of([plain]).to_pylist()
    nulls = {name for name, value in row.items() if value is None}
    health = {"health_distance", "health_positive", "health_class", "health_threshold", "health_person"}
    passages = {"passages", "strongest", "health_role"}
    assert nulls == {
        "container_uri",
        "sha256",
        "language",
        "likeness",
        "duplicate_of",
        "path",
        "access",
        "carved_at",
        *health,
        *passages,
    }
    assert (
        row["passage_bits"]
        == row["health_terms"]
        == row["health_nearest"]
        == row["rules"]
        == row["evidence"]
        == row["metadata"]
        == []
    )


def test_results_without_later_columns_and_fields_are_read(tmp_path: Path) -> None:
    old = pa.schema([SCHEMA.field("uri"), ("evidence", pa.list_(pa.struct([("masked", pa.string())])))])
    rows = [{"uri": "/a", "evidence": [{"masked": "j***"}]}, {"uri": "/b", "evidence": []}]
    (tmp_path / "files").mkdir()
    pq.write_table(pa.Table.from_pylist(rows, old), tmp_path / "files" / "unit-00000000.parquet")
    first, second = ScanFolder(str(tmp_path)).rows(("uri", "evidence", "persons"))
    assert (first["evidence"][0]["masked"], first["evidence"][0]["person"], first["persons"]) == ("j***", None, None)
    assert second == {"uri": "/b", "evidence": [], "persons": None}
