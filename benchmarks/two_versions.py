"""Two checkouts -> the speed of the screen of each, kind by kind in turns, and whether both find the same.

`python -m benchmarks.two_versions --before DIR`: DIR is a checkout of the earlier version. Both run with this Python,
on the texts of benchmarks.share_texts and, for the findings alone, on generated tables of many forms.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.screening_speed import megabytes, texts
from benchmarks.share_texts import kinds
from benchmarks.table_texts import table_texts

_WORKER = Path(__file__).with_name("version_worker.py")
_HERE = Path(__file__).parents[1]


class Version:
    """The screen of one checkout, in a process of its own."""

    def __init__(self, checkout: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(_WORKER)],
            cwd=checkout,
            env={**os.environ, "PYTHONPATH": str(checkout.resolve())},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def screened(self, documents: Sequence[str]) -> tuple[float, list[str]]:
        """CPU seconds, and of each text a digest of all that was found in it."""
        assert self._process.stdin is not None and self._process.stdout is not None
        print(json.dumps(list(documents)), file=self._process.stdin, flush=True)
        answer = json.loads(self._process.stdout.readline())
        return answer["seconds"], answer["findings"]

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def compared(before: Version, now: Version, documents: Sequence[str], rounds: int) -> tuple[float, float, int]:
    """The best CPU seconds of each, after a round that does not count; and in how many texts the findings differ."""
    (_, earlier), (_, later) = before.screened(documents), now.screened(documents)
    differing = sum(one != other for one, other in zip(earlier, later, strict=True))
    seconds = [(before.screened(documents)[0], now.screened(documents)[0]) for _ in range(rounds)]
    best = [min(column) for column in zip(*seconds, strict=True)] if seconds else [0.0, 0.0]
    return best[0], best[1], differing


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, required=True, help="a checkout of the earlier version")
    parser.add_argument("--data", type=Path, help="folder with .jsonl files whose rows have a `text`, for the findings")
    parser.add_argument("--megabytes", type=float, default=0.4, help="of each kind")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tables", type=int, default=300, help="generated tables of many forms, for the findings")
    options = parser.parse_args()
    before, now = Version(options.before), Version(_HERE)
    for kind, documents in kinds(int(options.megabytes * 1e6)).items():
        earlier, later, differing = compared(before, now, documents, options.rounds)
        size = megabytes(documents)
        print(
            f"{kind:24s} before {size / earlier:6.2f} now {size / later:6.2f} MB per CPU s,"
            f" {earlier / later:5.2f} times; findings differ in {differing} of {len(documents)}",
            flush=True,
        )
    further = table_texts(options.tables) + (texts(options.data) if options.data else [])
    print(f"{'tables and texts':24s} findings differ in {compared(before, now, further, 0)[2]} of {len(further)}")
    before.close()
    now.close()


if __name__ == "__main__":
    main()
