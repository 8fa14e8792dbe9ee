"""A fresh child process -> one that can read an open file, answer on an open socket, and do nothing else."""

import ctypes
import os
import resource
import signal
import sysconfig
from collections.abc import Iterable, Sequence
from pathlib import Path

import core
import extraction
from core.settings import LimitSettings
from extraction.confinement.landlock import restrict_files
from extraction.confinement.protection import Protection, probe
from extraction.confinement.seccomp import restrict_calls

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS = 1, 4, 38
_CAPABILITY_VERSION_3 = 0x20080522
MOST_DESCRIPTORS = 64  # enough for late imports; a parser needs only its file and its socket


def cpu_seconds(limits: LimitSettings) -> int:
    """For the whole life of a child; its parent replaces an honest one long before."""
    return int(limits.file_seconds) * 2 + 60


def readable_folders(further: Iterable[str] = ()) -> list[str]:
    """The standard library and installed packages, for late imports; of this project only core and extraction."""
    scheme = sysconfig.get_paths()
    folders = {scheme[key] for key in ("stdlib", "platstdlib", "purelib", "platlib")}
    folders |= {str(Path(path).parent) for path in (core.__file__, extraction.__file__) if path}
    return sorted({*folders, *further})


def confine(limits: LimitSettings, keep: Sequence[int], readable: Iterable[str] = ()) -> Protection:
    """Cannot be undone. Raises OSError where the kernel offers a protection and then refuses it."""
    library = ctypes.CDLL(None, use_errno=True)
    protection = probe()
    _bind_to_parent(library)
    _keep_descriptors(keep)
    _limit_resources(limits)
    # Landlock and seccomp need no_new_privs; seccomp comes last, since it forbids the calls above.
    _drop_privileges(library)
    if protection.landlock_abi:
        restrict_files(library, protection.landlock_abi, readable_folders(readable))
    if protection.seccomp:
        restrict_calls(library, may_open=protection.landlock_abi > 0)
    return protection


def _bind_to_parent(library: ctypes.CDLL) -> None:
    # Dies with its parent, and nobody can attach to it or read its memory.
    library.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    library.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def _keep_descriptors(keep: Sequence[int]) -> None:
    """Closes everything else; output to the standard streams is discarded."""
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    start = 3
    for descriptor in sorted(keep):
        os.closerange(start, descriptor)
        start = descriptor + 1
    os.closerange(start, os.sysconf("SC_OPEN_MAX"))


def _limit_resources(limits: LimitSettings) -> None:
    bounds = {
        resource.RLIMIT_AS: limits.memory_bytes,
        resource.RLIMIT_CPU: cpu_seconds(limits),
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_NOFILE: MOST_DESCRIPTORS,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_NPROC: 0,
        resource.RLIMIT_MEMLOCK: 0,
        resource.RLIMIT_MSGQUEUE: 0,
    }
    for kind, wanted in bounds.items():
        hard = resource.getrlimit(kind)[1]
        bound = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(kind, (bound, bound))


def _drop_privileges(library: ctypes.CDLL) -> None:
    """Even a scan that runs as root parses without root's privileges."""
    if library.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "no_new_privs")
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    if library.capset(header, (ctypes.c_uint32 * 6)()) != 0:
        raise OSError(ctypes.get_errno(), "capset")
