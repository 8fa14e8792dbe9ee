"""A list of system calls -> a process whose every other call the kernel answers with EPERM, for good."""

import ctypes
import errno
import os
import platform
import struct
from collections.abc import Sequence

from extraction.confinement.system_calls import ALLOWED, DESCRIPTOR_COMMANDS, NUMBERS, OPENING

AUDIT_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

_PR_SET_SECCOMP, _PR_GET_SECCOMP, _MODE_FILTER = 22, 21, 2
_LOAD, _EQUAL, _SET_BITS, _RETURN = 0x20, 0x15, 0x45, 0x06
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

Instruction = tuple[int, int, int, int]


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def seccomp_is_offered(library: ctypes.CDLL) -> bool:
    """Asks for the seccomp mode of this process; only a kernel with filters answers."""
    return bool(library.prctl(_PR_GET_SECCOMP, 0, 0, 0, 0) in (0, _MODE_FILTER))


def restrict_calls(library: ctypes.CDLL, *, may_open: bool) -> None:
    """`may_open`: opening for reading is left to Landlock; without it nothing can be opened at all."""
    program = b"".join(
        struct.pack("=HBBI", *instruction) for instruction in filter_program(platform.machine(), os.getpid(), may_open)
    )
    loaded = _Program(len(program) // 8, program)
    if library.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(loaded), 0, 0) != 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))


def filter_program(machine: str, own_pid: int, may_open: bool) -> list[Instruction]:
    numbers = NUMBERS[machine]
    program: list[Instruction] = [
        (_LOAD, 0, 0, _ARCHITECTURE),
        (_EQUAL, 1, 0, AUDIT_ARCHITECTURES[machine]),
        (_RETURN, 0, 0, _KILL),
        (_LOAD, 0, 0, _NUMBER),
    ]
    for name in ALLOWED:
        if name in numbers:
            program += [(_EQUAL, 0, 1, numbers[name]), (_RETURN, 0, 0, _ALLOW)]
    if may_open:
        for name, argument in OPENING:
            if name in numbers:
                program += _allow_without_bits(numbers[name], argument, _WRITING)
    # abort() signals the process itself; other processes and their limits stay out of reach.
    program += _allow_with_value(numbers["tgkill"], 0, (own_pid,))
    program += _allow_with_value(numbers["prlimit64"], 0, (0,))
    program += _allow_with_value(numbers["fcntl"], 1, DESCRIPTOR_COMMANDS)
    # glibc falls back to clone, which is refused, only if clone3 reports that it does not exist.
    program += [(_EQUAL, 0, 1, numbers["clone3"]), (_RETURN, 0, 0, _ERRNO | errno.ENOSYS)]
    program.append((_RETURN, 0, 0, _ERRNO | errno.EPERM))
    return program


def _allow_without_bits(number: int, argument: int, bits: int) -> list[Instruction]:
    return [
        (_EQUAL, 0, 4, number),
        (_LOAD, 0, 0, _ARGUMENTS + 8 * argument),
        (_SET_BITS, 1, 0, bits),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _ERRNO | errno.EACCES),
    ]


def _allow_with_value(number: int, argument: int, values: Sequence[int]) -> list[Instruction]:
    return [
        (_EQUAL, 0, 2 * len(values) + 2, number),
        (_LOAD, 0, 0, _ARGUMENTS + 8 * argument),
        *(step for value in values for step in ((_EQUAL, 0, 1, value), (_RETURN, 0, 0, _ALLOW))),
        (_RETURN, 0, 0, _ERRNO | errno.EPERM),
    ]
