"""A script that runs in another Python, with JSON lines in and out -> its answers; content never touches a disk."""

import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from core.errors import SourceError

_LAST_WORDS = 300


def ask(python: str | None, script: Path, arguments: Iterable[str], rows: list[Any], failed: str) -> list[Any]:
    """One answer for each row, and one at the end; `failed` says what to do about a failure."""
    command = [python or sys.executable, str(script), *arguments]
    try:
        done = subprocess.run(
            command, input="\n".join(map(json.dumps, rows)), capture_output=True, text=True, encoding="utf-8"
        )
    except OSError as error:
        raise SourceError(f"{command[0]}: cannot be run: {error.strerror}") from None
    answers: list[Any] = [json.loads(line) for line in done.stdout.splitlines() if line.startswith(("[", "{"))]
    if done.returncode or len(answers) != len(rows) + 1:
        # Its own messages may quote the text; only the class of the error is safe to show.
        said = done.stderr.strip().rpartition("\n")[2].partition(":")[0][:_LAST_WORDS]
        raise SourceError(f"{command[0]}: {failed.format(said)}")
    return answers
