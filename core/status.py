"""How the examination of a file can end, and how much of a person can be readable in it."""

from enum import StrEnum


class Status(StrEnum):
    """How the examination of one file ended; every file ends in exactly one."""

    COMPLETE = "complete"  # all its text was examined
    PARTIAL = "partial"  # a limit was reached; the text so far was examined
    ENCRYPTED = "encrypted"
    UNSUPPORTED = "unsupported"  # no text in a file of such a type
    FAILED = "failed"  # corrupt, or it crashed or timed out its parser
    UNREADABLE = "unreadable"  # permission, vanished, not a regular file
    CONTAINER = "container"  # nothing but a wrapper whose members have records of their own


EXAMINED = frozenset({Status.COMPLETE, Status.PARTIAL})
NOT_EXAMINED = frozenset({Status.ENCRYPTED, Status.UNSUPPORTED, Status.FAILED, Status.UNREADABLE})


class Risk(StrEnum):
    """How much of a person is readable: all three of name, location and other, two, one, or none."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    NONE = "none"
