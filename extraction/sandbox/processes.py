"""The parent's side of the zygote and its children: start, send requests, receive, kill."""

import contextlib
import os
import select
import signal
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Collection

from core.errors import SandboxError
from core.settings import LimitSettings, OcrSettings
from extraction.confinement.protection import Protection
from extraction.sandbox.frames import REQUEST, FrameKind, FrameReader
from extraction.sandbox.zygote_arguments import REAP, SPAWN, arguments_for

ANSWER_SECONDS = 20.0  # a zygote forks and reaps in milliseconds; one that does not is stopped or broken
START_SECONDS = 60.0  # loading all parsers takes a second or two; a busy machine needs more
TICK_SECONDS = 1.0  # how often a waiting parent checks the clock
EXIT_GRACE_SECONDS = 2.0  # for a dying process to end by itself, so that its exit code says why
UNKNOWN_CAUSE = "unknown"  # how a child ended whose zygote is gone too
_DESCRIPTOR = struct.Struct("i")
_RECEIPT = 1 << 16  # larger buffers are mapped and unmapped each time, which costs more than the call


class ChildDiedError(Exception):
    """The message says how: the name of a signal or an exit code."""


class NoZygoteError(Exception):
    """The zygote does not answer, for which no file is to blame."""


class Zygote:
    """Starts with an empty environment: it needs no secret, so it gets none."""

    def __init__(
        self, limits: LimitSettings, ocr: OcrSettings, plugins: tuple[str, ...], passwords_file: str = ""
    ) -> None:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        paths = [os.path.abspath(path) for path in sys.path]
        environment = {"PYTHONPATH": os.pathsep.join(paths), "LANG": "C.UTF-8", "PYTHONUTF8": "1", "PATH": os.defpath}
        arguments = arguments_for(theirs.fileno(), limits, ocr, plugins, passwords_file)
        command = [sys.executable, "-P", "-B", "-m", "extraction.sandbox.zygote", *arguments]
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            env=environment,
            cwd="/",
            start_new_session=True,
        )
        theirs.close()
        self._control.settimeout(START_SECONDS)
        if self._answer() != b"ready":
            self.close()
            raise SandboxError("the parser process did not start; run `python -m extraction.sandbox.zygote` to see why")
        self._control.settimeout(ANSWER_SECONDS)

    def spawn(self) -> "Child":
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            with theirs:
                socket.send_fds(self._control, [SPAWN], [theirs.fileno()])
                answer, descriptors, _, _ = socket.recv_fds(self._control, 64, 1)
        except OSError:
            answer, descriptors = b"", []
        if not answer or not descriptors:
            ours.close()
            raise NoZygoteError
        return Child(ours, int(answer), descriptors[0])

    def reap(self, pid: int) -> int | None:
        with contextlib.suppress(OSError, ValueError):
            self._control.send(REAP + str(pid).encode())
            return int(self._answer())
        return None

    def _answer(self) -> bytes:
        try:
            return self._control.recv(64)
        except OSError:
            return b""

    @property
    def is_alive(self) -> bool:
        return self._control.fileno() >= 0 and self._process.poll() is None

    def close(self) -> None:
        self._control.close()
        try:
            self._process.wait(EXIT_GRACE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


class Child:
    """One confined parser process; nothing that it sends is trusted."""

    def __init__(self, connection: socket.socket, pid: int, handle: int) -> None:
        tick = struct.pack("ll", int(TICK_SECONDS), 0)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, tick)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", int(START_SECONDS), 0))
        self._connection = connection
        self.pid = pid
        self._handle = handle
        self.files = 0  # sent to it
        self.worn = 0.0  # by those that it has read
        self.born = time.monotonic()
        self.reader = FrameReader()

    def protection(self) -> Protection:
        """From the first frame; a child that could not confine itself sends none and is gone."""
        deadline = time.monotonic() + START_SECONDS
        while True:
            self.reader.feed(self.receive(deadline))
            received = self.reader.take()
            if received is not None:
                abi, _, seccomp = received[1].decode("ascii", "replace").partition("\0")
                if received[0] is not FrameKind.READY or not abi.isdecimal():
                    raise ChildDiedError("no parser process")
                return Protection(int(abi), seccomp == "1")

    def request(
        self,
        descriptor: int,
        size: int,
        name: str,
        skip: Collection[str],
        *,
        is_source: bool,
        is_hashed: bool,
        page: int = 0,
    ) -> None:
        encoded_name = name.encode("utf-8", "replace")[:1000]
        encoded_skip = "\0".join(sorted(skip)).encode("utf-8", "replace") if skip else b""
        message = (
            REQUEST.pack(size, is_source, is_hashed, page, len(encoded_name), len(encoded_skip))
            + encoded_name
            + encoded_skip
        )
        try:
            sent = self._connection.sendmsg(
                [message], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, _DESCRIPTOR.pack(descriptor))]
            )
            if sent < len(message):
                self._connection.sendall(message[sent:])
        except OSError:
            raise ChildDiedError("no parser process") from None

    def receive(self, deadline: float) -> bytes:
        """The kernel wakes us every tick to check the clock: a time-out per receipt would cost one more call each."""
        while True:
            left = deadline - time.monotonic()
            if left <= 0 or (left < TICK_SECONDS and not self._poll(self._connection.fileno(), left)):
                raise TimeoutError
            try:
                data = self._connection.recv(_RECEIPT)
            except BlockingIOError:
                continue
            except OSError:
                data = b""
            if not data:
                raise ChildDiedError
            return data

    def end(self, zygote: Zygote, *, wait: float = 0.0) -> str:
        """Kills it if it is not gone after `wait`; returns how it ended."""
        self._connection.close()
        gone = wait > 0 and self._poll(self._handle, wait)
        if not gone:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
        os.close(self._handle)
        code = zygote.reap(self.pid)
        if code is None:
            return UNKNOWN_CAUSE
        return signal.Signals(-code).name if code < 0 else f"exit {code}"

    @staticmethod
    def _poll(descriptor: int, seconds: float) -> bool:
        poller = select.poll()
        poller.register(descriptor, select.POLLIN)
        return bool(poller.poll(seconds * 1000))
