"""Texts of the kinds that shares hold -> megabytes per CPU second of the whole screen, the slowest kind first, beside
Presidio; and the texts of JSON-lines files by part of the screen."""

import argparse
import json
import os
import random
import re
import resource
import subprocess
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from benchmarks.model_needs import needs, print_shares
from benchmarks.share_texts import kinds, repeated_rows
from core.records import Screening, Segment
from pipelines.runners.garbage import look_seldom
from pipelines.stages.screen import SCREENED_TOGETHER
from screening.entities.model import shipped_model
from screening.patterns.patterns import Patterns
from screening.ruleset.ruleset import RuleSet, load_rules
from screening.screen import Screen

KEY = b"benchmark" * 4
CAPITALISED = re.compile(r"[A-Z][A-Za-z]+")
PEER = Path(__file__).with_name("presidio_speed.py")


def texts(folder: Path) -> list[str]:
    """The texts of all `.jsonl` files of a folder, in the order of their names."""
    found: list[str] = []
    for path in sorted(folder.glob("*.jsonl")):
        with path.open(encoding="utf-8") as lines:
            found.extend(str(json.loads(line).get("text", "")) for line in lines)
    return found


def sample(documents: list[str], most_bytes: int) -> list[str]:
    """A mixed share of that size, the same each time."""
    shuffled = list(documents)
    random.Random(1).shuffle(shuffled)
    taken: list[str] = []
    for document in shuffled:
        if most_bytes <= 0:
            break
        taken.append(document)
        most_bytes -= len(document.encode("utf-8", "replace"))
    return taken


def megabytes(documents: list[str]) -> float:
    return sum(len(document.encode("utf-8", "replace")) for document in documents) / 1e6


def rate(work: Callable[[list[str]], object], documents: list[str], rounds: int, together: int = 1) -> float:
    """Megabytes a CPU second, of the best of several rounds: others on the machine only make it slower."""
    best = float("inf")
    for _ in range(rounds):
        started = time.process_time()
        for start in range(0, len(documents), together):
            work(documents[start : start + together])
        best = min(best, time.process_time() - started)
    return megabytes(documents) / best


def screened(screen: Screen, documents: list[str]) -> list[Screening]:
    return screen.screen_each([([Segment("", document)], "") for document in documents])


def with_gazetteers(patterns: Patterns, gazetteer: Mapping[str, int], batch: list[str]) -> int:
    """Patterns, and a look-up of every capitalised word in the lists of names and places, without any decision."""
    patterns.candidates_of_each(batch)
    return sum(word.lower() in gazetteer for text in batch for word in set(CAPITALISED.findall(text)))


def peer_rate(python: str, model: str, documents: list[str]) -> float:
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    answer = subprocess.run(
        [python, str(PEER), model],
        input=json.dumps(documents),
        capture_output=True,
        text=True,
        env=environment,
        check=True,
    )
    seconds: float = json.loads(answer.stdout.splitlines()[-1])["seconds"]
    return megabytes(documents) / seconds


def whole_screen(ruleset: RuleSet, share: list[str], rounds: int) -> dict[str, float]:
    """Many documents together, as a scan screens: with all words new, then with all words seen; and one by one."""
    screen = Screen(ruleset, KEY)
    return {
        "whole, new words": rate(partial(screened, screen), share, 1, SCREENED_TOGETHER),
        "whole screen": rate(partial(screened, screen), share, rounds, SCREENED_TOGETHER),
        "whole, one by one": rate(partial(screened, screen), share, rounds),
    }


def by_kind(ruleset: RuleSet, characters: int, rounds: int, peer: Callable[[list[str]], float] | None) -> None:
    """Each kind with words met before, in a process that is set as the workers of a scan are."""
    screen = Screen(ruleset, KEY)
    look_seldom()
    found = []
    for kind, documents in kinds(characters).items():
        own = rate(partial(screened, screen), documents, rounds + 1, SCREENED_TOGETHER)
        found.append((own, kind, documents, peer(documents) if peer else None))
    for own, kind, documents, other in sorted(found, key=lambda entry: entry[0]):
        ratio = f"   {own / other:8.0f} times Presidio ({other:.4f})" if other else ""
        print(f"{kind:22s} {own:9.2f} MB per CPU s, {megabytes(documents):.1f} MB{ratio}", flush=True)
    started, before = time.process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    screened(screen, [repeated_rows(2)])
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1_000
    print(f"2 MB of `a,b,c`        {time.process_time() - started:9.2f} CPU s, {grown:.0f} MB more memory at most")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="folder with .jsonl files whose rows have a `text`, for the parts")
    parser.add_argument("--megabytes", type=float, default=1.0, help="of each kind, and of the share for the parts")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--peer-python", help="Python of an environment with presidio-analyzer")
    parser.add_argument("--peer-model", default="en_core_web_md", help="name or folder of the peer's spaCy model")
    parser.add_argument("--peer-kilobytes", type=int, default=30, help="of each kind")
    options = parser.parse_args()
    ruleset = load_rules()

    def peer(documents: list[str]) -> float:
        cut = [document[:10_000] for document in documents]
        return peer_rate(options.peer_python, options.peer_model, sample(cut, options.peer_kilobytes * 1000))

    by_kind(ruleset, int(options.megabytes * 1e6), options.rounds, peer if options.peer_python else None)
    if options.data:
        by_part(ruleset, texts(options.data), options)


def by_part(ruleset: RuleSet, documents: list[str], options: argparse.Namespace) -> None:
    share = sample(documents, int(options.megabytes * 1e6))
    started = time.process_time()
    patterns = Patterns(ruleset)
    print(f"make ready         {time.process_time() - started:9.2f} CPU s")
    print(f"texts              {len(documents):9d}, {megabytes(documents):.1f} MB; share of {megabytes(share):.1f} MB")
    rates = {
        "patterns": rate(patterns.candidates_of_each, documents, options.rounds, SCREENED_TOGETHER),
        "one by one": rate(patterns.candidates_of_each, documents, options.rounds),
        "with gazetteers": rate(
            partial(with_gazetteers, patterns, shipped_model().gazetteer), documents, options.rounds, SCREENED_TOGETHER
        ),
    }
    without_names = Screen(replace(ruleset, names=None), KEY)
    rates["without names"] = rate(partial(screened, without_names), share, options.rounds, SCREENED_TOGETHER)
    rates |= whole_screen(ruleset, share, options.rounds)
    print_shares(needs(shipped_model(), share))
    peer = (
        peer_rate(options.peer_python, options.peer_model, sample(share, options.peer_kilobytes * 1000))
        if options.peer_python
        else None
    )
    if peer is not None:
        print(f"{'Presidio':18s} {peer:9.4f} MB per CPU s")
    for label, found in rates.items():
        ratio = f"   {found / peer:8.0f} times Presidio" if peer else ""
        print(f"{label:18s} {found:9.2f} MB per CPU s{ratio}")


if __name__ == "__main__":
    main()
