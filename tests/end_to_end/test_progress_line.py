"""A scan at a terminal of 80 columns: its line of progress keeps moving and loses no number."""

import fcntl
import os
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

from tests.end_to_end.serving import service_environment

FILES, COLUMNS = 400, 80
LONGEST_SILENCE = 10.0  # seconds; the line has a clock
_COLOUR, _CONTROL = re.compile(r"\x1b\[[0-9;]*m"), re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def shown_at_a_terminal(command: list[str], home: Path) -> tuple[str, float]:
    """All that the command drew, and the longest time without anything new."""
    inner, outer = os.openpty()
    fcntl.ioctl(outer, termios.TIOCSWINSZ, struct.pack("HHHH", 24, COLUMNS, 0, 0))
    environment = service_environment(home, {"TERM": "xterm"})
    environment.pop("COLUMNS", None)
    process = subprocess.Popen(command, stdin=outer, stdout=outer, stderr=outer, env=environment, cwd=home)
    os.close(outer)
    drawn, last, silence = b"", time.monotonic(), 0.0
    while True:
        ready, _, _ = select.select([inner], [], [], 0.5)
        if ready:
            try:
                piece = os.read(inner, 1 << 16)
            except OSError:  # the other side is closed
                break
            silence = max(silence, time.monotonic() - last) if b"files" in drawn or b"/s" in drawn else 0.0
            drawn, last = drawn + piece, time.monotonic()
        elif process.poll() is not None:
            break
    assert process.wait(60) in (0, 3)
    os.close(inner)
    return _CONTROL.sub("\n", _COLOUR.sub("", drawn.decode())), silence


def test_the_line_of_progress_keeps_its_numbers(home: Path, tmp_path: Path) -> None:
    share = tmp_path / "share"
    share.mkdir()
    for number in range(FILES):
        (share / f"note {number}.txt").write_text(f"Minutes of meeting {number}: nothing to report. " * 50)
    command = [sys.executable, "-m", "leakscreen", "scan", str(share), "--out", str(tmp_path / "out")]
    text, silence = shown_at_a_terminal([*command, "--workers", "1", "--set", "scan.unit_files=20"], home)
    lines = [line.strip() for line in re.split(r"[\r\n]+", text)]
    progress = [line for line in lines if re.search(rf"\d+/{FILES}\b", line)]
    assert progress, text[-2_000:]
    assert all(len(line) <= COLUMNS and "…" not in line for line in progress)
    assert any("MB/s" in line and re.search(r"\bleft\b", line) for line in progress), progress[-3:]
    assert silence < LONGEST_SILENCE
