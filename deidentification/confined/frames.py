"""Bytes <-> frames on a socket: a length and a body, so that neither side reads past a message."""

import json
import socket
import struct
import time
from typing import Any

_LENGTH = struct.Struct("!Q")
_AT_ONCE = 1 << 20


class FrameError(Exception):
    """The other side is gone, or sends what no honest side would."""


def send(connection: socket.socket, body: bytes) -> None:
    try:
        connection.sendall(_LENGTH.pack(len(body)))
        connection.sendall(body)
    except OSError:
        raise FrameError from None


def send_json(connection: socket.socket, message: Any) -> None:
    send(connection, json.dumps(message).encode())


def receive(connection: socket.socket, most: int, deadline: float | None = None) -> bytes:
    length = _LENGTH.unpack(_exactly(connection, _LENGTH.size, deadline))[0]
    if length > most:
        raise FrameError
    return _exactly(connection, length, deadline)


def receive_json(connection: socket.socket, most: int, deadline: float | None = None) -> Any:
    try:
        return json.loads(receive(connection, most, deadline))
    except (ValueError, RecursionError):
        raise FrameError from None


def _exactly(connection: socket.socket, length: int, deadline: float | None) -> bytes:
    pieces = []
    while length:
        if deadline is not None:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError
            connection.settimeout(left)
        try:
            piece = connection.recv(min(length, _AT_ONCE))
        except TimeoutError:
            raise
        except OSError:
            piece = b""
        if not piece:
            raise FrameError
        pieces.append(piece)
        length -= len(piece)
    return b"".join(pieces)
