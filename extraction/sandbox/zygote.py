"""A single-threaded process that has the parsers loaded -> forked children, each on its own socket."""

import codecs
import contextlib
import encodings.aliases
import gc
import os
import signal
import socket
import sys

from core.settings import LimitSettings
from extraction.confinement.protection import probe
from extraction.identify import libmagic
from extraction.ocr import Ocr
from extraction.readers.html import html_text
from extraction.readers.text.decode import detect
from extraction.registry import Registry
from extraction.sandbox.child import run
from extraction.sandbox.zygote_arguments import REAP, SPAWN, parse_arguments


def main(arguments: list[str]) -> None:
    # Stopping a service sends SIGTERM to all its processes, but the file being parsed must not fail because of it.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    descriptor, limits, ocr_settings, plugins = parse_arguments(arguments)
    control = socket.socket(fileno=descriptor)
    registry = Registry(plugins)
    ocr = Ocr(ocr_settings)
    _warm_up(ocr)
    control.send(b"ready")
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 4096, 1)
        if message == SPAWN and descriptors:
            _spawn(control, descriptors[0], registry, limits, ocr)
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


def _spawn(control: socket.socket, descriptor: int, registry: Registry, limits: LimitSettings, ocr: Ocr) -> None:
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        control.close()
        if os.getppid() != parent:
            os._exit(1)
        run(socket.socket(fileno=descriptor), registry, limits, ocr)
    os.close(descriptor)
    # Opened before anyone reaps the child, so that it cannot refer to another process.
    handle = os.pidfd_open(child)
    socket.send_fds(control, [str(child).encode()], [handle])
    os.close(handle)


if __name__ == "__main__":
    with contextlib.suppress(ConnectionError):  # the parent was killed
        main(sys.argv[1:])
