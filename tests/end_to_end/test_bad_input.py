"""Bad input gets a clear message or a status each; the scan goes on, and what was there stays untouched."""

import os
import zlib
from pathlib import Path

import pytest

from tests.end_to_end.conftest import Run, rows_of


def pdf_bomb(megabytes: int) -> bytes:
    """A small PDF whose page content expands to many megabytes of drawing commands."""
    stream = zlib.compress(b"BT /F1 9 Tf (a) Tj ET\n" * (megabytes * 1_000_000 // 22), 9)
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << >> >>",
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(stream), stream),
    ]
    body, offsets = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return (
        body
        + b"xref\n0 5\n0000000000 65535 f \n"
        + table
        + b"trailer << /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % len(body)
    )


def test_odd_files_end_in_a_status_each_and_the_scan_goes_on(
    leakscreen: Run, tmp_path: Path, without_root_powers: list[str]
) -> None:
    source = tmp_path / "source"
    (source / "locked").mkdir(parents=True)
    (source / "locked" / "inner.txt").write_text("x")
    (source / "ok.txt").write_text("nothing here")
    (source / "empty.txt").write_bytes(b"")
    (source / "corrupt.pdf").write_bytes(b"%PDF-1.7\n" + bytes(range(256)) * 20)
    (source / "killer.pdf").write_bytes(pdf_bomb(600))
    (source / "closed.txt").write_text("x")
    os.mkfifo(source / "pipe")
    os.chmod(source / "closed.txt", 0)
    os.chmod(source / "locked", 0)
    limits = ("--set", "limits.memory_bytes=700_000_000", "--set", "limits.file_seconds=20")
    ran = leakscreen(
        "scan", source, "--out", tmp_path / "out", "--workers", "1", "--json", *limits, prefix=without_root_powers
    )
    os.chmod(source / "locked", 0o700)
    assert ran.code == 3, ran.err
    found = {Path(row["uri"]).name: (row["status"], row["reason"]) for row in rows_of(tmp_path / "out")}
    killed_status, killed_reason = found.pop("killer.pdf")
    corrupt_status, corrupt_reason = found.pop("corrupt.pdf")
    assert found == {
        "ok.txt": ("complete", ""),
        "empty.txt": ("complete", ""),
        "closed.txt": ("unreadable", "permission denied"),
        "locked": ("unreadable", "folder not listed: permission denied"),
        "pipe": ("unreadable", "not a regular file (named pipe)"),
    }
    assert corrupt_status == "failed" and corrupt_reason
    assert killed_status in ("failed", "partial") and killed_reason
    assert ran.json["reconciliation"]["ok"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("scan", "{tmp}/nowhere"), "no such file or folder"),
        (("scan",), "nothing to scan"),
        (("scan", "{tmp}/s", "{tmp}/s/inner"), "counted twice"),
        (("scan", "{tmp}/s", "--manifest", "{tmp}/s"), "not a file"),
        (("scan", "{tmp}/s", "--runner", "NoSuchRunner"), "NoSuchRunner"),
        (("scan", "{tmp}/s", "--beam", "direct_running_mode=multi_threading"), "multi_threading"),
        (("scan", "{tmp}/s", "--set", "limits.file_secnds=3"), "limits.file_seconds"),
        (("scan", "{tmp}/s", "--workers", "-1"), "scan.workers"),
        (("scan", "{tmp}/s", "--config", "{tmp}/none.toml"), "none.toml"),
        (("scan", "{tmp}/s", "--rules", "{tmp}/s/a.txt"), "a.txt"),
        (("scan", "{tmp}/s", "--set", "health.model={tmp}/s/a.txt"), "a.txt"),
        (("scan", "{tmp}/s", "--resume", "--out", "{tmp}/s/inner"), "no scan here"),
        (("report", "{tmp}/s"), "no scan here"),
        (("evaluate", "{tmp}/s", "--labels", "{tmp}/none.csv"), "none.csv"),
        (("spans", "{tmp}/nowhere"), "nowhere"),
        (("rules", "check", "{tmp}/s/a.txt"), "a.txt"),
    ],
)
def test_a_mistake_is_named_and_nothing_is_written(
    leakscreen: Run, home: Path, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    (tmp_path / "s" / "inner").mkdir(parents=True)
    (tmp_path / "s" / "a.txt").write_text("this is = no rule file [")
    ran = leakscreen(*(word.format(tmp=tmp_path) for word in words))
    assert ran.code == 2
    assert said in ran.err
    assert "Traceback" not in ran.err
    assert not (home / "leakscreen-results").exists()


def test_an_output_folder_with_other_things_is_refused_and_left_alone(leakscreen: Run, tmp_path: Path) -> None:
    (tmp_path / "s").mkdir()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "diary.txt").write_text("dear diary")
    ran = leakscreen("scan", tmp_path / "s", "--out", tmp_path / "mine")
    assert ran.code == 2
    assert "not empty" in ran.err
    assert [entry.name for entry in (tmp_path / "mine").iterdir()] == ["diary.txt"]


def test_a_source_that_may_not_be_read_is_named(
    leakscreen: Run, tmp_path: Path, without_root_powers: list[str]
) -> None:
    (tmp_path / "locked").mkdir(mode=0)
    ran = leakscreen("scan", tmp_path / "locked", prefix=without_root_powers)
    assert ran.code == 2
    assert "permission denied" in ran.err
