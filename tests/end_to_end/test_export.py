"""A real scan in every form: the same files, masked, on standard output or in a file, and on record."""

import csv
import io
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from leakscreen.demo import Planted
from tests.end_to_end.conftest import Run, rows_of

FORMS = ("jsonl", "csv", "sarif", "cef", "syslog")


def uris(form: str, text: str) -> int:
    if form == "sarif":
        return len(json.loads(text)["runs"][0]["results"])
    if form == "csv":
        return len(list(csv.DictReader(io.StringIO(text, newline=""))))
    return len(text.splitlines())


@pytest.mark.parametrize("form", FORMS)
def test_referred_files_by_default_and_all_on_demand(leakscreen: Run, scanned: Path, form: str) -> None:
    rows = rows_of(scanned)
    referred = leakscreen("export", scanned, "--format", form)
    assert (referred.code, uris(form, referred.out)) == (0, sum(row["referred"] for row in rows)), referred.err
    if form == "sarif":
        assert uris(form, leakscreen("export", scanned, "--format", form, "--all").out) == len(rows)


def test_no_value_leaves_and_the_export_is_on_record(
    leakscreen: Run, scanned: Path, share: tuple[Path, list[Planted]], tmp_path: Path
) -> None:
    where = ("--set", f"review.database=sqlite:///{tmp_path}/review.sqlite3")
    done = leakscreen("export", scanned, "--all", "--format", "parquet", "--out", tmp_path / "all.parquet", *where)
    assert done.code == 0, done.err
    table = pq.read_table(tmp_path / "all.parquet")
    assert table.num_rows == len(rows_of(scanned))
    for piece in (each for row in table["evidence"].to_pylist() for each in row or ()):
        assert "*" in piece["masked"]
    verified = leakscreen("audit", "verify", "--json", *where)
    assert (verified.code, verified.json["faults"]) == (0, [])
    assert verified.json["head"]["number"] >= 1


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("nowhere",), "no scan here"),
        (("{scanned}", "--send"), "syslog.url"),
        (("{scanned}", "--out", "/nonexistent/x"), "cannot be written"),
    ],
)
def test_faults_are_told(leakscreen: Run, scanned: Path, words: tuple[str, ...], what: str) -> None:
    ran = leakscreen("export", *(word.format(scanned=scanned) for word in words))
    assert (ran.code, ran.out) == (2, "")
    assert what in ran.err
