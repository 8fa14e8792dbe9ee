"""Mails in open descriptors -> what forked judges say of them, each within its time.

The judges are forked from a process that has the models loaded, so they share its memory. One that dies or takes too
long is replaced, and its mail counts as not judged.
"""

import asyncio
import ctypes
import os
import pickle
import signal
import socket
import struct
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import NoReturn

from leakscreen.gate.judge import Judge, Judged

_LENGTH = struct.Struct("!Q")
_REQUEST = 65_536
_PR_SET_PDEATHSIG = 1
_READY = b"ready"


class NotJudgedError(Exception):
    """Why a mail has no verdict, in the words of a record's reason."""


@dataclass(slots=True, eq=False)
class _Worker:
    pid: int
    connection: socket.socket


class Workers:
    """Create it before the process has threads or connections: judges inherit what is open at that time."""

    def __init__(self, count: int, make_judge: Callable[[], Judge]) -> None:
        self._make_judge = make_judge
        self._kept = {int(name) for name in os.listdir("/proc/self/fd")}
        self._free: asyncio.Queue[_Worker] = asyncio.Queue()
        self._all: set[_Worker] = set()
        self._starting: set[asyncio.Task[None]] = set()
        self._count = count

    async def start(self) -> None:
        await asyncio.gather(*(self._add() for _ in range(self._count)))

    async def ask(self, uri: str, descriptor: int, scan_id: str, seconds: float) -> Judged:
        """`seconds` include the wait for a judge that is free."""
        worker = None
        try:
            async with asyncio.timeout(seconds):
                worker = await self._free.get()
                socket.send_fds(worker.connection, [pickle.dumps((uri, scan_id))], [descriptor])
                answer = pickle.loads(await _received(worker.connection))  # noqa: S301 - from our own judge
        except TimeoutError:
            self._replace(worker)
            raise NotJudgedError(f"time limit ({seconds:g} s)") from None
        except (EOFError, OSError):
            self._replace(worker)
            raise NotJudgedError("the judging process died") from None
        except BaseException:
            self._replace(worker)
            raise
        self._free.put_nowait(worker)
        if isinstance(answer, str):
            raise NotJudgedError(answer)
        judged: Judged = answer
        return judged

    @property
    def pids(self) -> list[int]:
        return [worker.pid for worker in self._all]

    def close(self) -> None:
        for task in self._starting:
            task.cancel()
        for worker in tuple(self._all):
            self._end(worker)

    def _replace(self, worker: _Worker | None) -> None:
        if worker is not None:
            self._end(worker)
            task = asyncio.get_running_loop().create_task(self._add())
            self._starting.add(task)
            task.add_done_callback(self._starting.discard)

    def _end(self, worker: _Worker) -> None:
        self._all.discard(worker)
        worker.connection.close()
        with suppress(ProcessLookupError):
            os.kill(worker.pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(worker.pid, 0)

    async def _add(self) -> None:
        """A judge joins the others when its sandbox is ready."""
        ours, theirs = socket.socketpair()
        pid = os.fork()
        if pid == 0:
            self._be_judge(theirs)
        theirs.close()
        ours.setblocking(False)
        worker = _Worker(pid, ours)
        self._all.add(worker)
        try:
            await _received(ours)
        except (EOFError, OSError):
            self._end(worker)
            raise NotJudgedError("a judging process could not start its sandbox") from None
        self._free.put_nowait(worker)

    def _be_judge(self, connection: socket.socket) -> NoReturn:
        """Runs a judge until its parent ends. It never returns into the parent's code."""
        try:
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            signal.set_wakeup_fd(-1)
            for asked_of_the_parent in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
                signal.signal(asked_of_the_parent, signal.SIG_IGN)
            for name in os.listdir("/proc/self/fd"):
                if int(name) not in self._kept | {connection.fileno()}:
                    with suppress(OSError):
                        os.close(int(name))
            judge = self._make_judge()
            _send(connection, _READY)
            while True:
                request, descriptors, _, _ = socket.recv_fds(connection, _REQUEST, 1)
                if not request:
                    os._exit(0)
                _send(connection, pickle.dumps(_judged(judge, request, descriptors[0])))
                judge.prepare()
        finally:
            os._exit(1)


def _judged(judge: Judge, request: bytes, descriptor: int) -> Judged | str:
    uri, scan_id = pickle.loads(request)  # noqa: S301 - from our own parent
    try:
        return judge.judge(uri, descriptor, scan_id)
    except Exception as error:  # its message may quote the mail
        return f"judging raised {type(error).__name__}"
    finally:
        os.close(descriptor)


def _send(connection: socket.socket, content: bytes) -> None:
    connection.sendall(_LENGTH.pack(len(content)) + content)


async def _received(connection: socket.socket) -> bytes:
    (length,) = _LENGTH.unpack(await _exactly(connection, _LENGTH.size))
    return await _exactly(connection, length)


async def _exactly(connection: socket.socket, count: int) -> bytes:
    loop = asyncio.get_running_loop()
    content = bytearray()
    while len(content) < count:
        piece = await loop.sock_recv(connection, min(count - len(content), 1 << 20))
        if not piece:
            raise EOFError
        content += piece
    return bytes(content)
