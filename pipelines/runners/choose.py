"""Runner name, workers and free options -> a Beam runner with its options, and the worker processes it needs."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.runners.portability.fn_api_runner.fn_runner import FnApiRunner
from apache_beam.runners.runner import create_runner

from core.errors import SettingsError
from core.settings import ScanSettings
from pipelines.runners.flink.runner import FLINK, FlinkJob, flink_flags
from pipelines.runners.forked_workers import ForkedEnvironment, ForkedWorkers
from pipelines.worker_count import LOCAL

_HUNG_FILES, _HUNG_SECONDS = 3, 30  # a worker that does nothing for three times the limit of a file hangs


def check_runner(settings: ScanSettings) -> None:
    """Beam's multi_threading mode is refused: it was seen to lose elements without an error."""
    if any("multi_threading" in option for option in settings.beam_options):
        raise SettingsError(
            "scan.beam_options: direct_running_mode=multi_threading loses files without an error; leave it out"
        )
    if settings.runner in FLINK:
        flink_flags(settings)
    elif settings.runner != LOCAL:
        _named_runner(settings.runner)


@contextmanager
def runner_for(
    settings: ScanSettings, workers: int, job: str, file_seconds: float = 120.0
) -> Iterator[tuple[Any, PipelineOptions]]:
    """`local` is Beam's portable local runner: in memory for one worker, with worker processes for more."""
    if settings.runner in FLINK:
        flags = {"job_name": job, **flink_flags(settings)}
        with FlinkJob(flags["flink_master"], flags["job_name"]) as flink:
            yield flink, PipelineOptions([f"--{name}={value}" for name, value in flags.items()])
        return
    check_runner(settings)
    free = [f"--{option.lstrip('-')}" for option in settings.beam_options]
    if settings.runner != LOCAL:
        yield (
            _named_runner(settings.runner),
            PipelineOptions([f"--runner={settings.runner}", f"--job_name={job}", *free]),
        )
    elif workers == 1:
        yield FnApiRunner(), PipelineOptions(["--direct_running_mode=in_memory", "--direct_num_workers=1", *free])
    else:
        with ForkedWorkers(workers, _HUNG_FILES * file_seconds + _HUNG_SECONDS):
            yield (
                FnApiRunner(default_environment=ForkedEnvironment()),
                PipelineOptions([f"--direct_num_workers={workers}", *free]),
            )


def _named_runner(runner: str) -> Any:
    try:
        return create_runner(runner)
    except (ValueError, ImportError, AttributeError):
        raise SettingsError(
            f"scan.runner: Beam knows no runner called {runner!r}; use local, flink, PortableRunner, ..."
        ) from None
