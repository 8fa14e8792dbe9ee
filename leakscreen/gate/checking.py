"""The socket of `leakscreen check`: an open file from another process of the same user -> its verdict as JSON."""

import asyncio
import json
import os
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

_LONGEST_REQUEST = 65_536
Check = Callable[[str, int], Awaitable[dict[str, Any]]]


def listen(path: Path) -> socket.socket:
    """Only the owner may connect: the mode is set before anybody can."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with suppress(FileNotFoundError):
        path.unlink()
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    before = os.umask(0o177)
    try:
        listener.bind(str(path))
    finally:
        os.umask(before)
    listener.listen(64)
    listener.setblocking(False)
    return listener


async def serve(listener: socket.socket, check: Check) -> None:
    loop = asyncio.get_running_loop()
    answering: set[asyncio.Task[None]] = set()
    while True:
        connection, _ = await loop.sock_accept(listener)
        task = loop.create_task(_answer(connection, check))
        answering.add(task)
        task.add_done_callback(answering.discard)


async def _answer(connection: socket.socket, check: Check) -> None:
    loop = asyncio.get_running_loop()
    descriptors: list[int] = []
    with connection:
        connection.setblocking(False)
        try:
            await _readable(connection)
            request, descriptors, _, _ = socket.recv_fds(connection, _LONGEST_REQUEST, 1)
            if not request or not descriptors:
                return
            verdict = await check(str(json.loads(request)["uri"]), descriptors[0])
            await loop.sock_sendall(connection, json.dumps(verdict).encode())
        except (OSError, ValueError, KeyError):  # whoever asked is gone, or asks for nothing that makes sense
            return
        finally:
            for descriptor in descriptors:
                os.close(descriptor)


async def _readable(connection: socket.socket) -> None:
    loop = asyncio.get_running_loop()
    arrived: asyncio.Future[None] = loop.create_future()
    loop.add_reader(connection, _fulfil, arrived)
    try:
        async with asyncio.timeout(10):
            await arrived
    finally:
        loop.remove_reader(connection)


def _fulfil(arrived: "asyncio.Future[None]") -> None:
    if not arrived.done():
        arrived.set_result(None)
