"""Runner name, workers and free options -> a Beam runner and its options."""

import os
from collections.abc import Sequence
from typing import Any

from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
from apache_beam.runners.runner import create_runner

from core.errors import SettingsError

LOCAL = "local"


def worker_count(workers: int) -> int:
    """0 means one a core that this process may use."""
    return workers or len(os.sched_getaffinity(0))


def runner_and_options(runner: str, workers: int, extra: Sequence[str]) -> tuple[Any, PipelineOptions]:
    """`local` is named explicitly as Beam's portable runner: in memory for one worker, processes for more.

    Beam's multi_threading mode is never used: it was seen to lose elements without an error.
    """
    flags = [f"--{option.lstrip('-')}" for option in extra]
    if runner != LOCAL:
        try:
            chosen = create_runner(runner)
        except (ValueError, ImportError, AttributeError):
            raise SettingsError(f"scan.runner: Beam knows no runner called {runner!r}; use local, FlinkRunner, SparkRunner, ...") from None
        return chosen, PipelineOptions([f"--runner={runner}", *flags])
    count = worker_count(workers)
    mode = "in_memory" if count == 1 else "multi_processing"
    if any("multi_threading" in flag for flag in flags):
        raise SettingsError("scan.beam: direct_running_mode=multi_threading loses files without an error; leave it out")
    return FnApiRunner(), PipelineOptions([f"--direct_running_mode={mode}", f"--direct_num_workers={count}", *flags])
