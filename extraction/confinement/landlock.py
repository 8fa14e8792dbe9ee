"""Folders -> a process that can read them and reach nothing else of the file system, for good."""

import ctypes
import os
from collections.abc import Iterable

# These system calls have the same number on all architectures.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG = 1
_RULE_PATH_BENEATH = 1
_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
_RIGHTS_BY_ABI = ((1, (1 << 13) - 1), (2, 1 << 13), (3, 1 << 14), (5, 1 << 15))
_NETWORK_SINCE, _NETWORK = 4, 0b11  # bind and connect
_SCOPES_SINCE, _SCOPES = 6, 0b11  # abstract Unix sockets and signals


class _RulesetAttributes(ctypes.Structure):
    _fields_ = (("handled_fs", ctypes.c_uint64), ("handled_net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def landlock_abi(library: ctypes.CDLL) -> int:
    """The version that the kernel supports, 0 for none."""
    return max(0, int(library.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_VERSION_FLAG))))


def restrict_files(library: ctypes.CDLL, abi: int, readable: Iterable[str]) -> None:
    """The caller must have set no_new_privs before."""
    rights = sum(bits for since, bits in _RIGHTS_BY_ABI if abi >= since)
    attributes = _RulesetAttributes(
        rights, _NETWORK if abi >= _NETWORK_SINCE else 0, _SCOPES if abi >= _SCOPES_SINCE else 0
    )
    length = 24 if abi >= _SCOPES_SINCE else 16 if abi >= _NETWORK_SINCE else 8
    ruleset = _checked(
        library.syscall(_CREATE_RULESET, ctypes.byref(attributes), ctypes.c_size_t(length), ctypes.c_uint32(0))
    )
    try:
        for path in readable:
            _allow_reading(library, ruleset, path)
        _checked(library.syscall(_RESTRICT_SELF, ruleset, ctypes.c_uint32(0)))
    finally:
        os.close(ruleset)


def _allow_reading(library: ctypes.CDLL, ruleset: int, path: str) -> None:
    try:
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        rule = _PathBeneath(_READ_FILE | _READ_DIR, parent)
        _checked(library.syscall(_ADD_RULE, ruleset, _RULE_PATH_BENEATH, ctypes.byref(rule), ctypes.c_uint32(0)))
    finally:
        os.close(parent)


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
