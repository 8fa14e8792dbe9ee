"""Requests on a socket, each with an open file -> the events of its extraction; runs confined, single-threaded."""

import contextlib
import logging
import os
import socket
import struct

from core.records import Status
from core.settings import LimitSettings
from extraction.confinement.confine import confine
from extraction.content import read_descriptor
from extraction.extract import Extraction
from extraction.limits.cpu_time import ProcessorTime
from extraction.ocr import Ocr
from extraction.registry import Registry
from extraction.sandbox.frames import REQUEST, FrameKind, FrameWriter, frame

_ANCILLARY = socket.CMSG_SPACE(4)
_RECEIPT = 1 << 13
_DESCRIPTOR = struct.Struct("i")
_NOTHING: frozenset[str] = frozenset()


def serve(connection: socket.socket, registry: Registry, limits: LimitSettings, ocr: Ocr) -> None:
    """Serves until the other side hangs up."""
    logging.disable()
    time = ProcessorTime()
    time.install()
    protection = confine(limits, [connection.fileno()], ocr.folders)
    connection.sendall(frame(FrameKind.READY, str(protection.landlock_abi), str(int(protection.seccomp))))
    while request := _receive(connection):
        descriptor, size, is_source, name, skip = request
        writer = FrameWriter(connection.sendall)
        try:
            content = read_descriptor(descriptor, name, limits.read_bytes, size)
        except OSError:
            writer.end(Status.UNREADABLE, "input/output error")
        else:
            Extraction(registry, limits, writer, skip, ocr, time, is_source=is_source).examine(content)
            del content
        os.close(descriptor)
        writer.flush()


def _receive(connection: socket.socket) -> tuple[int, int, bool, str, frozenset[str]] | None:
    data, ancillary, _, _ = connection.recvmsg(_RECEIPT, _ANCILLARY)
    if not data:
        return None
    (descriptor,) = _DESCRIPTOR.unpack_from(ancillary[0][2])
    size, is_source, name_length, skip_length = REQUEST.unpack_from(data)
    body = data[REQUEST.size :]
    missing = name_length + skip_length - len(body)
    if missing > 0:
        body += _receive_rest(connection, missing)
    skip = body[name_length:].decode()
    return descriptor, size, is_source, body[:name_length].decode(), frozenset(skip.split("\0")) if skip else _NOTHING


def _receive_rest(connection: socket.socket, missing: int) -> bytes:
    pieces = []
    while missing > 0:
        piece = connection.recv(min(missing, _RECEIPT))
        if not piece:
            raise EOFError
        pieces.append(piece)
        missing -= len(piece)
    return b"".join(pieces)


def run(connection: socket.socket, registry: Registry, limits: LimitSettings, ocr: Ocr) -> None:
    """Never returns; nothing of the zygote's own shutdown may run in a child."""
    code = 1
    with contextlib.suppress(BaseException):
        serve(connection, registry, limits, ocr)
        code = 0
    os._exit(code)
