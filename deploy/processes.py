"""Command lines -> processes on loopback with a log each, stopped by their ids."""

import os
import shutil
import socket
import subprocess
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

LOOPBACK = "127.0.0.1"


class Processes(ABC):
    """Up inside their block; all that they write is in one temporary folder, which goes with them."""

    def __init__(self, name: str, environ: Mapping[str, str] | None = None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix=f"leakscreen-{name}-"))
        self.started: list[subprocess.Popen[bytes]] = []
        self.environ = {**os.environ, **(environ or {})}  # what they start inherits it: the key of the scans, for one
        self._logs: list[BinaryIO] = []

    @abstractmethod
    def bring_up(self) -> None:
        """Starts them, and waits until they can be used."""

    def __enter__(self) -> Self:
        try:
            self.bring_up()
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def folder_of(self, name: str) -> Path:
        """A new folder for one process, with one for its temporary files in it."""
        folder = self.folder / name
        (folder / "tmp").mkdir(parents=True)
        return folder

    def start_program(self, folder: Path, command: Sequence[str | Path]) -> subprocess.Popen[bytes]:
        log = (folder / "log").open("wb")
        process = subprocess.Popen(
            command,
            stdout=log,
            stderr=log,
            stdin=subprocess.DEVNULL,
            env=self.environ,
            start_new_session=True,
        )
        self.started.append(process)
        self._logs.append(log)
        return process

    def logs(self) -> str:
        return "\n".join(f"{log.name}:\n{Path(log.name).read_text(errors='replace')[-1500:]}" for log in self._logs)

    def _stop(self) -> None:
        for process in reversed(self.started):
            process.terminate()
        for process in self.started:
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for log in self._logs:
            log.close()
        self.clean_up()

    def clean_up(self) -> None:
        """After all have ended."""
        shutil.rmtree(self.folder, ignore_errors=True)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
        return port
