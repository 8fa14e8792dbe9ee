"""A local file -> another place, or nowhere: move and delete take the file out of its place first, and look then."""

import errno
import os
from typing import Any

from remediation.action import Action, LeftAloneError, UnreachableError
from remediation.actions.doing import Here
from remediation.actions.swap import CHANGED, WHILE
from remediation.files.holding import Holding, holding_at
from remediation.files.metadata import metadata_of
from remediation.files.place import Place, Unchanged, chunks_of, content_hash, place_of, words
from remediation.files.rename import Name, move_to_free
from remediation.journal import sync_folder


class DeleteFile:
    can_undo = False

    def would(self, action: Action, here: Here) -> list[str]:
        return [f"delete it ({action.target.size:,} bytes); this cannot be undone"]

    def begin(self, action: Action, here: Here) -> dict[str, Any]:
        return look(action.target.path, action.target.sha256)

    def carry_out(self, action: Action, here: Here) -> str:
        sha256 = action.target.sha256
        with place_of(os.fsencode(action.target.path)) as place, holding_at(place, action.id) as holding:
            give_back_foreign(holding, sha256)
            if not holding.held(sha256):
                there = place.hash()
                if there == sha256:
                    take_watched(place, holding, sha256)
                elif not place.is_free():
                    raise LeftAloneError(CHANGED)
            holding.drop({sha256})
        return links_note(action)

    def take_back(self, action: Action, here: Here) -> str:
        raise LeftAloneError("what was deleted cannot be brought back")


class MoveFile:
    can_undo = True

    def would(self, action: Action, here: Here) -> list[str]:
        return [f"move it to {action.options['to']}, with its owner, mode and times"]

    def begin(self, action: Action, here: Here) -> dict[str, Any]:
        to = os.fsencode(action.options["to"])
        if os.path.lexists(to):
            raise LeftAloneError("there is a file of that name where it should go")
        return look(action.target.path, action.target.sha256)

    def carry_out(self, action: Action, here: Here) -> str:
        try:
            os.makedirs(os.path.dirname(os.fsencode(action.options["to"])), mode=0o700, exist_ok=True)
        except OSError as error:
            raise UnreachableError(f"the folder to move it to cannot be made ({words(error)})") from None
        relocate(action, action.target.path, action.options["to"])
        return links_note(action)

    def take_back(self, action: Action, here: Here) -> str:
        relocate(action, action.options["to"], str(action.undo_facts.get("to") or action.target.path))
        return ""


def look(path: str, sha256: str) -> dict[str, Any]:
    with place_of(os.fsencode(path)) as place:
        descriptor = place.open()
        try:
            if content_hash(descriptor) != sha256:
                raise LeftAloneError(CHANGED)
            return {"links": os.fstat(descriptor).st_nlink}
        finally:
            os.close(descriptor)


def links_note(action: Action) -> str:
    others = int(action.facts["links"]) - 1
    return f"{others} other names (hard links) of the same file remain" if others > 0 else ""


def relocate(action: Action, from_path: str, to_path: str) -> None:
    """Ends with the file in its new place, or LeftAloneError and the file in its old one."""
    sha256 = action.target.sha256
    with place_of(os.fsencode(from_path)) as place, holding_at(place, action.id) as holding:
        give_back_foreign(holding, sha256)
        held = holding.held(sha256)
        try:
            with place_of(os.fsencode(to_path)) as to:
                if held is None and place.hash() != sha256:
                    if to.hash() == sha256:
                        return  # all was done but the entry in the journal
                    raise LeftAloneError(CHANGED)
                held = held or take_watched(place, holding, sha256)
                _put(held, to, action)
        except (OSError, LeftAloneError) as error:
            if held is not None:
                holding.give_back(held, set())
            elif isinstance(error, UnreachableError) and place.hash() != sha256:
                raise  # it may be there already
            if isinstance(error, LeftAloneError):
                raise LeftAloneError(str(error)) from None
            raise LeftAloneError(f"it cannot be moved there ({words(error)})") from None
        holding.drop({sha256})


def _put(held: Name, to: Place, action: Action) -> None:
    try:
        move_to_free(held, to.at)
        sync_folder(to.folder)
    except FileExistsError:
        if to.hash() != action.target.sha256:
            raise LeftAloneError("there is a file of that name where it should go") from None
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        _put_copy(held, to, action)


def _put_copy(held: Name, to: Place, action: Action) -> None:
    """To another file system: a copy appears there as a whole, while the file itself is held."""
    descriptor = Place(*held).open()
    try:
        with holding_at(to, f"{action.id}-to") as landing:
            landing.drop({action.target.sha256})
            missed = landing.write(chunks_of(descriptor), metadata_of(descriptor))
            if "owner" in missed:
                landing.drop({action.target.sha256})
                raise PermissionError(errno.EPERM, "its owner cannot be kept")
            try:
                landing.place_new()
            except FileExistsError:
                if to.hash() != action.target.sha256:
                    raise LeftAloneError("there is a file of that name where it should go") from None
            finally:
                landing.drop({action.target.sha256})
    finally:
        os.close(descriptor)


def give_back_foreign(holding: Holding, sha256: str) -> None:
    if foreign := holding.foreign({sha256}):
        holding.give_back(foreign, set())
        raise LeftAloneError(WHILE)


def take_watched(place: Place, holding: Holding, sha256: str) -> Name:
    """Takes the file that has this content, and gives back whatever else it may have taken."""
    descriptor = place.open()
    try:
        watch = Unchanged(descriptor)
        try:
            if content_hash(descriptor) != sha256:
                raise LeftAloneError(CHANGED)
            holding.take()
            held = holding.held_one(watch, sha256)
            if held is None:
                if stranger := holding.foreign(set()):
                    holding.give_back(stranger, set())
                raise LeftAloneError(WHILE)
            return held
        finally:
            watch.end()
    except OSError as error:
        raise LeftAloneError(f"it cannot be taken from its place ({words(error)})") from None
    finally:
        os.close(descriptor)
