"""A file's bytes -> its runs, and its copy with new texts: parsed and written in a process that owns nothing."""

import contextlib
import dataclasses
import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import Any, Self

from core.errors import SandboxError
from core.settings import LimitSettings, OcrSettings
from deidentification.confined.frames import FrameError, receive, receive_json, send, send_json
from deidentification.formats.opened import REASONS
from deidentification.view import Run
from extraction.sandbox.sandbox import require_protection

_START_SECONDS = 60.0
_SPAWN = b"spawn"
_MEDIA_TYPE = re.compile(r"[a-z0-9.+/-]{1,100}")
_SMALL = 1 << 16
_MOST_RUNS = 5_000_000


class NotRewrittenError(Exception):
    """Why a file has no copy, in words of our own."""


class OpenFile:
    """A file in its own confined child."""

    def __init__(self, connection: socket.socket, limits: LimitSettings, data: bytes) -> None:
        self._connection = connection
        self._limits = limits
        self._deadline = time.monotonic() + limits.file_seconds
        send(connection, data)
        answer = self._told(limits.expanded_bytes)
        self.media_type = _checked_type(answer.get("media_type"))
        self.is_prose = answer.get("is_prose") is not False
        self.runs = _checked_runs(answer.get("runs"))

    @property
    def is_picture(self) -> bool:
        return self.media_type.startswith("image/") or self.media_type == "application/dicom"

    def rewritten(self, new: Mapping[int, str]) -> list[bytes]:
        """The copy, and after it what else must be checked before the copy is handed over."""
        self._deadline = time.monotonic() + self._limits.file_seconds
        send_json(self._connection, {str(at): text for at, text in new.items()})
        count = self._told(_SMALL).get("outputs")
        if count not in (1, 2):
            raise FrameError
        return [receive(self._connection, self._limits.expanded_bytes, self._deadline) for _ in range(count)]

    def _told(self, most: int) -> dict[str, Any]:
        answer = receive_json(self._connection, most, self._deadline)
        if not isinstance(answer, dict):
            raise FrameError
        if "unsupported" in answer:
            raise NotRewrittenError(f"unsupported: {_checked_type(answer['unsupported'])} cannot be rewritten")
        if "refused" in answer:
            reason = answer["refused"]
            raise NotRewrittenError(f"refused: {reason}" if reason in REASONS else "refused")
        return answer


class Rewriter:
    """Starts with an empty environment: it needs no secret, so it gets none."""

    def __init__(self, limits: LimitSettings, ocr: OcrSettings, *, require: bool = True) -> None:
        if require:
            require_protection()
        self._limits = limits
        self._ocr = ocr
        self._start()

    def _start(self) -> None:
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        paths = os.pathsep.join(os.path.abspath(path) for path in sys.path)
        settings = [json.dumps(dataclasses.asdict(one)) for one in (self._limits, self._ocr)]
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-B", "-m", "deidentification.confined.process", str(theirs.fileno()), *settings],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            env={"PYTHONPATH": paths, "LANG": "C.UTF-8", "PYTHONUTF8": "1", "PATH": os.defpath},
            cwd="/",
            start_new_session=True,
        )
        theirs.close()
        self._control.settimeout(_START_SECONDS)
        try:
            ready = self._control.recv(64)
        except OSError:
            ready = b""
        if ready != b"ready":
            self.close()
            raise SandboxError("the process that rewrites files did not start")

    @contextlib.contextmanager
    def opened(self, data: bytes) -> Iterator[OpenFile]:
        """Raises NotRewrittenError for a file that has no copy, whatever it did to its child."""
        if self._process.poll() is not None:
            self._start()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        with ours:
            with theirs:
                socket.send_fds(self._control, [_SPAWN], [theirs.fileno()])
            try:
                receive_json(ours, _SMALL, time.monotonic() + _START_SECONDS)
                yield OpenFile(ours, self._limits, data)
            except TimeoutError:
                self._restart()
                raise NotRewrittenError(f"time limit ({self._limits.file_seconds:g} seconds)") from None
            except FrameError:
                raise NotRewrittenError("its parser died") from None

    def _restart(self) -> None:
        """The child that hangs dies with its parent."""
        self._process.kill()
        self._process.wait()
        self._control.close()
        self._start()

    def close(self) -> None:
        self._control.close()
        try:
            self._process.wait(2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _checked_type(media_type: object) -> str:
    return media_type if isinstance(media_type, str) and _MEDIA_TYPE.fullmatch(media_type) else "an unknown type"


def _checked_runs(runs: object) -> tuple[Run, ...]:
    if not isinstance(runs, list) or len(runs) > _MOST_RUNS:
        raise FrameError
    checked = []
    for run in runs:
        match run:
            case [str(text), bool(is_fixed), str(where)]:
                checked.append(Run(text, is_fixed, re.sub(r"[^\w ,.:!/-]", "", where)[:80]))
            case _:
                raise FrameError
    return tuple(checked)
