"""All benchmarks that need no outside data, one after the other: `make bench`."""

import runpy
import sys

BENCHMARKS = ("benchmarks.throughput", "benchmarks.memory", "benchmarks.sandbox_overhead")


def main() -> None:
    for name in BENCHMARKS:
        print(f"\n{name}", flush=True)
        sys.argv = [name]
        runpy.run_module(name, run_name="__main__")


if __name__ == "__main__":
    main()
