"""A worker that hangs without being stopped: the run ends with a clear error, and SIGTERM ends it before that."""

import signal
import subprocess
import sys
import time
from pathlib import Path

RUN = """
import sys, threading
import apache_beam as beam
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.runners.portability.fn_api_runner.fn_runner import FnApiRunner
from core.errors import LeakscreenError
from leakscreen.commands.stopping import StoppedError, end_on_sigterm
from pipelines import busy
from pipelines.runners.forked_workers import ForkedEnvironment, ForkedWorkers

class Hang(beam.DoFn):
    def process(self, number):
        for _ in busy.beating(iter([number])):
            print("hangs" if number == 3 else "works", flush=True)
            lock = threading.Lock()
            lock.acquire()
            if number == 3:
                lock.acquire()
        busy.idle()
        yield number

end_on_sigterm()
try:
    with ForkedWorkers(2, float(sys.argv[1])):
        pipeline = beam.Pipeline(
            runner=FnApiRunner(default_environment=ForkedEnvironment()),
            options=PipelineOptions(["--direct_num_workers=2"]),
        )
        pipeline | beam.Create(list(range(6)), reshuffle=False) | beam.Reshuffle() | beam.ParDo(Hang())
        pipeline.run().wait_until_finish()
except LeakscreenError as error:
    print(error, flush=True)
    sys.exit(2)
except StoppedError:
    sys.exit(143)
"""


def started(hung_seconds: float) -> subprocess.Popen[str]:
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", RUN, str(hung_seconds)]
    running = subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert running.stdout is not None
    while running.stdout.readline().strip() != "hangs":
        assert running.poll() is None
    return running


def test_a_deadlocked_worker_is_ended() -> None:
    running = started(10.0)  # a worker that works may do nothing for some seconds on a busy machine
    try:
        said, _ = running.communicate(timeout=90)
    finally:
        running.kill()
    assert running.returncode == 2
    assert "did nothing for 10 seconds and was ended" in said and "--resume" in said


def test_sigterm_ends_a_run_with_a_deadlocked_worker() -> None:
    running = started(3600.0)
    try:
        time.sleep(0.5)
        running.send_signal(signal.SIGTERM)
        running.communicate(timeout=60)
    finally:
        running.kill()
    assert running.returncode == 143
