"""A confined process -> which attempts of a hijacked parser this machine really refuses."""

import fcntl
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
class Attempt:
    """What a hijacked parser might try; `by` names the protection that must refuse it."""

    name: str
    by: str
    run: Callable[["Scene"], object]


@dataclass(frozen=True, slots=True)
class Scene:
    """What the confined process can try to reach."""

    folder: str
    open_file: int
    other_process: int
    memory_bytes: int


@dataclass(frozen=True, slots=True)
class AttemptResult:
    name: str
    by: str
    refused: bool


ATTEMPTS = (
    Attempt(
        "read a file that was not handed over", "Landlock", lambda scene: Path(scene.folder, "secret").read_bytes()
    ),
    Attempt("list a folder", "Landlock", lambda scene: os.listdir(scene.folder)),
    Attempt("create a file", "Landlock", lambda scene: Path(scene.folder, "new").write_bytes(b"x")),
    Attempt("delete a file", "Landlock, seccomp", lambda scene: Path(scene.folder, "secret").unlink()),
    Attempt("reach the network", "seccomp", lambda _: socket.socket(socket.AF_INET, socket.SOCK_STREAM)),
    Attempt("start a process", "seccomp", lambda _: os.fork() or os._exit(0)),
    Attempt("run a program", "seccomp", lambda _: os.execv(sys.executable, [sys.executable, "-c", ""])),  # noqa: S606
    Attempt("kill another process", "seccomp", lambda scene: os.kill(scene.other_process, signal.SIGKILL)),
    Attempt(
        "have the kernel signal another process",
        "seccomp",
        lambda scene: fcntl.fcntl(scene.open_file, fcntl.F_SETOWN, scene.other_process),
    ),
    Attempt("lock an open file", "seccomp", lambda scene: fcntl.lockf(scene.open_file, fcntl.LOCK_EX | fcntl.LOCK_NB)),
    Attempt("write to an open file", "limits", lambda scene: os.write(scene.open_file, b"x")),
    Attempt(
        "take more memory than the limit", "limits", lambda scene: bytearray(_MORE_THAN_ANY_LIMIT * scene.memory_bytes)
    ),
    Attempt(
        "open files without end", "limits", lambda scene: [os.dup(scene.open_file) for _ in range(2 * MOST_DESCRIPTORS)]
    ),
    Attempt("raise its own limits", "limits", lambda _: resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))),
)


def run_self_test(
    limits: LimitSettings, program: Sequence[str] = ("-m", "extraction.confinement.self_test")
) -> list[AttemptResult]:
    """Runs the attempts in a process of their own; an attempt that reports nothing counts as not refused."""
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
    return [AttemptResult(attempt.name, attempt.by, number in refused) for number, attempt in enumerate(ATTEMPTS)]


def main(report: int, scene: Scene) -> None:
    """Reports the number of each refused attempt; an attempt that ends this process leaves the rest unreported."""
    confine(LimitSettings(memory_bytes=scene.memory_bytes), [report, scene.open_file])
    for number, attempt in enumerate(ATTEMPTS):
        try:
            attempt.run(scene)
        except (OSError, MemoryError, ValueError):
            os.write(report, f"{number}\n".encode())


if __name__ == "__main__":
    main(int(sys.argv[1]), Scene(*json.loads(sys.argv[2])))
