"""A labelled share, scanned by the real command -> what is referred of each kind of file, the worst kind first.

`python -m benchmarks.real_share --data DIR --plot docs/benchmarks/real_share.svg` scans DIR/leaks, whose `labels.csv`
has a path, yes, no or encrypted, and a kind for each file. `--folder DIR` measures folders that leak nothing, such as
/usr/share/doc. The share has two halves, by the hash of the path: causes of mistakes are sought in `find` alone.
"""

import argparse
import csv
import hashlib
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow.parquet as pq

from leakscreen.benchmarking.dot_plot import Dot, dot_plot
from screening.ruleset.ruleset import load_rules

HALVES = ("find", "judge", "all")
_COLUMNS = ["uri", "screened_positive", "referred", "rules", "status"]
_DONE = (0, 3)  # exit codes of a scan that ran to its end
_THIRD_PARTY = ("3p_", "found_")
_CCDA = "3p_ccda"
OWN, THIRD_PARTY, CCDA, HARMLESS, ENCRYPTED = (
    "own leaks",
    "leaks of third parties",
    "C-CDA of third parties",
    "harmless",
    "encrypted",
)
ANY_RULE, TOOL = "any screening rule", "the tool"
_MEMBER = "!"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A file of the share and what is in it."""

    path: str  # below the folder of the share
    phi: str
    kind: str

    @property
    def group(self) -> str:
        if self.phi != "yes":
            return HARMLESS if self.phi == "no" else ENCRYPTED
        if self.kind == _CCDA:
            return CCDA
        return THIRD_PARTY if self.kind.startswith(_THIRD_PARTY) else OWN

    @property
    def half(self) -> str:
        digest = hashlib.sha1(self.path.encode(), usedforsecurity=False).digest()
        return "judge" if int.from_bytes(digest) % 2 else "find"


@dataclass(slots=True)
class Outcome:
    """What became of a file, its members included."""

    screened: bool = False
    referred: bool = False
    rules: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Tally:
    files: int = 0
    screened: int = 0
    referred: int = 0

    def add(self, outcome: Outcome) -> None:
        self.files += 1
        self.screened += outcome.screened
        self.referred += outcome.referred

    @property
    def share(self) -> float:
        return self.referred / self.files if self.files else 0.0


def read_labels(share: Path, half: str) -> list[Labelled]:
    with (share / "labels.csv").open(encoding="utf-8", newline="") as rows:
        labelled = [Labelled(row["path"], row["phi"], row["kind"]) for row in csv.DictReader(rows)]
    return [one for one in labelled if half in ("all", one.half)]


def scanned(paths: Sequence[Path], workers: int, *options: str) -> dict[str, Outcome]:
    """The outcome of each file by its absolute path; of a folder all of its files."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "out")
        sources = [str(path) for path in paths if path.is_dir()]
        manifest = Path(folder, "files.jsonl")
        manifest.write_text("".join(json.dumps({"path": str(path)}) + "\n" for path in paths if not path.is_dir()))
        if manifest.stat().st_size:
            sources += ["--manifest", str(manifest)]
        command = [sys.executable, "-m", "leakscreen", "scan", *sources, "--quiet", "--workers", str(workers)]
        done = subprocess.run([*command, "--out", str(out), *options], check=False, capture_output=True, text=True)
        if done.returncode not in _DONE:
            raise RuntimeError(f"the scan exited with {done.returncode}: {done.stderr[-2000:]}")
        return _outcomes(out)


def _outcomes(out: Path) -> dict[str, Outcome]:
    """A file is referred if it is, or any of its members."""
    outcomes: dict[str, Outcome] = defaultdict(Outcome)
    for unit in out.glob("scan=*/files/*.parquet"):
        for row in pq.read_table(unit, columns=_COLUMNS).to_pylist():
            outcome = outcomes[row["uri"].partition(_MEMBER)[0]]
            outcome.screened |= bool(row["screened_positive"])
            outcome.referred |= bool(row["referred"])
            outcome.rules |= {hit["rule"] for hit in row["rules"]}
    return dict(outcomes)


def tallies(rows: Iterable[tuple[str, Outcome]]) -> dict[str, Tally]:
    by_name: dict[str, Tally] = defaultdict(Tally)
    for name, outcome in rows:
        by_name[name].add(outcome)
    return dict(by_name)


def print_share(outcomes: Mapping[Labelled, Outcome]) -> None:
    for title, wanted in (("leaks", ("yes", "encrypted")), ("harmless files", ("no",))):
        kinds = tallies((one.kind, outcome) for one, outcome in outcomes.items() if one.phi in wanted)
        sign = -1 if wanted == ("no",) else 1  # the worst first
        ordered = sorted(kinds.items(), key=lambda item: (sign * item[1].share, item[0]))
        _print_table(title, ordered)
    groups = tallies((one.group, outcome) for one, outcome in outcomes.items())
    _print_table("totals", [(name, groups[name]) for name in (OWN, THIRD_PARTY, CCDA, HARMLESS) if name in groups])
    _print_rules(outcomes)


def _print_table(title: str, rows: Sequence[tuple[str, Tally]]) -> None:
    print(f"\n{title:<28}{'files':>7}{'screened':>10}{'referred':>10}{'share':>9}")
    for name, tally in rows:
        print(f"  {name:<26}{tally.files:>7}{tally.screened:>10}{tally.referred:>10}{tally.share:>9.2%}")


def _print_rules(outcomes: Mapping[Labelled, Outcome]) -> None:
    """TDP and FRP are shares of all files; beside them the shares of the leaks and of the harmless files."""
    leaking = [outcome for one, outcome in outcomes.items() if one.phi == "yes"]
    harmless = [outcome for one, outcome in outcomes.items() if one.phi == "no"]
    together = len(leaking) + len(harmless)
    print(f"\n{'rule':<28}{'TDP':>18}{'FRP':>18}{'of the leaks':>18}{'of the harmless':>18}")
    for name in [*(rule.id for rule in load_rules().rules if rule.screens), ANY_RULE, TOOL]:
        hits = sum(_flags(name, outcome) for outcome in leaking)
        wrong = sum(_flags(name, outcome) for outcome in harmless)
        cells = (hits, together), (wrong, together), (hits, len(leaking)), (wrong, len(harmless))
        print(f"  {name:<26}" + "".join(f"{_share(*cell):>18}" for cell in cells))


def _flags(name: str, outcome: Outcome) -> bool:
    if name == TOOL:
        return outcome.referred
    return outcome.screened if name == ANY_RULE else name in outcome.rules


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole} {part / whole:.3f}" if whole else "-"


def plot(outcomes: Mapping[Labelled, Outcome], target: Path) -> None:
    """One row a kind, leaks and harmless files in two colours."""
    dots: list[Dot] = []
    for phi, group, sign in (("yes", "leaks, should be referred", 1), ("no", "harmless, should not be", -1)):
        kinds = tallies((one.kind, outcome) for one, outcome in outcomes.items() if one.phi == phi)
        for kind, tally in sorted(kinds.items(), key=lambda item: (sign * item[1].share, item[0])):
            dots.append(Dot(f"{kind} {tally.referred}/{tally.files}", tally.share, group=group))
    target.write_text(dot_plot(conclusion(outcomes), dots, (0.0, 1.0), (0.0, 0.25, 0.5, 0.75, 1.0)))


def conclusion(outcomes: Mapping[Labelled, Outcome]) -> str:
    groups = tallies((one.group, outcome) for one, outcome in outcomes.items())
    own, others, harmless = (groups.get(name, Tally()) for name in (OWN, THIRD_PARTY, HARMLESS))
    return (
        f"The tool refers {own.share:.0%} of own leaks, {others.share:.0%} of leaks of third parties, "
        f"and {harmless.share:.1%} of harmless files"
    )


def print_folder(folder: Path, workers: int) -> None:
    """A folder that leaks nothing: whatever is referred is wrong."""
    outcomes = scanned([folder], workers, "--set", "ocr.enabled=off")
    tally = tallies(("all", outcome) for outcome in outcomes.values()).get("all", Tally())
    print(f"{folder}: {tally.referred} of {tally.files:,} files referred, {tally.share:.3%}; {tally.screened} screened")
    for uri, outcome in sorted(outcomes.items()):
        if outcome.referred:
            print(f"  {uri}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder with leaks/labels.csv")
    parser.add_argument("--half", choices=HALVES, default="all")
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--folder", type=Path, action="append", default=[], help="a folder without leaks; repeatable")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--mistakes", action="store_true", help="name the files of the half `find` that are wrong")
    arguments = parser.parse_args()
    if arguments.data:
        share = (arguments.data / "leaks").resolve()  # results name files so
        labelled = read_labels(share, arguments.half)
        by_path = scanned([share / one.path for one in labelled], arguments.workers)
        outcomes = {one: by_path[str(share / one.path)] for one in labelled}
        print(f"{len(outcomes):,} files, half: {arguments.half}")
        print_share(outcomes)
        print(f"\n{conclusion(outcomes)}.")
        if arguments.mistakes:
            for one, outcome in outcomes.items():
                if one.half == "find" and one.phi != "encrypted" and outcome.referred != (one.phi == "yes"):
                    print(f"  {'missed' if one.phi == 'yes' else 'wrong '} {one.path}")
        if arguments.plot:
            plot(outcomes, arguments.plot)
    for folder in arguments.folder:
        print_folder(folder.resolve(), arguments.workers)


if __name__ == "__main__":
    main()
