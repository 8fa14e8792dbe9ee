"""Processor time per file by type, and what a million such files cost.

`python -m benchmarks.cost_by_type --plot docs/benchmarks/scale.png`
"""

import argparse
import json
import os
import tempfile
import time
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from benchmarks.process_tree import tree
from core.records import FileRef
from core.settings import Settings
from extraction.sandbox import Sandbox
from leakscreen.demo import make_share
from pipelines.bundle.bundle import BundleRef, Engines, load_engines, make_bundle
from pipelines.bundle.inputs import read_inputs
from pipelines.results.parquet import unit_parquet
from pipelines.sources.local import Walk
from pipelines.stages.duplicates import SameFindings
from pipelines.stages.extract import extract_documents
from pipelines.stages.health import classify_documents
from pipelines.stages.screen import screen_documents
from pipelines.stages.stream import Stream
from screening.privacy.key import fingerprint, load_key

_TICK = os.sysconf("SC_CLK_TCK")
_LEAST = 8  # files of a type, so that its mean says something


@dataclass(frozen=True, slots=True)
class Cost:
    type: str
    files: int
    mean_bytes: float
    cpu_ms: float
    record_bytes: float

    @property
    def core_hours_per_million(self) -> float:
        return self.cpu_ms / 1000 * 1_000_000 / 3600


def measured(refs: list[FileRef], name: str, loaded: Engines, sandbox: Sandbox) -> Cost:
    before = _cpu()
    stream = Stream(0, iter(()), refs)
    documents = extract_documents(stream, refs, sandbox, SameFindings(loaded.screen))
    screened = screen_documents(stream, documents, loaded.screen)
    records = list(classify_documents(stream, screened, loaded.health, loaded.health_batch, "s"))
    written = len(unit_parquet(records, lambda _: {}))
    seconds = _cpu() - before
    return Cost(
        name, len(refs), sum(ref.size for ref in refs) / len(refs), 1000 * seconds / len(refs), written / len(refs)
    )


def _cpu() -> float:
    """Of this process and of its parsers, also those that have ended."""
    ticks = 0
    for pid in tree(os.getpid())[1:]:
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        ticks += sum(int(fields[place]) for place in (11, 12, 13, 14))
    return time.process_time() + ticks / _TICK


def costs(files: int, rounds: int) -> list[Cost]:
    with tempfile.TemporaryDirectory() as folder:
        share = Path(folder, "share")
        make_share(share, files=files, seed=5, phi_share=0.01)
        by_type: dict[str, list[FileRef]] = defaultdict(list)
        for ref in Walk(os.fsencode(share)):
            by_type[Path(ref.uri).suffix.lower() or "none"].append(ref)
        inputs = read_inputs(Settings())
        bundle = make_bundle(inputs)
        Path(folder, "bundle.zip").write_bytes(bundle.content)
        loaded = load_engines(BundleRef(f"{folder}/bundle.zip", bundle.sha256, "", fingerprint(load_key(""))))
        sandbox = Sandbox(loaded.limits, ocr=loaded.ocr)
        groups = {name: refs for name, refs in sorted(by_type.items()) if len(refs) >= _LEAST}
        everything = [ref for refs in by_type.values() for ref in refs]
        measured(everything, "warm", loaded, sandbox)
        measured_costs = [
            min((measured(refs, name, loaded, sandbox) for _ in range(rounds)), key=_cpu_ms)
            for name, refs in groups.items()
        ]
        measured_costs.append(
            min((measured(everything, "mixed share", loaded, sandbox) for _ in range(rounds)), key=_cpu_ms)
        )
        sandbox.close()
    return measured_costs


def _cpu_ms(cost: Cost) -> float:
    return cost.cpu_ms


def plot(measured_costs: list[Cost], target: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    ordered = sorted(measured_costs, key=_cpu_ms)
    figure, axes = pyplot.subplots(figsize=(8, 0.34 * len(ordered) + 1.2))
    axes.barh([cost.type for cost in ordered], [cost.core_hours_per_million for cost in ordered], color="#2a6f97")
    for place, cost in enumerate(ordered):
        axes.text(cost.core_hours_per_million, place, f"  {cost.core_hours_per_million:,.1f}", va="center", fontsize=8)
    axes.set_xlabel("core hours for a million files")
    axes.margins(x=0.12)
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(target, dpi=110)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=2, help="the best of each type counts")
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--json", type=Path, help="keep the figures")
    arguments = parser.parse_args()
    measured_costs = costs(arguments.files, arguments.rounds)
    print("  type           files   mean kB   cpu ms/file   Parquet bytes/file   core hours/million")
    for cost in measured_costs:
        row = (
            f"{cost.files:7}{cost.mean_bytes / 1000:10.1f}{cost.cpu_ms:14.2f}"
            f"{cost.record_bytes:21.0f}{cost.core_hours_per_million:21.2f}"
        )
        print(f"  {cost.type:13}{row}")
    if arguments.json:
        arguments.json.write_text(
            json.dumps(
                [[cost.type, cost.files, cost.mean_bytes, cost.cpu_ms, cost.record_bytes] for cost in measured_costs]
            )
        )
    if arguments.plot:
        plot(measured_costs, arguments.plot)


if __name__ == "__main__":
    main()
