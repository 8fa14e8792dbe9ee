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
    examined = [row for row in rows_of(scanned) if row["status"] in ("complete", "partial")]
    content = {row["uri"]: row["sha256"] or row["uri"] for row in examined}
    truth = {content[document.uri]: document.phi for document in share[1] if document.uri in content}
    for measured in ran.json["rules"]:
        fired = [row for row in examined if measured["rule"] in {hit["rule"] for hit in row["rules"]}]
        if measured["rule"] == "referred":
            fired = [row for row in examined if row["referred"]]
        assert (measured["n"], measured["positive"]) == (len(examined), len(fired))
        said = [truth.get(content[row["uri"]]) for row in fired]
        if fired and not set(said) - {None}:
            assert measured["tdp"] is None
        else:
            assert measured["tdp"] == pytest.approx(said.count(True) / len(examined))
            assert measured["frp"] == pytest.approx(said.count(False) / len(examined))
            limits = measured["tdp_bounds"] if None in said else measured["tdp_interval"]
            assert limits[0] <= measured["tdp"] <= limits[1]


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


def test_prototypes_are_learned_from_labels_that_can_count(
    leakscreen: Run, share: Share, scanned: Path, tmp_path: Path
) -> None:
    """What `evaluate` refuses taught nothing, without a word."""
    write_truth(share[1], tmp_path / "labels.csv")
    words = ("train", "prototypes", scanned, "--from-reviews", tmp_path / "labels.csv", "--json")
    ran = leakscreen(*words)
    assert ran.code == 0, ran.err
    assert [one["radius"] for one in ran.json["proposals"]] == list(range(7))
    assert ran.json["labelled_containers"] == 0 and ran.json["adopted"] is None
    assert ran.json["present"]["n"] == sum(row["status"] in ("complete", "partial") for row in rows_of(scanned))
    labels = (tmp_path / "labels.csv").read_text()
    container = next(row["uri"] for row in rows_of(scanned) if row["status"] == "container")
    for more, code, said in (
        ("/elsewhere/x.txt,1,phi\n", 2, "/elsewhere/x.txt"),
        (f'"{container}",1,phi\n', 0, '"labelled_containers": 1'),
    ):
        (tmp_path / "labels.csv").write_text(labels + more)
        ran = leakscreen(*words)
        assert (ran.code, said in ran.out + ran.err) == (code, True), ran.err


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
