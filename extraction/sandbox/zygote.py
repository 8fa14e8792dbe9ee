"""A single-threaded process that has the parsers loaded -> forked children, each on its own socket.

A child turns requests, each with an open file, into the events of its extraction; it is confined and single-threaded.
"""

import codecs
import contextlib
import encodings.aliases
import gc
import logging
import os
import signal
import socket
import struct
import sys
from dataclasses import dataclass

from core.no_dumps import forbid_dumps
from core.records import Status
from core.settings import LimitSettings
from extraction.confinement.confine import confine
from extraction.confinement.protection import probe
from extraction.content import read_descriptor
from extraction.extract import Extraction
from extraction.identify import libmagic
from extraction.limits.cpu_time import ProcessorTime
from extraction.media_types import UNKNOWN, files_of_a_process
from extraction.ocr.reader import Ocr
from extraction.passwords import read_passwords
from extraction.readers.html import html_text
from extraction.readers.text.decode import detect
from extraction.registry import Registry
from extraction.sandbox.frames import REQUEST, FrameKind, FrameWriter, frame
from extraction.sandbox.zygote_arguments import REAP, SPAWN, parse_arguments

_ANCILLARY = socket.CMSG_SPACE(4)
_RECEIPT = 1 << 13
_DESCRIPTOR = struct.Struct("i")
_NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, repr=False)
class Reading:
    """How the children read."""

    registry: Registry
    limits: LimitSettings
    ocr: Ocr
    passwords: tuple[str, ...] = ()


def main(arguments: list[str]) -> None:
    forbid_dumps()
    # Stopping a service sends SIGTERM to all its processes, but the file being parsed must not fail because of it.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    descriptor, limits, ocr_settings, plugins, passwords_file = parse_arguments(arguments)
    passwords = read_passwords(passwords_file)
    control = socket.socket(fileno=descriptor)
    registry = Registry(plugins)
    ocr = Ocr(ocr_settings)
    _warm_up(ocr)
    control.send(b"ready")
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 4096, 1)
        if message == SPAWN and descriptors:
            _spawn(control, descriptors[0], Reading(registry, limits, ocr, passwords))
        elif message.startswith(REAP):
            _, status = os.waitpid(int(message[len(REAP) :]), 0)
            control.send(str(os.waitstatus_to_exitcode(status)).encode())
        else:
            return


def _warm_up(ocr: Ocr) -> None:
    """Loads now what the confined children could not load on first use; they share the memory of it."""
    libmagic.load()
    html_text("<p>a</p>")
    detect("déjà vu à Orléans".encode("latin-1"))
    if not probe().landlock_abi:
        ocr.load()
        for name in {*encodings.aliases.aliases.values(), "raw_unicode_escape", "unicode_escape"}:
            try:
                codecs.lookup(name)
            except LookupError:
                continue
    gc.collect()
    gc.freeze()


def _spawn(control: socket.socket, descriptor: int, reading: Reading) -> None:
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        control.close()
        if os.getppid() != parent:
            os._exit(1)
        _run_child(socket.socket(fileno=descriptor), reading)
    os.close(descriptor)
    # Opened before anyone reaps the child, so that it cannot refer to another process.
    handle = os.pidfd_open(child)
    socket.send_fds(control, [str(child).encode()], [handle])
    os.close(handle)


def _run_child(connection: socket.socket, reading: Reading) -> None:
    """Never returns; nothing of the zygote's own shutdown may run in a child."""
    code = 1
    with contextlib.suppress(BaseException):
        serve(connection, reading)
        code = 0
    os._exit(code)


def serve(connection: socket.socket, reading: Reading) -> None:
    """Serves until the other side hangs up, or until this process has read enough."""
    logging.disable()
    time = ProcessorTime()
    time.install()
    limits = reading.limits
    protection = confine(limits, [connection.fileno()], reading.ocr.folders)
    connection.sendall(frame(FrameKind.READY, str(protection.landlock_abi), str(int(protection.seccomp))))
    worn, most = 0.0, limits.recycle_files
    while request := _receive(connection):
        descriptor, size, is_source, is_hashed, page, name, skip = request
        writer = FrameWriter(connection.sendall)
        try:
            content = read_descriptor(descriptor, name, limits.read_bytes, size)
        except OSError:
            writer.end(Status.UNREADABLE, "input/output error")
        else:
            content.is_hashed_elsewhere = is_hashed
            Extraction(
                reading.registry,
                limits,
                writer,
                skip,
                reading.ocr,
                time,
                is_source=is_source,
                passwords=reading.passwords,
                page=page,
            ).examine(content)
            del content
        os.close(descriptor)
        writer.flush()
        worn += max(most / files_of_a_process(media_type, most) for media_type in writer.media_types or {UNKNOWN})
        if worn >= most:
            return  # the parent takes nothing more from this process


def _receive(connection: socket.socket) -> tuple[int, int, bool, bool, int, str, frozenset[str]] | None:
    data, ancillary, _, _ = connection.recvmsg(_RECEIPT, _ANCILLARY)
    if not data:
        return None
    (descriptor,) = _DESCRIPTOR.unpack_from(ancillary[0][2])
    size, is_source, is_hashed, page, name_length, skip_length = REQUEST.unpack_from(data)
    body = data[REQUEST.size :]
    missing = name_length + skip_length - len(body)
    if missing > 0:
        body += _receive_rest(connection, missing)
    skip = body[name_length:].decode()
    skipped = frozenset(skip.split("\0")) if skip else _NOTHING
    return descriptor, size, is_source, is_hashed, page, body[:name_length].decode(), skipped


def _receive_rest(connection: socket.socket, missing: int) -> bytes:
    pieces = []
    while missing > 0:
        piece = connection.recv(min(missing, _RECEIPT))
        if not piece:
            raise EOFError
        pieces.append(piece)
        missing -= len(piece)
    return b"".join(pieces)


if __name__ == "__main__":
    with contextlib.suppress(ConnectionError):  # the parent was killed
        main(sys.argv[1:])
