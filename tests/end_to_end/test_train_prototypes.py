"""Prototypes are proposed from reviews, previewed, adopted, used by the next scan, and taken back."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

PHI = (
    "Patient: {} Sloan\nDiagnosis: diabetes mellitus, hypertension. Metformin 500 mg twice daily, lisinopril 10 mg.\n"
    "MRN: 4471{}\n"
)


def write_share(folder: Path) -> Path:
    folder.mkdir()
    for number, name in enumerate(("Mary", "Susan", "Karen", "Linda")):
        (folder / f"note{number}.txt").write_text(PHI.format(name, 20 + number))
        (folder / f"memo{number}.txt").write_text(
            f"{name} Sloan meets at the office of Acme Ltd, 12 Elm Street, on Monday.\n"
        )
    return folder


def write_labels(path: Path, folder: Path) -> Path:
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["uri", "phi"])
        rows.writerows(
            [[str(entry), "yes" if entry.name.startswith("note") else "no"] for entry in sorted(folder.iterdir())]
        )
    return path


def test_prototypes_are_learned_adopted_used_and_taken_back(leakscreen: Callable[..., Any], home: Path) -> None:
    share = write_share(home / "share")
    labels = write_labels(home / "labels.csv", share)
    assert leakscreen("scan", share, "--out", home / "out", "--quiet", "--workers", "1").code == 0
    preview = leakscreen("train", "prototypes", home / "out", "--from-reviews", labels)
    assert preview.code == 0, preview.err
    assert "Nothing was changed" in preview.out and "Sloan" not in preview.out
    assert "--one-class" in preview.out
    said = " ".join(preview.out.split())
    assert "The learned rule compares whole files" in said
    assert "Rules about one person stay as they are: subject-with-health, name-with-birth-date" in said
    ran = leakscreen(
        "train", "prototypes", home / "out", "--from-reviews", labels, "--radius", "0", "--adopt", "--json"
    ).json
    exact = ran["proposals"][0]
    assert (exact["alone"]["phi"], exact["alone"]["not_phi"]) == (4, 0)
    assert (exact["cross_validated_tpf"], exact["cross_validated_fpf"]) == (1.0, 0.0)
    assert exact["cross_validated_tpf_bounds"] is exact["cross_validated_fpf_bounds"] is None  # all is verified
    assert (ran["one_class_offered"], ran["verified_not_phi"]) == (True, 4)
    assert ran["adopted"].endswith("0001.toml")
    assert ran["learned_from"] == "whole files"
    assert "subject-with-health" in ran["unchanged_rules_about_one_person"]
    assert leakscreen("train", "prototypes", "--versions").out.rstrip().endswith("in use: 1")

    second = leakscreen("scan", share, "--out", home / "again", "--workers", "1", "--json")
    assert second.code == 0, second.err
    assert second.json["rules"]["learned"]["positive"] == 4
    assert second.json["rules"]["subject-with-health"]["positive"] == 4
    assert leakscreen("train", "prototypes", "--rollback").code == 0
    assert "learned" not in leakscreen("rules", "list", "--json").out


def test_what_nobody_verified_bounds_cross_validated_fractions(leakscreen: Callable[..., Any], home: Path) -> None:
    """Two memos have no label. If both are PHI, 4 of 6 PHI files are found; if not, all: TPF is at least 2/3."""
    share = write_share(home / "share")
    labels = write_labels(home / "labels.csv", share)
    lines = labels.read_text().splitlines(keepends=True)
    labels.write_text("".join(line for line in lines if "memo0" not in line and "memo1" not in line))
    assert leakscreen("scan", share, "--out", home / "out", "--quiet", "--workers", "1").code == 0
    asked = ("train", "prototypes", home / "out", "--from-reviews", labels)
    exact = leakscreen(*asked, "--json").json["proposals"][0]
    assert (exact["cross_validated_tpf"], exact["cross_validated_fpf"]) == (1.0, 0.0)
    assert [round(limit, 4) for limit in exact["cross_validated_tpf_bounds"]] == [0.6667, 1.0]
    assert exact["cross_validated_fpf_bounds"] == [0.0, 0.0]  # no unverified file is flagged
    said = [line.split() for line in leakscreen(*asked).out.splitlines()]
    assert ["0", "←", "1.0000", "≥0.6667", "≤1.0000", "0.0000", "≥0.0000", "≤0.0000", "1.000"] in said


def test_reviews_of_another_scan_are_refused(leakscreen: Callable[..., Any], home: Path) -> None:
    share = write_share(home / "share")
    assert leakscreen("scan", share, "--out", home / "out", "--quiet", "--workers", "1").code == 0
    (home / "labels.csv").write_text("uri,phi\n/elsewhere/a.txt,yes\n")
    ran = leakscreen("train", "prototypes", home / "out", "--from-reviews", home / "labels.csv")
    assert (ran.code, "files that this scan has no record of" in ran.err) == (2, True), ran.err
