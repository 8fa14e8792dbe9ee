"""Flink or Spark with 1, 2, 4 slots against the local runner and the plain loop: `python -m benchmarks.engines flink`.

All scan the same share of small files in turn; the best of several rounds counts. The sustained rate is measured from
the first to the last finished unit; the whole command includes imports, models, the start of the job server and the
upload of its jar. A slot is a task manager of Flink, or a worker of Spark, with one core.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from benchmarks.process_tree import measure
from benchmarks.throughput import _sustained
from deploy.flink.cluster import Cluster as Flink
from deploy.spark.cluster import Cluster as Spark
from leakscreen.demo import make_small_files


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("engine", choices=["flink", "spark"])
    parser.add_argument("--files", type=int, default=4_000)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--slots", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--jars", type=Path, help="their folder; .flink-jars or .spark-jars unless it is named")
    arguments = parser.parse_args()
    jars = (arguments.jars or Path(f".{arguments.engine}-jars")).absolute()
    best: dict[tuple[str, int], tuple[float, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        share = Path(folder, "share")
        make_small_files(share, arguments.files)
        for turn in range(arguments.rounds):
            for width in arguments.slots:
                with Flink(jars, width) if arguments.engine == "flink" else Spark(jars, width) as cluster:
                    for name, command in _commands(share, width, cluster).items():
                        out = Path(folder, f"{name}-{width}-{turn}".replace(" ", "-"))
                        seconds = measure([word.replace("{out}", str(out)) for word in command]).seconds
                        sustained = _sustained(out, "**/files/*.parquet")
                        before = best.get((name, width), (0.0, float("inf")))
                        best[name, width] = max(before[0], sustained), min(before[1], seconds)
    print(
        f"{arguments.files:,} small files, best of {arguments.rounds}: files per second sustained, against "
        f"the plain loop; "
        "whole command"
    )
    for (name, width), (sustained, seconds) in best.items():
        print(
            f"  {name:12} {width}  {sustained:7,.0f}  {sustained / best['plain loop', width][0]:5.2f}  {seconds:6.1f} s"
        )


def _commands(share: Path, width: int, cluster: Flink | Spark) -> dict[str, list[str]]:
    scan = [sys.executable, "-m", "leakscreen", "scan", str(share), "--quiet", "--out", "{out}"]
    return {
        "plain loop": [sys.executable, "-m", "benchmarks.plain_loop", str(share), "{out}", str(width)],
        "local": [*scan, "--workers", str(width)],
        "Flink" if isinstance(cluster, Flink) else "Spark": [*scan, *cluster.options],
    }


if __name__ == "__main__":
    main()
