"""A file whose name leaks is referred, whatever is in it."""

import zipfile
from pathlib import Path

from PIL import Image

from pipelines.stages.windows import LONG
from tests.end_to_end.conftest import Run, rows_of

LEAK = "Patient_Mary_Sloan_DOB_1971-02-03_HIV_positive"
LINE = "The committee met again and spoke about the parking of bicycles.\n"


def test_the_health_stage_reads_the_name_of_a_file(leakscreen: Run, tmp_path: Path) -> None:
    folder = tmp_path / "share"
    folder.mkdir()
    (folder / f"{LEAK} empty.txt").touch()
    (folder / f"{LEAK} note.txt").write_text("see the picture\n")
    (folder / f"{LEAK} long.txt").write_text(LINE * (LONG // len(LINE) + 2))
    Image.new("RGB", (300, 200), (120, 160, 90)).save(folder / f"{LEAK}.jpg")
    with zipfile.ZipFile(folder / "pictures.zip", "w") as archive:
        archive.write(folder / f"{LEAK}.jpg", f"2024/{LEAK} member.jpg")
    (folder / "Dr_Sloan_HIV_guideline_2024.txt").write_text("see the picture\n")
    ran = leakscreen("scan", folder, "--out", tmp_path / "out", "--workers", "1")
    assert ran.code == 0, ran.err
    rows = {Path(row["uri"]).name: row for row in rows_of(tmp_path / "out")}
    assert {name for name, row in rows.items() if row["referred"]} == {name for name in rows if LEAK in name}
    assert len(rows) == 7
    for name, row in rows.items():
        if LEAK in name:
            assert {"name of the file"} == {piece["where"] for piece in row["evidence"]}, name
            assert row["people"] == 1, name
