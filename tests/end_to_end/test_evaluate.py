"""Verified labels give TDP and FRP per rule, the same in Beam and without it; bad labels are named."""

import csv
import json
from pathlib import Path

import pytest

from leakscreen.demo import Planted, write_truth
from tests.end_to_end.conftest import Run, rows_of

Share = tuple[Path, list[Planted]]


def test_rates_are_the_counts_over_all_examined_files(
    leakscreen: Run, share: Share, scanned: Path, tmp_path: Path
) -> None:
    write_truth(share[1], tmp_path / "labels.csv")
    ran = leakscreen("evaluate", scanned, "--labels", tmp_path / "labels.csv", "--json")
    assert ran.code == 0, ran.err
    phi = {document.uri for document in share[1] if document.phi}
    labelled = {document.uri for document in share[1]}
    examined = [row for row in rows_of(scanned) if row["status"] in ("complete", "partial")]
    for measured in ran.json["rules"]:
        fired = {row["uri"] for row in examined if measured["rule"] in {hit["rule"] for hit in row["rules"]}}
        assert (measured["n"], measured["positive"]) == (len(examined), len(fired))
        if not fired & labelled:
            assert measured["tdp"] is None
        else:
            assert measured["tdp"] == pytest.approx(len(fired & phi) / len(examined))
            assert measured["frp"] == pytest.approx(len(fired & labelled - phi) / len(examined))
            assert measured["tdp_interval"][0] <= measured["tdp"] <= measured["tdp_interval"][1]


def test_beam_counts_the_same(leakscreen: Run, share: Share, scanned: Path, tmp_path: Path) -> None:
    write_truth(share[1], tmp_path / "labels.csv")
    words = ("evaluate", scanned, "--labels", tmp_path / "labels.csv", "--json")
    assert leakscreen(*words, "--runner", "local").json == leakscreen(*words).json
    (scan,) = scanned.iterdir()
    assert not list(scan.glob(".evaluation*"))


def test_labels_of_another_scan_are_refused_by_name(leakscreen: Run, scanned: Path, tmp_path: Path) -> None:
    with (tmp_path / "labels.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("uri", "phi"), ("/elsewhere/x.txt", "yes")])
    for runner in ((), ("--runner", "local")):
        ran = leakscreen("evaluate", scanned, "--labels", tmp_path / "labels.csv", *runner)
        assert ran.code == 2
        assert "/elsewhere/x.txt" in ran.err


def test_the_demo_finds_what_it_planted(leakscreen: Run, home: Path) -> None:
    ran = leakscreen("demo", "--files", "60", "--quiet")
    assert ran.code == 0, ran.err
    assert "identifying-information" in ran.out
    assert "missed: 0" in ran.out
    assert json.loads((home / "leakscreen-demo" / "demo.json").read_text()) == {
        "files": 60,
        "seed": 20,
        "prevalence": 0.01,
    }
    assert leakscreen("demo", "--files", "60", "--quiet").code == 0
    assert leakscreen("demo", "--files", "61", "--quiet").code == 2
