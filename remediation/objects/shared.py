"""A file on an SMB server -> an access list that leaves it to its owner, the system and administrators; and back."""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from core.access import OWNER
from core.errors import SourceError
from core.settings import SourceSettings
from extraction.opening.object_store import ObjectError, split_address
from extraction.opening.windows_lists import owner_only, parsed
from remediation.action import Action, LeftAloneError, UnreachableError
from remediation.actions.doing import Here
from remediation.actions.swap import CHANGED

if TYPE_CHECKING:
    from extraction.opening.stores.smb import Share

_WHOLE = 1 << 50


class RestrictShared:
    """One request sets the list, so after a crash it is the old one or the new one."""

    can_undo = True

    def would(self, action: Action, here: Here) -> list[str]:
        return ["replace its access list by one that names its owner, the system and administrators alone"]

    def begin(self, action: Action, here: Here) -> dict[str, Any]:
        with _judged(action, here) as (share, key):
            return {"list": share.list_of(key).hex()}

    def carry_out(self, action: Action, here: Here) -> str:
        with _judged(action, here) as (share, key):
            share.set_list(key, owner_only(_list_before(action)))
        return ""

    def take_back(self, action: Action, here: Here) -> str:
        """A list that somebody opened again meanwhile is theirs."""
        with _reached(action, here) as (share, key):
            before = _list_before(action)
            now = share.list_of(key)
            if now != before and parsed(now).circle != OWNER:
                raise LeftAloneError("its access list was changed since")
            share.set_list(key, before)
        return ""


def _list_before(action: Action) -> bytes:
    return bytes.fromhex(str(action.facts["list"]))


@contextmanager
def _judged(action: Action, here: Here) -> Iterator[tuple["Share", str]]:
    with _reached(action, here) as (share, key):
        digest = hashlib.sha256()
        for chunk in share.fetch(key, _WHOLE).chunks:
            digest.update(chunk)
        if digest.hexdigest() != action.target.sha256:
            raise LeftAloneError(CHANGED)
        yield share, key


@contextmanager
def _reached(action: Action, here: Here) -> Iterator[tuple["Share", str]]:
    try:
        place, key = split_address(action.target.uri)
        yield _share(os.getpid(), place, here.sources), key
    except ImportError:
        raise UnreachableError("the library for SMB is not installed") from None
    except ObjectError as error:
        if str(error) == "vanished":
            raise LeftAloneError("it is no longer there") from None
        raise UnreachableError(f"the server: {error}") from None
    except SourceError as error:
        raise UnreachableError(f"the server cannot be used: {error}") from None


@lru_cache(maxsize=4)
def _share(process: int, place: str, settings: SourceSettings) -> "Share":
    """One per process: a forked one must not share connections with its parent."""
    from extraction.opening.stores.smb import open_store

    return open_store(place, settings)
