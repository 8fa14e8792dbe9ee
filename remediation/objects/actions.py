"""Objects in stores -> quarantined, replaced, deleted, moved or labelled; older versions in a store are never touched.

A store changes an object in one step and under a condition, so that step is what counts: before it the object is in its
old place, after it in the vault.
"""

import hashlib
from collections.abc import Iterator
from typing import Any

from core.errors import RemediationError
from extraction.opening.object_store import ObjectError
from remediation.action import Action, Kind, LeftAloneError, UnreachableError
from remediation.actions.beside import IgnoreFile, TellOwner
from remediation.actions.doing import Doing, Here
from remediation.actions.marks import label_of
from remediation.actions.swap import CHANGED, copy_id
from remediation.objects.shared import RestrictShared
from remediation.objects.store import Described, StoredPlace, VersionChangedError, stored_place
from remediation.tombstone import tombstone

_NOTE = "text/plain; charset=utf-8"
_OLD_VERSIONS = "the store keeps the older version: whoever may read versions can still read it"


class SwapObject:
    can_undo = True

    def would(self, action: Action, here: Here) -> list[str]:
        new = "a redacted copy" if action.kind is Kind.REPLACE else "a note that says whom to ask"
        return [
            f"seal its content ({action.target.size:,} bytes), metadata and tags in {here.vault.folder}",
            f"put {new} in its place, if it is still the same version; older versions in the store stay",
        ]

    def begin(self, action: Action, here: Here) -> dict[str, Any]:
        _judged(action)
        if action.kind is Kind.REPLACE:
            return {"replacement_sha256": action.options["copy_sha256"]}
        text = tombstone(here.settings, action.id, here.today())
        return {"text": text, "replacement_sha256": hashlib.sha256(text.encode()).hexdigest()}

    def carry_out(self, action: Action, here: Here) -> str:
        original, ours = action.target.sha256, str(action.facts["replacement_sha256"])
        place = stored_place(action.target.uri)
        now = place.now()
        notes = [_OLD_VERSIONS] if _keeps_versions(place) else []
        if now is not None and now[1] == original:
            here.vault.discard(action.id)
            self._swap(action, here, place)
        elif here.vault.content_hash(action.id) != original:
            here.vault.discard(action.id)
            raise LeftAloneError(CHANGED)
        elif now is None or now[1] != ours:
            notes.append("what was put in its place is gone or changed by now")
        here.vault.hold(action.id)
        here.vault.remove(copy_id(action.id))
        return "; ".join(notes)

    def _swap(self, action: Action, here: Here, place: StoredPlace) -> None:
        described = place.describe()
        opened = place.open()
        if opened is None:
            raise LeftAloneError("it is no longer there")
        version, chunks = opened
        metadata = {**described.as_json(), "uri": action.target.uri, "sha256": action.target.sha256}
        try:
            if here.vault.seal(action.id, chunks, metadata) != action.target.sha256:
                raise LeftAloneError(CHANGED)
            content, new = self._replacement(action, here, described)
            place.put(content, new, version)
        except ObjectError as error:
            here.vault.discard(action.id)
            raise LeftAloneError(f"the store: {error}") from None
        except UnreachableError:
            raise  # the store may have taken it
        except LeftAloneError:
            here.vault.discard(action.id)
            raise

    def _replacement(self, action: Action, here: Here, described: Described) -> tuple[Iterator[bytes], Described]:
        if action.kind is Kind.QUARANTINE:
            return iter([str(action.facts["text"]).encode()]), Described(_NOTE)
        if here.vault.content_hash(copy_id(action.id)) != action.facts["replacement_sha256"]:
            raise LeftAloneError("the redacted copy is missing or damaged")
        return here.vault.open(copy_id(action.id))[1], Described(described.content_type)

    def take_back(self, action: Action, here: Here) -> str:
        original, ours = action.target.sha256, str(action.facts["replacement_sha256"])
        if action.undo_facts.get("to"):
            raise LeftAloneError("an object goes back to its own address only")
        place = stored_place(action.target.uri)
        now = place.now()
        if now is None or now[1] != original:
            if now is not None and now[1] != ours:
                raise LeftAloneError("another object is in its place")
            if here.vault.content_hash(action.id) != original:
                raise LeftAloneError("what the vault holds of it is missing or damaged")
            here.vault.release(action.id)
            metadata, chunks = here.vault.open(action.id)
            described = Described(metadata["content_type"], metadata["metadata"], metadata["tags"])
            try:
                place.put(chunks, described, now[0] if now else "")
            except UnreachableError:
                raise
            except (LeftAloneError, RemediationError):
                here.vault.hold(action.id)
                raise
        here.vault.remove(action.id)
        return ""


class DeleteObject:
    can_undo = False

    def would(self, action: Action, here: Here) -> list[str]:
        return [f"delete it ({action.target.size:,} bytes), if it is still the same version; older versions stay"]

    def begin(self, action: Action, here: Here) -> dict[str, Any]:
        _judged(action)
        return {}

    def carry_out(self, action: Action, here: Here) -> str:
        place = stored_place(action.target.uri)
        now = place.now()
        if now is not None:
            if now[1] != action.target.sha256:
                raise LeftAloneError(CHANGED)
            place.delete(now[0])
        return _OLD_VERSIONS if _keeps_versions(place) else ""

    def take_back(self, action: Action, here: Here) -> str:
        raise LeftAloneError("what was deleted cannot be brought back")


class MoveObject:
    """A store has no step that moves: the object is in both places until its old one is deleted."""

    can_undo = True

    def would(self, action: Action, here: Here) -> list[str]:
        return [f"copy it to {action.options['to']} with its metadata and tags", "then delete it in its old place"]

    def begin(self, action: Action, here: Here) -> dict[str, Any]:
        _judged(action)
        if stored_place(action.options["to"]).now() is not None:
            raise LeftAloneError("there is an object of that name where it should go")
        return {}

    def carry_out(self, action: Action, here: Here) -> str:
        _move(action, action.target.uri, action.options["to"])
        return _OLD_VERSIONS if _keeps_versions(stored_place(action.target.uri)) else ""

    def take_back(self, action: Action, here: Here) -> str:
        _move(action, action.options["to"], action.target.uri)
        return ""


def _move(action: Action, old: str, new: str) -> None:
    sha256, source, to = action.target.sha256, stored_place(old), stored_place(new)
    there, now = to.now(), source.now()
    if there is not None and there[1] != sha256:
        raise LeftAloneError("there is an object of that name where it should go")
    if now is None or now[1] != sha256:
        if there is None:
            raise LeftAloneError(CHANGED)
        return
    if there is None:
        opened = source.open()
        if opened is None:
            raise LeftAloneError("it is no longer there")
        to.put(opened[1], source.describe(), "")
        copied = to.now()
        if copied is None or copied[1] != sha256:
            raise UnreachableError("the store did not keep the copy as it was sent")
    source.delete(now[0])


class LabelObject:
    can_undo = True

    def would(self, action: Action, here: Here) -> list[str]:
        return [f"tag it: leakscreen = {label_of(action)!r}"]

    def begin(self, action: Action, here: Here) -> dict[str, Any]:
        place, _ = _judged(action)
        return {"before": _label_at(place)}

    def carry_out(self, action: Action, here: Here) -> str:
        place, version = _judged(action)
        place.set_label(label_of(action), version)
        return ""

    def take_back(self, action: Action, here: Here) -> str:
        place, version = _judged(action)
        now, before = _label_at(place), action.facts["before"]
        if now == before:
            return ""
        if now != label_of(action):
            raise LeftAloneError("somebody changed the label since")
        place.set_label(before, version)
        return ""


class RestrictObject:
    """Who may read an object is mostly decided by its bucket, which is not ours to change."""

    can_undo = False

    def would(self, action: Action, here: Here) -> list[str]:
        return []

    def begin(self, action: Action, here: Here) -> dict[str, Any]:
        raise LeftAloneError("access to objects is set by their bucket; use quarantine, or change it there")

    def carry_out(self, action: Action, here: Here) -> str:
        raise LeftAloneError("access to objects is set by their bucket")

    def take_back(self, action: Action, here: Here) -> str:
        raise LeftAloneError("access to objects is set by their bucket")


_OBJECTS: dict[Kind, Doing] = {
    Kind.QUARANTINE: SwapObject(),
    Kind.REPLACE: SwapObject(),
    Kind.DELETE: DeleteObject(),
    Kind.MOVE: MoveObject(),
    Kind.RESTRICT: RestrictObject(),
    Kind.LABEL: LabelObject(),
    Kind.TELL: TellOwner(),
    Kind.IGNORE: IgnoreFile(),
}


def doing_of_object(action: Action) -> Doing:
    if action.kind is Kind.RESTRICT and action.target.uri.startswith("smb://"):
        return RestrictShared()
    return _OBJECTS[action.kind]


def _judged(action: Action) -> tuple[StoredPlace, str]:
    """The place, and the version whose content is the one that was judged."""
    place = stored_place(action.target.uri)
    now = place.now()
    if now is None:
        raise LeftAloneError("it is no longer there")
    if now[1] != action.target.sha256:
        raise LeftAloneError(CHANGED)
    return place, now[0]


def _label_at(place: StoredPlace) -> str | None:
    described = place.describe()
    return described.tags.get("leakscreen") or described.metadata.get("leakscreen")


def _keeps_versions(place: StoredPlace) -> bool:
    """False where it cannot be known."""
    try:
        return place.store.keeps_versions(place.key)
    except (ObjectError, VersionChangedError):
        return False
