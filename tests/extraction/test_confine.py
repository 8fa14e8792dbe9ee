"""Each escape is tried for real, by a process that has confined itself as every parser does."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.settings import LimitSettings
from extraction.confinement.confine import MOST_DESCRIPTORS, readable_folders
from extraction.confinement.seccomp import filter_program
from extraction.confinement.system_calls import ALLOWED, NUMBERS

PROGRAM = """
import asyncio, ctypes, fcntl, json, os, resource, shutil, signal, socket, struct, subprocess, sys, tempfile, threading
from core.settings import LimitSettings
from extraction.confinement.confine import confine
report, scratch, victim, kept_file = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
attempts = json.loads(sys.argv[5])
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *arguments):
    if libc.syscall(number, *arguments) < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
scanned = os.open(scratch + "/secret", os.O_RDONLY)
confine(LimitSettings(memory_bytes=1_000_000_000), [report, scanned])
for attempt in attempts:
    try:
        exec(attempt)
        outcome = "done"
    except (OSError, MemoryError, RuntimeError, ImportError, ValueError) as error:
        outcome = type(error).__name__
    os.write(report, json.dumps([attempt, outcome]).encode() + b"\\n")
"""
REFUSALS = {"PermissionError", "OSError", "MemoryError", "RuntimeError", "ValueError"}


def outcomes_of(attempts: list[str], scratch: Path) -> dict[str, str]:
    """What came of each attempt; one after which the process was gone is missing."""
    read, write = os.pipe()
    with (scratch / "kept").open("wb") as kept:
        victim = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        try:
            arguments = [str(write), str(scratch), str(victim.pid), str(kept.fileno()), json.dumps(attempts)]
            environment = {"PYTHONPATH": os.pathsep.join(os.path.abspath(path) for path in sys.path)}
            command = [sys.executable, "-c", PROGRAM, *arguments]
            subprocess.run(
                command,
                pass_fds=[write, kept.fileno()],
                env=environment,
                timeout=60,
                check=False,
                stderr=subprocess.DEVNULL,
            )
            assert victim.poll() is None
        finally:
            victim.kill()
            victim.wait()
            os.close(write)
    with os.fdopen(read, "rb") as pipe:
        return dict(json.loads(line) for line in pipe)


ESCAPES = {
    "read a system file": "open('/etc/passwd').read()",
    "read a file of the scan": "open(scratch + '/secret').read()",
    "list a folder": "os.listdir('/')",
    "read the memory of itself by name": "open('/proc/self/mem', 'rb').read(1)",
    "read the environment of others": "open(f'/proc/{victim}/environ', 'rb').read()",
    "create a file": "open(scratch + '/new', 'w').write('x')",
    "write to an open file": "os.write(kept_file, b'x')",
    "write to the standard library": "open(os.__file__, 'a')",
    "delete a file": "os.unlink(scratch + '/secret')",
    "rename a file": "os.rename(scratch + '/secret', scratch + '/moved')",
    "make a folder": "os.mkdir(scratch + '/folder')",
    "link a file": "os.link(scratch + '/secret', scratch + '/linked')",
    "make a symbolic link": "os.symlink('/etc', scratch + '/etc')",
    "change a mode": "os.chmod(scratch + '/secret', 0o777)",
    "change an owner": "os.chown(scratch + '/secret', 1, 1)",
    "truncate a file": "os.truncate(scratch + '/secret', 0)",
    "make a temporary file": "tempfile.TemporaryFile(dir=scratch)",
    "make a memory file": "os.memfd_create('x')",
    "make a pipe on disk": "os.mkfifo(scratch + '/fifo')",
    "make a TCP socket": "socket.socket(socket.AF_INET, socket.SOCK_STREAM)",
    "make a UDP socket": "socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)",
    "make a Unix socket": "socket.socket(socket.AF_UNIX)",
    "make a netlink socket": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)",
    "make a socket pair": "socket.socketpair()",
    "fork": "os.fork() or os._exit(0)",
    "run a program": "subprocess.run(['/bin/true'])",
    "become a program": "os.execv('/bin/true', ['true'])",
    "start a thread": "threading.Thread(target=print).start()",
    "kill another process": "os.kill(victim, signal.SIGKILL)",
    "kill its group": "os.killpg(0, signal.SIGKILL)",
    "own the signals of a descriptor": "fcntl.fcntl(report, fcntl.F_SETOWN, victim)",
    "choose the signal of a descriptor": "fcntl.fcntl(report, fcntl.F_SETSIG, signal.SIGKILL)",
    "own the signals of a descriptor by structure": "fcntl.fcntl(report, 15, struct.pack('ii', 1, victim))",
    "be signalled when a descriptor is ready": "fcntl.fcntl(report, fcntl.F_SETFL, os.O_ASYNC)",
    "lock an open file": "fcntl.fcntl(scanned, fcntl.F_SETLK, struct.pack('hhqqi', fcntl.F_RDLCK, 0, 0, 0, 0))",
    "lock an open file for everybody": "fcntl.fcntl(scanned, 37, struct.pack('hhqqi', fcntl.F_RDLCK, 0, 0, 0, 0))",
    "lease an open file": "fcntl.fcntl(scanned, fcntl.F_SETLEASE, fcntl.F_RDLCK)",
    "watch a folder": "fcntl.fcntl(scanned, fcntl.F_NOTIFY, 1)",
    "seal a file in memory": "fcntl.fcntl(scanned, 1033, 1)",
    "lock by another call": "fcntl.flock(scanned, fcntl.LOCK_SH)",
    "signal through a handle": "os.pidfd_open(victim)",
    "change the limits of another process": "resource.prlimit(victim, resource.RLIMIT_NOFILE, (1, 1))",
    "raise its own limit": "resource.setrlimit(resource.RLIMIT_NOFILE, (9999, 9999))",
    "trace another process": "call({'x86_64': 101, 'aarch64': 117}[os.uname().machine], 16, victim, 0, 0)",
    "read the memory of another process": (
        "call({'x86_64': 310, 'aarch64': 270}[os.uname().machine], victim, 0, 0, 0, 0, 0)"
    ),
    "use io_uring": "call(425, 1, 0)",
    "use bpf": "call({'x86_64': 321, 'aarch64': 280}[os.uname().machine], 0, 0, 0)",
    "make a user namespace": "call({'x86_64': 272, 'aarch64': 97}[os.uname().machine], 0x10000000)",
    "change root": "os.chroot(scratch)",
    "become another user": "os.setuid(12345)",
    "change folder": "os.chdir('/')",
    "mount": "call({'x86_64': 165, 'aarch64': 40}[os.uname().machine], 0, 0, 0, 0, 0)",
    "take all the memory": "bytearray(2_000_000_000)",
    "open many files": "[os.open(os.__file__, os.O_RDONLY) for _ in range(1000)]",
}
ALLOWED_ATTEMPTS = {
    "ask whether a path exists": "os.stat(scratch + '/secret')",  # late imports need it; `doctor` says so
    "read the standard library": "open(os.__file__).read()",
    "import what was put off": "import wave, mailbox, xmlrpc.client",
    "use memory within the limit": "bytearray(100_000_000)",
    "print into the void": "print('x', flush=True)",
    "copy a descriptor": "os.close(os.dup(report)); os.close(fcntl.fcntl(report, fcntl.F_DUPFD_CLOEXEC, 3))",
    "ask about a descriptor": "fcntl.fcntl(report, fcntl.F_GETFL); fcntl.fcntl(report, fcntl.F_SETFD, 1)",
    "tell the time": "import time; time.sleep(0.001)",
}


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scratch")
    (folder / "secret").write_text("secret")
    return folder


@pytest.fixture(scope="module")
def outcomes(scratch: Path) -> dict[str, str]:
    return outcomes_of([*ALLOWED_ATTEMPTS.values(), *ESCAPES.values()], scratch)


@pytest.mark.parametrize("attempt", ESCAPES.values(), ids=ESCAPES)
def test_an_escape_is_refused(attempt: str, outcomes: dict[str, str]) -> None:
    assert outcomes[attempt] in REFUSALS


def test_nothing_on_disk_has_changed(outcomes: dict[str, str], scratch: Path) -> None:
    assert len(outcomes) == len(ESCAPES) + len(ALLOWED_ATTEMPTS)
    assert {path.name for path in scratch.iterdir()} == {"secret", "kept"}
    assert (scratch / "secret").read_text() == "secret"
    assert (scratch / "kept").read_bytes() == b""


@pytest.mark.parametrize("attempt", ALLOWED_ATTEMPTS.values(), ids=ALLOWED_ATTEMPTS)
def test_what_parsers_need_is_left(attempt: str, outcomes: dict[str, str]) -> None:
    assert outcomes[attempt] == "done"


def test_a_signal_to_itself_still_ends_it(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    assert outcomes_of(["os.abort()"], tmp_path) == {}


def test_the_readable_folders_hold_no_data_of_the_project() -> None:
    root = str(Path(__file__).parents[2])
    assert root not in readable_folders()
    assert "/" not in readable_folders()
    assert LimitSettings().memory_bytes > 0
    assert MOST_DESCRIPTORS < 1000


@pytest.mark.parametrize("machine", sorted(NUMBERS))
@pytest.mark.parametrize("may_open", [True, False])
def test_the_filter_is_sound_on_each_architecture(machine: str, may_open: bool) -> None:
    """Runs the filter as the kernel would, on every number it may be asked about."""
    program = filter_program(machine, own_pid=77, may_open=may_open)
    numbers = NUMBERS[machine]
    assert len(set(numbers.values())) == len(numbers)
    named = {number: name for name, number in numbers.items()}
    for number in range(600):
        verdict = _run(program, machine, number, [5, os.O_RDONLY, os.O_RDONLY])
        assert (verdict == "allow") == (
            named.get(number) in {*ALLOWED, "fcntl"} or (may_open and named.get(number) in ("open", "openat"))
        )
    assert _run(program, machine, numbers["tgkill"], [77, 77, 6]) == "allow"
    assert _run(program, machine, numbers["tgkill"], [78, 78, 6]) == "refuse"
    assert _run(program, machine, numbers["prlimit64"], [0, 7, 0]) == "allow"
    assert _run(program, machine, numbers["prlimit64"], [78, 7, 0]) == "refuse"
    assert _run(program, machine, numbers["openat"], [0, 0, os.O_WRONLY]) == "refuse"
    allowed = {command for command in range(2000) if _run(program, machine, numbers["fcntl"], [5, command]) == "allow"}
    assert allowed == {0, 1, 2, 3, 1030, 1034}
    assert _run(program, "other", numbers["read"], [0, 0, 0]) == "kill"
    assert _run(program, machine, 0x40000000 + numbers["read"], [0, 0, 0]) == "refuse"


def _run(program: list[tuple[int, int, int, int]], machine: str, number: int, arguments: list[int]) -> str:
    words = {0: number, 4: {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}.get(machine, 1)}
    words |= {16 + 8 * place: value for place, value in enumerate(arguments)}
    accumulator = place = 0
    while True:
        code, when_true, when_false, value = program[place]
        place += 1
        if code == 0x20:
            accumulator = words.get(value, 0)
        elif code == 0x15:
            place += when_true if accumulator == value else when_false
        elif code == 0x45:
            place += when_true if accumulator & value else when_false
        else:
            return {0x7FFF: "allow", 0x0005: "refuse", 0x8000: "kill"}[value >> 16]
