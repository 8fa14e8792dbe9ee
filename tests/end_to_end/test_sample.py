"""A sample is shown as one: its estimates are for all walked files, and files that were not drawn are never clear."""

import json
from pathlib import Path

from tests.end_to_end.conftest import Run, rows_of

LETTER = (
    "Patient {name}, 123 Main Street, Springfield. Phone (613) 555-01{number:02}. "
    "Diagnosis: diabetes mellitus; insulin prescribed daily.\n"
)


def test_a_sample_is_drawn_weighted_and_told(leakscreen: Run, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.mkdir()
    for number in range(40):
        text = (
            LETTER.format(name="John Smith", number=number) if number % 2 else f"The weather of day {number} is fine.\n"
        )
        (source / f"{number:02}.txt").write_text(text)
    words = ("scan", source, "--out", tmp_path / "out", "--workers", "1", "--sample", "50%", "--set", "scan.seed=3")
    ran = leakscreen(*words, "--json")
    assert ran.code == 0, ran.err
    rows, sample = rows_of(tmp_path / "out"), ran.json["sample"]
    assert (ran.json["files"], len(rows), sample["walked"], sample["drawn"], sample["not_drawn"]) == (
        20,
        20,
        40,
        20,
        20,
    )
    assert (sample["probability"], sample["seed"]) == ("1/2", 3)
    found = sample["estimates"]["referred"]
    assert found["drawn_files"] == ran.json["referred"] > 0
    assert found["files"] == 2 * ran.json["referred"]
    assert found["low"] <= 20 <= found["high"]
    assert "This is a sample." in Path(ran.json["report"]).read_text()
    (scan,) = (tmp_path / "out").iterdir()
    assert json.loads((scan / "manifest.json").read_text())["walk"]["sample"]["drawn"] == 20
    labels = tmp_path / "labels.csv"
    referred = [row["uri"] for row in rows if row["screened_positive"]]
    labels.write_text("uri,phi\n" + "".join(f"{uri},yes\n" for uri in referred))
    measured = leakscreen("evaluate", scan, "--labels", labels, "--json").json
    rule = next(rule for rule in measured["rules"] if rule["rule"] == "identifying-information")
    assert (measured["scanned_share"], rule["n"], rule["estimated_phi"]) == (0.5, 40, 2 * len(referred))
    assert rule["tdp"] == len(referred) / 20
    again = leakscreen("scan", source, "--out", tmp_path / "out", "--workers", "1", "--json")
    assert again.json["carried"]["files"] == 0  # a sample is no base: it does not know the other files


def test_a_sample_by_folder_has_files_of_each_and_weighs_them(leakscreen: Run, tmp_path: Path) -> None:
    """Of many harmless files and one small folder of letters."""
    source = tmp_path / "source"
    for number in range(60):
        place = source / ("ward" if number < 4 else "office")
        place.mkdir(parents=True, exist_ok=True)
        text = (
            LETTER.format(name="John Smith", number=number) if number < 4 else f"The weather of day {number} is fine.\n"
        )
        (place / f"{number:02}.txt").write_text(text)
    words = (
        "scan",
        source,
        "--out",
        tmp_path / "out",
        "--workers",
        "1",
        "--sample",
        "20",
        "--sample-by",
        "folder",
        "--json",
    )
    ran = leakscreen(*words)
    assert ran.code == 0, ran.err
    sample = ran.json["sample"]
    assert [(Path(part["name"]).name, part["walked"], part["drawn"]) for part in sample["strata"]] == [
        ("office", 56, 16),
        ("ward", 4, 4),
    ]
    assert (sample["drawn"], sample["estimates"]["referred"]["files"]) == (20, 4)
    (scan,) = (tmp_path / "out").iterdir()
    labels = tmp_path / "labels.csv"
    positive = [row["uri"] for row in rows_of(tmp_path / "out") if row["screened_positive"]]
    labels.write_text("uri,phi\n" + "".join(f"{uri},yes\n" for uri in positive))
    measured = leakscreen("evaluate", scan, "--labels", labels, "--json").json
    assert measured["scanned_by_folder"]
    rule = next(rule for rule in measured["rules"] if rule["rule"] == "identifying-information")
    assert (rule["n"], rule["estimated_phi"], rule["tdp"]) == (60, len(positive), len(positive) / 60)
    tool = next(rule for rule in measured["rules"] if rule["rule"] == "referred")
    assert (tool["n"], tool["positive"]) == (60, 4)


def test_files_that_no_model_can_judge_are_estimated_too(leakscreen: Run, tmp_path: Path) -> None:
    letter = "Пациентка поступила с болью в груди. Диагноз: сахарный диабет. Запись {number}.\n"
    source = tmp_path / "source"
    source.mkdir()
    for number in range(40):
        text = letter.format(number=number) if number % 2 else f"The weather of day {number} is fine.\n"
        (source / f"{number:02}.txt").write_text(text)
    words = ("scan", source, "--out", tmp_path / "out", "--workers", "1", "--sample", "50%", "--set", "scan.seed=3")
    ran = leakscreen(*words)
    assert ran.code == 3
    (scan,) = (tmp_path / "out").iterdir()
    summary = json.loads((scan / "summary.json").read_text())
    estimate = summary["sample"]["estimates"]["not_judged"]
    assert estimate["drawn_files"] == summary["not_judged"] > 0
    assert estimate["files"] == 2 * summary["not_judged"]
    said = f"about {estimate['files']:.0f}"
    assert f"{said} would be read but not judged" in " ".join(ran.out.split())
    assert f"{said} files would be read but not judged" in (scan / "report.html").read_text()


def test_a_sample_of_nonsense_is_refused_before_anything_is_written(leakscreen: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    ran = leakscreen("scan", tmp_path / "a.txt", "--out", tmp_path / "out", "--sample", "lots")
    assert (ran.code, (tmp_path / "out").exists()) == (2, False)
    assert "scan.sample" in ran.err
