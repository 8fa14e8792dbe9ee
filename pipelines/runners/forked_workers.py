"""Beam's SDK workers as processes forked from the launcher, so that Beam, rules and models are loaded once and shared.

Beam's own multi_processing starts every worker as a new interpreter, which spends seconds on imports before its first
file, and hangs forever when a worker dies. Forked workers use the same protocol, start at once, and their death stops
the run.
"""

import ctypes
import json
import logging
import os
import signal
import socket
import time
from contextlib import suppress
from threading import Thread, main_thread
from types import TracebackType
from typing import Any

from apache_beam.portability.api import endpoints_pb2
from apache_beam.runners.portability.fn_api_runner.worker_handlers import GrpcWorkerHandler, WorkerHandler
from apache_beam.runners.worker import sdk_worker_main
from apache_beam.transforms.environments import Environment, python_sdk_capabilities
from google.protobuf import json_format, text_format

from core.errors import LeakscreenError
from pipelines import busy
from pipelines.runners.garbage import look_seldom
from pipelines.runners.process_times import TICKS_A_SECOND, ticks_below

_URN = "leakscreen:environment:forked_worker:v1"
_PR_SET_PDEATHSIG = 1
_HUNG_SECONDS = 600.0  # without doing anything in the middle of a unit
_LOOKS = 20  # in that time
_ASLEEP = 0.02  # share of a processor: the clocks and connections of a worker that does nothing use a quarter of it
_STOPPED_SECONDS = 3.0  # a worker that somebody stopped goes on after so long


class ForkedWorkers:
    """Forks its workers when created, which must be before the process starts threads; they wait for Beam."""

    _waiting: list[socket.socket] = []  # noqa: RUF012 - handed to the handlers, which Beam makes

    def __init__(self, count: int, hung_seconds: float = _HUNG_SECONDS) -> None:
        self._hung_seconds = hung_seconds
        self._hung: set[int] = set()
        self._busy = busy.shared(count)
        self._pids: list[int] = []
        self._died: str = ""
        self._over = False
        look_seldom()
        for number in range(count):
            ours, theirs = socket.socketpair()
            pid = os.fork()
            if pid == 0:
                ours.close()
                for other in self._waiting:
                    other.close()
                busy.belongs_to(number)
                _work(theirs)
            theirs.close()
            self._pids.append(pid)
            self._waiting.append(ours)

    def __enter__(self) -> "ForkedWorkers":
        signal.signal(
            signal.SIGUSR1, signal.default_int_handler
        )  # SIGINT itself is ignored by what a shell starts in the background
        for number, pid in enumerate(tuple(self._pids)):
            Thread(target=self._guard, args=(pid,), name="worker guard", daemon=True).start()
            Thread(target=self._watch, args=(number, pid), name="worker watch", daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over = True
        for connection in self._waiting:
            connection.close()
        self._waiting.clear()
        if kind is not None:
            for pid in self._pids:
                _send(pid, signal.SIGKILL)
        if kind is KeyboardInterrupt and self._died:
            raise LeakscreenError(
                f"a worker process died ({self._died}); finished units are kept: go on with --resume"
            ) from None

    def _watch(self, number: int, pid: int) -> None:
        """Ends a worker in the middle of a unit that reads no file while neither it nor its parsers do anything.

        All that a worker waits for has a limit of its own, which is shorter.
        """
        sign, used, since = 0, 0, time.monotonic()
        most = _ASLEEP * self._hung_seconds * TICKS_A_SECOND  # since then, as one look hardly sees a tick
        while pid in self._pids:
            time.sleep(self._hung_seconds / _LOOKS)
            sign_before, sign = sign, self._busy[number]
            used_now = ticks_below(pid)
            if not sign or sign != sign_before or used_now - used > most:
                used, since = used_now, time.monotonic()
            elif time.monotonic() - since >= self._hung_seconds and not self._over:
                self._hung.add(pid)
                _send(pid, signal.SIGKILL)
                return

    def _guard(self, pid: int) -> None:
        _, status = os.waitpid(pid, os.WUNTRACED)
        while os.WIFSTOPPED(status):
            # Beam waits for it forever, and a signal to the launcher would wait too.
            time.sleep(_STOPPED_SECONDS)
            _send(pid, signal.SIGCONT)
            _, status = os.waitpid(pid, os.WUNTRACED)
        self._pids.remove(pid)
        if not self._over and status:
            code = os.waitstatus_to_exitcode(status)
            self._died = signal.Signals(-code).name if code < 0 else f"exit code {code}"
            if pid in self._hung:
                self._died = f"it did nothing for {self._hung_seconds:.0f} seconds and was ended"
            signal.pthread_kill(main_thread().ident or 0, signal.SIGUSR1)  # the only thing that wakes Beam's runner


def _work(connection: socket.socket) -> None:
    """The life of a worker: wait for Beam's addresses, serve its requests, end."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    for asked_of_the_launcher in (signal.SIGINT, signal.SIGTERM):  # which ends its workers itself
        signal.signal(asked_of_the_launcher, signal.SIG_IGN)
    try:
        with connection, connection.makefile("rb") as lines:
            line = lines.readline()
        if line:
            os.environ.update(json.loads(line))
            sdk_worker_main.main([])
        os._exit(0)
    except BaseException:
        logging.getLogger(__name__).exception("a worker process failed")
        os._exit(1)


def _send(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)


class ForkedEnvironment(Environment):
    """Tells Beam's runner that user code runs in forked workers."""

    def __init__(self) -> None:
        super().__init__(python_sdk_capabilities(), (), None)

    def to_runner_api_parameter(self, context: Any) -> tuple[str, bytes]:
        return _URN, b""


@WorkerHandler.register_environment(_URN, bytes)
class _ForkedWorkerHandler(GrpcWorkerHandler):
    def __init__(self, payload: bytes, state: Any, provision_info: Any, grpc_server: Any) -> None:
        super().__init__(state, provision_info, grpc_server)

    def start_worker(self) -> None:
        options = self.provision_info.provision_info.pipeline_options
        environment = {
            "CONTROL_API_SERVICE_DESCRIPTOR": text_format.MessageToString(
                endpoints_pb2.ApiServiceDescriptor(url=self.control_address)
            ),
            "PIPELINE_OPTIONS": json_format.MessageToJson(options, indent=None),
            "WORKER_ID": self.worker_id,
        }
        with ForkedWorkers._waiting.pop() as connection:
            connection.sendall(json.dumps(environment).encode() + b"\n")

    def stop_worker(self) -> None:
        """The worker ends by itself when its control channel closes."""
