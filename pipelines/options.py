"""Runner name, workers and free options -> a Beam runner with its options, and the worker processes it needs."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.runners.portability.fn_api_runner.fn_runner import FnApiRunner
from apache_beam.runners.runner import create_runner

from core.errors import SettingsError
from pipelines.flink import FLINK, StoppedJobServer, flink_flags
from pipelines.worker_count import LOCAL
from pipelines.worker_processes import ForkedEnvironment, ForkedWorkers


def check_runner(runner: str, extra: Sequence[str]) -> None:
    """Beam's multi_threading mode is refused: it was seen to lose elements without an error."""
    if any("multi_threading" in option for option in extra):
        raise SettingsError("scan.beam: direct_running_mode=multi_threading loses files without an error; leave it out")
    if runner == FLINK:
        flink_flags(extra)
    if runner != LOCAL:
        _named_runner(runner)


@contextmanager
def runner_for(runner: str, workers: int, extra: Sequence[str]) -> Iterator[tuple[Any, PipelineOptions]]:
    """`local` is Beam's portable local runner, named explicitly: in memory for one worker, worker processes for more."""
    check_runner(runner, extra)
    flags = flink_flags(extra) if runner == FLINK else [f"--{option.lstrip('-')}" for option in extra]
    if runner == FLINK:
        with StoppedJobServer() as flink:
            yield flink, PipelineOptions([f"--runner={runner}", *flags])
    elif runner != LOCAL:
        yield _named_runner(runner), PipelineOptions([f"--runner={runner}", *flags])
    elif workers == 1:
        yield FnApiRunner(), PipelineOptions(["--direct_running_mode=in_memory", "--direct_num_workers=1", *flags])
    else:
        with ForkedWorkers(workers):
            yield FnApiRunner(default_environment=ForkedEnvironment()), PipelineOptions([f"--direct_num_workers={workers}", *flags])


def _named_runner(runner: str) -> Any:
    try:
        return create_runner(runner)
    except (ValueError, ImportError, AttributeError):
        raise SettingsError(f"scan.runner: Beam knows no runner called {runner!r}; use local, FlinkRunner, PortableRunner, ...") from None
