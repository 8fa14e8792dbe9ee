"""A local file -> one that only its owner may read, or one with a label; its content and place stay as they are."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from remediation.action import Action, LeftAloneError
from remediation.actions.doing import Here
from remediation.actions.swap import CHANGED
from remediation.files.place import content_hash, place_of, words

LABEL = "user.leakscreen"
_OWNER = 0o7700
_OTHER_LISTS = {"system.nfs4_acl": "an NFSv4 access list", "system.cifs_acl": "an SMB access list"}


class RestrictFile:
    """One call: where there is a POSIX list, the bits of the group are its mask, so that it lets nobody in either."""

    can_undo = True

    def would(self, action: Action, here: Here) -> list[str]:
        return ["take every permission from group, others and everybody on its POSIX list; the owner keeps theirs"]

    def begin(self, action: Action, here: Here) -> dict[str, Any]:
        with _judged(action) as descriptor:
            for name, what in _OTHER_LISTS.items():
                if _has(descriptor, name):
                    raise LeftAloneError(f"it has {what}, which mode bits do not bind; restrict it on its server")
            return {"mode": stat.S_IMODE(os.fstat(descriptor).st_mode)}

    def carry_out(self, action: Action, here: Here) -> str:
        with _judged(action) as descriptor:
            os.fchmod(descriptor, int(action.facts["mode"]) & _OWNER)
        return ""

    def take_back(self, action: Action, here: Here) -> str:
        before = int(action.facts["mode"])
        with _judged(action) as descriptor:
            now = stat.S_IMODE(os.fstat(descriptor).st_mode)
            if now not in (before, before & _OWNER):
                raise LeftAloneError("somebody changed its mode since")
            os.fchmod(descriptor, before)
        return ""


class LabelFile:
    can_undo = True

    def would(self, action: Action, here: Here) -> list[str]:
        return [f"set its extended attribute {LABEL} to {label_of(action)!r}"]

    def begin(self, action: Action, here: Here) -> dict[str, Any]:
        with _judged(action) as descriptor:
            before = os.getxattr(descriptor, LABEL) if _has(descriptor, LABEL) else None
        return {"before": before.decode("utf-8", "replace")[:200] if before is not None else None}

    def carry_out(self, action: Action, here: Here) -> str:
        with _judged(action) as descriptor:
            os.setxattr(descriptor, LABEL, label_of(action).encode())
        return ""

    def take_back(self, action: Action, here: Here) -> str:
        before = action.facts["before"]
        with _judged(action) as descriptor:
            now = os.getxattr(descriptor, LABEL).decode("utf-8", "replace") if _has(descriptor, LABEL) else None
            if now == before:
                return ""
            if now != label_of(action):
                raise LeftAloneError("somebody changed the label since")
            if before is None:
                os.removexattr(descriptor, LABEL)
            else:
                os.setxattr(descriptor, LABEL, str(before).encode())
        return ""


def label_of(action: Action) -> str:
    """The words that were chosen, and the reference."""
    return f"{action.options.get('label') or 'restricted'} {action.id}"


def _has(descriptor: int, name: str) -> bool:
    try:
        os.getxattr(descriptor, name)
    except OSError:
        return False
    return True


@contextmanager
def _judged(action: Action) -> Iterator[int]:
    """A descriptor of the file, whose content is the one that was judged."""
    with place_of(os.fsencode(action.target.path)) as place:
        descriptor = place.open()
        try:
            if content_hash(descriptor) != action.target.sha256:
                raise LeftAloneError(CHANGED)
            yield descriptor
        except OSError as error:
            raise LeftAloneError(f"the system refuses it ({words(error)})") from None
        finally:
            os.close(descriptor)
