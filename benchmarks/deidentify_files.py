"""Real files -> how many have a de-identified copy, by format, and why the others have none; the worst format first.

`python -m benchmarks.deidentify_files FOLDER... --way surrogate --half find --most 150`. Each file goes through all of
`leakscreen deidentify`. Files have two halves, by the hash of their path below the folder: causes of failures are
sought in `find` alone, where `--mistakes` names them.
"""

import argparse
import hashlib
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.settings import load_settings
from deidentification.deidentify import FAILED, REFUSED, UNREADABLE, WRITTEN, Deidentifier, Outcome

HALVES = ("find", "judge", "all")
_AT_ONCE = 20  # files that share their people, as those of a folder do
_PLACE = re.compile(r" at [^;]*| and [\d,]+ more places")
_NUMBER = re.compile(r"\d[\d,]*")


@dataclass(slots=True)
class Tally:
    statuses: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)

    @property
    def failed(self) -> float:
        """Of the files that could have a copy."""
        tried = self.statuses[WRITTEN] + self.statuses[FAILED]
        return self.statuses[FAILED] / tried if tried else 0.0


def half_of(path: str) -> str:
    digest = hashlib.sha1(path.encode(errors="surrogateescape"), usedforsecurity=False).digest()
    return "judge" if int.from_bytes(digest) % 2 else "find"


def files_of(folders: Sequence[Path], half: str, most: int, seed: int) -> list[Path]:
    """Of each folder at most so many, drawn by the seed."""
    drawn: list[Path] = []
    for folder in folders:
        found = sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
        chosen = [path for path in found if half in ("all", half_of(str(path.relative_to(folder))))]
        drawn += random.Random(seed).sample(chosen, min(most, len(chosen)))
    return drawn


def reason_of(outcome: Outcome) -> str:
    """Without places, so that equal causes are counted together."""
    reason = _PLACE.sub("", outcome.reason)
    if ":" in reason and outcome.status == FAILED:
        what, _, which = reason.partition(": ")
        return f"{what}: {', '.join(sorted(set(which.split('; '))))}"
    return _NUMBER.sub("N", reason)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--way", default="surrogate")
    parser.add_argument("--half", choices=HALVES, default="find")
    parser.add_argument("--most", type=int, default=10_000, help="files of each folder")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--mistakes", action="store_true", help="name the files of the half `find` that fail")
    arguments = parser.parse_args()
    files = files_of(arguments.folders, arguments.half, arguments.most, arguments.seed)
    settings = load_settings({"deidentify.way": arguments.way}, environ={})
    tallies: dict[str, Tally] = defaultdict(Tally)
    began = time.process_time()
    for at in range(0, len(files), _AT_ONCE):
        deidentifier = Deidentifier(settings)
        for path in files[at : at + _AT_ONCE]:
            outcome, _ = deidentifier.copy(path.read_bytes(), path.name)
            tally = tallies[outcome.media_type or path.suffix.lower() or "no suffix"]
            tally.statuses[outcome.status] += 1
            if outcome.status != WRITTEN:
                tally.reasons[f"{outcome.status}: {reason_of(outcome)}"] += 1
            if arguments.mistakes and outcome.status == FAILED and half_of_any(path, arguments.folders) == "find":
                print(f"{path}: {outcome.reason}", flush=True)
        deidentifier.close()
    print(f"{len(files):,} files, {arguments.way}, half {arguments.half}, seed {arguments.seed}")
    show(tallies)
    print(f"{time.process_time() - began:.0f} s of CPU without parsers")


def half_of_any(path: Path, folders: Sequence[Path]) -> str:
    folder = next(folder for folder in folders if path.is_relative_to(folder))
    return half_of(str(path.relative_to(folder)))


def show(tallies: dict[str, Tally]) -> None:
    whole: Counter[str] = Counter()
    for kind, tally in sorted(tallies.items(), key=lambda item: (-item[1].failed, item[0])):
        counts = ", ".join(f"{tally.statuses[status]} {status}" for status in (WRITTEN, FAILED, REFUSED, UNREADABLE))
        print(f"  {kind}: {counts}")
        for reason, count in tally.reasons.most_common(6):
            print(f"      {count} {reason}")
        whole.update(tally.statuses)
    print("  all: " + ", ".join(f"{whole[status]} {status}" for status in (WRITTEN, FAILED, REFUSED, UNREADABLE)))


if __name__ == "__main__":
    main()
