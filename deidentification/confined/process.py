"""A process that has the formats loaded -> a forked, confined child for each file, which opens and rewrites it."""

import contextlib
import gc
import importlib
import json
import logging
import os
import socket
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import deidentification
from core.no_dumps import forbid_dumps
from core.settings import LimitSettings, OcrSettings
from deidentification.confined.frames import FrameError, receive, receive_json, send, send_json
from deidentification.formats.opened import BROKEN, Layered, RefusedError
from deidentification.formats.registry import LIBRARIES, is_supported, open_as
from deidentification.formats.words_in_pictures import use_ocr
from extraction.confinement.confine import confine
from extraction.identify import libmagic
from extraction.identify.identify import identify
from extraction.ocr.reader import Ocr
from extraction.readers.text.decode import detect

SPAWN = b"spawn"
_PACKAGE = str(Path(deidentification.__file__ or "").parent)


def main(arguments: list[str]) -> None:
    forbid_dumps()
    control = socket.socket(fileno=int(arguments[0]))
    limits, ocr = LimitSettings(**json.loads(arguments[1])), Ocr(OcrSettings(**json.loads(arguments[2])))
    libmagic.load()
    detect("déjà vu à Orléans".encode("latin-1"))  # loads what the confined children could not load on first use
    for name in LIBRARIES:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    gc.collect()
    gc.freeze()
    control.send(b"ready")
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 64, 1)
        if message != SPAWN or not descriptors:
            return
        child = os.fork()
        if child == 0:
            control.close()
            _run(socket.socket(fileno=descriptors[0]), limits, ocr)
        os.close(descriptors[0])
        os.waitpid(child, 0)  # one file at a time: the next is asked for when this one is done


def _run(connection: socket.socket, limits: LimitSettings, ocr: Ocr) -> None:
    """Never returns; nothing of the parent's own shutdown may run in a child."""
    code = 1
    with contextlib.suppress(BaseException):
        logging.disable()
        confine(limits, [connection.fileno()], [*ocr.folders, _PACKAGE])
        send_json(connection, {"ready": True})
        use_ocr(ocr)
        _serve(connection, limits)
        code = 0
    os._exit(code)


def _serve(connection: socket.socket, limits: LimitSettings) -> None:
    """One file: its runs first, then as often as it is asked the file with new texts."""
    data = receive(connection, limits.read_bytes)
    media_type = identify(data)
    if not is_supported(media_type):
        send_json(connection, {"unsupported": media_type})
        return
    opened = _answer(connection, lambda: open_as(media_type, data))
    if opened is None:
        return
    runs = [[run.text, run.is_fixed, run.where] for run in opened.runs]
    send_json(connection, {"media_type": media_type, "is_prose": opened.is_prose, "runs": runs})
    del runs
    while True:
        try:
            asked: dict[str, str] = receive_json(connection, limits.expanded_bytes)
        except FrameError:
            return
        new = {int(at): text for at, text in asked.items()}
        outputs = _answer(connection, partial(_outputs, media_type, data, new))
        if outputs is None:
            return
        send_json(connection, {"outputs": len(outputs)})
        for output in outputs:
            send(connection, output)


def _outputs(media_type: str, data: bytes, new: Mapping[int, str]) -> list[bytes]:
    """The copy, and where it has two layers, what shows the one that hides behind the other."""
    opened = open_as(media_type, data)
    outputs = [opened.rewritten(new)]
    return [*outputs, opened.bare(new)] if isinstance(opened, Layered) else outputs


def _answer(connection: socket.socket, work: Any) -> Any:
    """The result, or None after the other side was told why there is none."""
    try:
        return work()
    except RefusedError as refused:
        send_json(connection, {"refused": str(refused)})
    except MemoryError:
        raise
    except Exception:
        send_json(connection, {"refused": BROKEN})
    return None


if __name__ == "__main__":
    with contextlib.suppress(ConnectionError):
        main(sys.argv[1:])
