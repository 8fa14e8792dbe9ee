"""A confined process that tries everything: deeds of a hijacked parser, all other system calls and fcntl commands."""

import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.attack.case import Tried
from extraction.confinement.system_calls import ALLOWED, DESCRIPTOR_COMMANDS, NUMBERS
from tests.extraction.test_confine import ESCAPES, REFUSALS, outcomes_of

_MOST_CALLS = 470
_SPECIAL = (
    "open",
    "openat",
    "tgkill",
    "prlimit64",
    "fcntl",
    "clone3",
)  # allowed with some arguments, or answered ENOSYS
_NOT_FILTERED = (335, 336)  # uretprobe and uprobe: the kernel lets nobody filter them, and ends whoever calls them
_COMMANDS = (*range(45), *range(1024, 1045))
_PROGRAM = """
import ctypes, errno, json, os, socket, sys
from core.settings import LimitSettings
from extraction.confinement.confine import confine
report, numbers, commands, fcntl = int(sys.argv[1]), *json.loads(sys.argv[2])
library = ctypes.CDLL(None, use_errno=True)
confine(LimitSettings(memory_bytes=1_000_000_000), [report])
try:
    socket.socket()
    raise SystemExit  # without a filter these calls would be dangerous
except PermissionError:
    pass
def refused(*arguments):
    return library.syscall(*arguments) == -1 and ctypes.get_errno() in (errno.EPERM, errno.ENOSYS, errno.EACCES)
for number in numbers:
    os.write(report, json.dumps([f"system call {number}", refused(number, 0, 0, 0, 0, 0, 0)]).encode() + b"\\n")
for command in commands:
    os.write(report, json.dumps([f"fcntl command {command}", refused(fcntl, report, command, 0)]).encode() + b"\\n")
"""


def escapes() -> Iterator[Tried]:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "secret").write_text("secret")
        outcomes = outcomes_of(list(ESCAPES.values()), Path(folder))
    for name, deed in ESCAPES.items():
        yield Tried(name, outcomes.get(deed) in REFUSALS)
    yield from _sweep()


def _sweep() -> Iterator[Tried]:
    table = NUMBERS[platform.machine()]
    allowed = {table[name] for name in (*ALLOWED, *_SPECIAL) if name in table}
    numbers = [number for number in range(_MOST_CALLS) if number not in {*allowed, *_NOT_FILTERED}]
    commands = [command for command in _COMMANDS if command not in DESCRIPTOR_COMMANDS]
    reading, writing = os.pipe()
    environment = {"PYTHONPATH": os.pathsep.join(os.path.abspath(path) for path in sys.path)}
    arguments = [str(writing), json.dumps([numbers, commands, table["fcntl"]])]
    subprocess.run(
        [sys.executable, "-c", _PROGRAM, *arguments], pass_fds=[writing], env=environment, timeout=60, check=False
    )
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        refused = dict(json.loads(line) for line in pipe)
    for name in (*(f"system call {number}" for number in numbers), *(f"fcntl command {number}" for number in commands)):
        yield Tried(name, refused.get(name, False))
