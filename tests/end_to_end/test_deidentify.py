"""`leakscreen deidentify` as people run it: files, folders, standard input, and what it leaves behind."""

import json
from pathlib import Path

import pytest

from deidentification.mapping import read_mapping
from tests.end_to_end.conftest import Run

LETTER = (
    "Patient: Mary Thompson\nDate of birth: 5 March 1947. MRN 4839201\n"
    "Mrs Thompson was seen by Dr. Alan Becker on 12 March 2021 for asthma.\n"
)


def folder_of_letters(tmp_path: Path) -> Path:
    source = tmp_path / "ward"
    (source / "Mary Thompson").mkdir(parents=True)
    (source / "Mary Thompson" / "letter.txt").write_text(LETTER)
    (source / "thompson_mary.csv").write_text("Last name,First name,MRN\nThompson,Mary,4839201\nMiller,John,5551234\n")
    (source / "note.txt").write_text("Mrs Thompson is well. Mary Thompson has asthma. The garden is green.\n")
    (source / "letter.rtf").write_text("{\\rtf1 Patient: Mary Thompson}")
    return source


def test_folder_with_names_in_its_names(leakscreen: Run, tmp_path: Path) -> None:
    source, out = folder_of_letters(tmp_path), tmp_path / "out"
    before = {path: path.read_bytes() for path in source.rglob("*") if path.is_file()}
    ran = leakscreen("deidentify", source, "--out", out, "--way", "surrogate", "--json")
    assert ran.code == 3, ran.err
    assert {path: path.read_bytes() for path in source.rglob("*") if path.is_file()} == before
    files = {Path(row["source"]).name: row for row in ran.json["files"]}
    assert ran.json["totals"] == {"written": 3, "refused": 1}
    assert files["letter.rtf"]["copy"] is None and "text/rtf" in files["letter.rtf"]["reason"]
    copies = [path for path in out.rglob("*") if path.is_file()]
    assert sorted(str(path) for path in copies) == sorted(row["copy"] for row in files.values() if row["copy"])
    everything = "".join(str(path.relative_to(out)) + path.read_text() for path in copies).casefold()
    assert not any(value in everything for value in ("thompson", "becker", "4839201", "5 march 1947"))
    letter = Path(files["letter.txt"]["copy"]).read_text()
    name = letter.splitlines()[0].removeprefix("Patient: ")
    assert name in Path(files["note.txt"]["copy"]).read_text(), "one person has one name throughout a folder"
    given, surname = name.split()
    assert f"{surname},{given}," in Path(files["thompson_mary.csv"]["copy"]).read_text()
    assert (out.stat().st_mode & 0o777, copies[0].stat().st_mode & 0o777) == (0o700, 0o600)


def test_standard_input_to_standard_output(leakscreen: Run) -> None:
    ran = leakscreen("deidentify", "-", stdin=LETTER)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines()[0] == "Patient: [PATIENT 1]"
    assert "Thompson" not in ran.out and ran.out.endswith("for asthma.\n")


def test_a_file_beyond_the_read_limit_is_refused_without_being_read_whole(leakscreen: Run, tmp_path: Path) -> None:
    large = tmp_path / "large.txt"
    with large.open("wb") as file:
        file.truncate(200_000_000_000)  # a hole, which takes no place on the disk and would not fit into memory
    ran = leakscreen("deidentify", large, "--out", tmp_path / "copy.txt")
    assert ran.code == 3 and "larger than the read limit" in ran.out + ran.err
    assert not (tmp_path / "copy.txt").exists()


def test_nothing_is_written_over_what_cannot_be_copied(leakscreen: Run, tmp_path: Path) -> None:
    source, out = tmp_path / "a.rtf", tmp_path / "out.rtf"
    source.write_text("{\\rtf1 Patient: Mary Thompson}")
    out.write_text("what was there before")
    ran = leakscreen("deidentify", source, "--out", out)
    assert ran.code == 3 and "refused" in ran.out
    assert out.read_text() == "what was there before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.rtf", "home", "out.rtf"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["ward"], "--out"),
        (["ward", "--out", "ward/out"], "lies within"),
        (["ward", "--out", "ward"], "not an empty folder"),
        (["nowhere", "--out", "out"], "no such file"),
        (["ward/note.txt", "--out", "ward/note.txt"], "is the original"),
        (["ward", "--out", "out", "--way", "guess"], "guess"),
        (["ward", "--out", "out", "--mapping", "map"], "LEAKSCREEN_MAPPING_PASSPHRASE"),
    ],
)
def test_bad_requests_change_nothing(leakscreen: Run, tmp_path: Path, words: list[str], message: str) -> None:
    source = folder_of_letters(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    places = [
        str(tmp_path / word) if "/" in word or word in ("ward", "out", "nowhere", "map") else word for word in words
    ]
    ran = leakscreen("deidentify", *places)
    assert ran.code == 2 and message in ran.err + ran.out
    assert [path for path in sorted(tmp_path.rglob("*")) if "home" not in path.parts] == [
        path for path in before if "home" not in path.parts
    ]
    assert (source / "note.txt").exists()


def test_mapping_and_own_ways(leakscreen: Run, tmp_path: Path) -> None:
    source, out, mapping = tmp_path / "a.txt", tmp_path / "b.txt", tmp_path / "map"
    source.write_text(LETTER)
    (tmp_path / "ways.toml").write_text('[ways]\ndate = "keep"\nbirth_date = "year"\n')
    secret = "a long passphrase"
    own = ("--set", f"deidentify.ways_file={tmp_path / 'ways.toml'}", "--mapping", mapping)
    ran = leakscreen("deidentify", source, "--out", out, *own, environ={"LEAKSCREEN_MAPPING_PASSPHRASE": secret})
    assert ran.code == 0, ran.err
    assert out.read_text().splitlines()[1:] == [
        "Date of birth: 1947. MRN [MRN 1]",
        "Mrs [PATIENT 1] was seen by Dr. [DOCTOR 1] on 12 March 2021 for asthma.",
    ]
    assert ("name", "Mary Thompson", "[PATIENT 1]") in read_mapping(mapping, secret)
    (tmp_path / "ways.toml").write_text('[ways]\ndates = "year"\n')
    ran = leakscreen("deidentify", source, "--out", tmp_path / "c.txt", *own[:2])
    assert ran.code == 2 and "did you mean 'date'" in ran.err and json.dumps("dates")[1:-1] in ran.err
