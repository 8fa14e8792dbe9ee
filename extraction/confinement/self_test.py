"""A confined process -> which of the deeds of a parser that was taken over this machine really refuses."""

import json
import os
import resource
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.settings import LimitSettings
from extraction.confinement.confine import MOST_DESCRIPTORS, confine

SECONDS = 60.0
_MORE_THAN_ANY_LIMIT = 4


@dataclass(frozen=True, slots=True)
class Deed:
    """What must not be possible; `by` names the protection that is there to refuse it."""

    name: str
    by: str
    attempt: Callable[["Scene"], object]


@dataclass(frozen=True, slots=True)
class Scene:
    """What the confined process has within sight."""

    folder: str
    open_file: int
    other_process: int
    memory_bytes: int


@dataclass(frozen=True, slots=True)
class Outcome:
    deed: str
    by: str
    refused: bool


DEEDS = (
    Deed("read a file that was not handed over", "Landlock", lambda scene: Path(scene.folder, "secret").read_bytes()),
    Deed("list a folder", "Landlock", lambda scene: os.listdir(scene.folder)),
    Deed("create a file", "Landlock", lambda scene: Path(scene.folder, "new").write_bytes(b"x")),
    Deed("delete a file", "Landlock, seccomp", lambda scene: Path(scene.folder, "secret").unlink()),
    Deed("reach the network", "seccomp", lambda _: socket.socket(socket.AF_INET, socket.SOCK_STREAM)),
    Deed("start a process", "seccomp", lambda _: os.fork() or os._exit(0)),
    Deed("run a program", "seccomp", lambda _: os.execv(sys.executable, [sys.executable, "-c", ""])),  # noqa: S606
    Deed("kill another process", "seccomp", lambda scene: os.kill(scene.other_process, signal.SIGKILL)),
    Deed("write to an open file", "limits", lambda scene: os.write(scene.open_file, b"x")),
    Deed(
        "take more memory than the limit", "limits", lambda scene: bytearray(_MORE_THAN_ANY_LIMIT * scene.memory_bytes)
    ),
    Deed(
        "open files without end", "limits", lambda scene: [os.dup(scene.open_file) for _ in range(2 * MOST_DESCRIPTORS)]
    ),
    Deed("raise its own limits", "limits", lambda _: resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))),
)


def try_deeds(
    limits: LimitSettings, program: Sequence[str] = ("-m", "extraction.confinement.self_test")
) -> list[Outcome]:
    """Runs the deeds in a process of their own; one that did not even report counts as not refused."""
    with tempfile.TemporaryDirectory(prefix="leakscreen-doctor-") as folder:
        Path(folder, "secret").write_bytes(b"nothing")
        reading, writing = os.pipe()
        with Path(folder, "open").open("wb") as open_file, subprocess.Popen(["/bin/sleep", str(SECONDS)]) as victim:
            try:
                scene = Scene(folder, open_file.fileno(), victim.pid, limits.memory_bytes)
                arguments = [
                    str(writing),
                    json.dumps([scene.folder, scene.open_file, scene.other_process, scene.memory_bytes]),
                ]
                environment = {"PYTHONPATH": os.pathsep.join(os.path.abspath(path) for path in sys.path)}
                command = [sys.executable, "-P", "-B", *program, *arguments]
                subprocess.run(
                    command,
                    pass_fds=[writing, open_file.fileno()],
                    env=environment,
                    timeout=SECONDS,
                    check=False,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
            finally:
                victim.kill()
                os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        refused = {int(line) for line in pipe.read().split()}
    return [Outcome(deed.name, deed.by, number in refused) for number, deed in enumerate(DEEDS)]


def main(report: int, scene: Scene) -> None:
    """Says the number of each deed that was refused; a deed that succeeds in ending this process is thereby found out."""
    confine(LimitSettings(memory_bytes=scene.memory_bytes), [report, scene.open_file])
    for number, deed in enumerate(DEEDS):
        try:
            deed.attempt(scene)
        except (OSError, MemoryError, ValueError):
            os.write(report, f"{number}\n".encode())


if __name__ == "__main__":
    main(int(sys.argv[1]), Scene(*json.loads(sys.argv[2])))
