"""A local file -> into the vault, with a note or a redacted copy in its place; and back from there."""

import hashlib
import os
import time
from collections.abc import Iterator
from typing import Any

from core.errors import RemediationError
from remediation.action import Action, Kind, LeftAloneError
from remediation.actions.doing import Here
from remediation.files.holding import Holding, holding_at
from remediation.files.metadata import metadata_of
from remediation.files.place import Place, Unchanged, chunks_of, content_hash, place_of, words
from remediation.tombstone import tombstone

CHANGED = "its content is no longer what was judged"
WHILE = "it changed, or somebody opened it for writing, while it was moved"


def copy_id(id: str) -> str:
    """What the redacted copy of a proposal is called in the vault."""
    return f"{id}-copy"


class SwapFile:
    """For quarantine and replacement. The one step that counts is the exchange of two names:

    before it the file is in its old place; after it, held in a private folder or in the vault. What is in the vault as
    `.part` while the file is still in its old place is a draft and counts for nothing.
    """

    can_undo = True

    def would(self, action: Action, here: Here) -> list[str]:
        new = "a redacted copy" if action.kind is Kind.REPLACE else "a note that says whom to ask"
        return [
            f"seal its content ({action.target.size:,} bytes) and metadata in {here.vault.folder}",
            f"put {new} in its place, with the same owner and mode",
        ]

    def begin(self, action: Action, here: Here) -> dict[str, Any]:
        with place_of(os.fsencode(action.target.path)) as place:
            descriptor = place.open()
            try:
                if content_hash(descriptor) != action.target.sha256:
                    raise LeftAloneError(CHANGED)
                facts: dict[str, Any] = {"links": os.fstat(descriptor).st_nlink}  # attributes only go to the vault
            finally:
                os.close(descriptor)
        if action.kind is Kind.REPLACE:
            return {**facts, "replacement_sha256": action.options["copy_sha256"]}
        text = tombstone(here.settings, action.id, here.today())
        return {**facts, "text": text, "replacement_sha256": hashlib.sha256(text.encode()).hexdigest()}

    def carry_out(self, action: Action, here: Here) -> str:
        original, ours = action.target.sha256, str(action.facts["replacement_sha256"])
        with place_of(os.fsencode(action.target.path)) as place, holding_at(place, action.id) as holding:
            if foreign := holding.foreign({original, ours}):
                holding.give_back(foreign, {ours})
                self._go_back(action, here, holding)
                raise LeftAloneError(WHILE)
            if holding.held(original):
                if here.vault.content_hash(action.id) != original:
                    self._go_back(action, here, holding)
                    raise LeftAloneError("its copy in the vault is damaged")
            elif place.hash() == original:
                here.vault.discard(action.id)
                holding.drop({ours})
                self._swap(action, here, place, holding)
            elif here.vault.content_hash(action.id) != original:
                holding.drop({ours})
                here.vault.discard(action.id)
                raise LeftAloneError(CHANGED)
            return self._settle(action, here, place, holding)

    def _swap(self, action: Action, here: Here, place: Place, holding: Holding) -> None:
        original, ours = action.target.sha256, str(action.facts["replacement_sha256"])
        descriptor = place.open()
        try:
            watch = Unchanged(descriptor)
            try:
                metadata = {**metadata_of(descriptor), "uri": action.target.uri, "sha256": original}
                if here.vault.seal(action.id, chunks_of(descriptor), metadata) != original:
                    raise LeftAloneError(CHANGED)
                holding.write(self._replacement(action, here), _metadata_of_new(metadata))
                holding.swap_in()
                taken = holding.held_one(watch, original)
                if taken is None:
                    stranger = holding.foreign({ours})
                    if stranger:
                        holding.give_back(stranger, {ours})
                    raise LeftAloneError(WHILE)
            finally:
                watch.end()
        except OSError as error:
            self._go_back(action, here, holding)
            raise LeftAloneError(f"it cannot be moved to the vault ({words(error)})") from None
        except LeftAloneError:
            self._go_back(action, here, holding)
            raise
        finally:
            os.close(descriptor)

    def _replacement(self, action: Action, here: Here) -> Iterator[bytes]:
        if action.kind is Kind.QUARANTINE:
            return iter([str(action.facts["text"]).encode()])
        if here.vault.content_hash(copy_id(action.id)) != action.facts["replacement_sha256"]:
            raise LeftAloneError("the redacted copy is missing or damaged")
        return here.vault.open(copy_id(action.id))[1]

    def _go_back(self, action: Action, here: Here, holding: Holding) -> None:
        original, ours = action.target.sha256, str(action.facts["replacement_sha256"])
        held = holding.held(original)
        if held:
            holding.give_back(held, {ours})
        holding.drop({ours})
        here.vault.discard(action.id)

    def _settle(self, action: Action, here: Here, place: Place, holding: Holding) -> str:
        """The vault has the file; what is left is to tidy up."""
        original, ours = action.target.sha256, str(action.facts["replacement_sha256"])
        notes = []
        if place.is_free() and holding.held(ours):
            holding.place_new()
        elif place.hash() != ours:
            notes.append("what was put in its place is gone or changed by now")
        holding.drop({original, ours})
        here.vault.hold(action.id)
        here.vault.remove(copy_id(action.id))
        if int(action.facts["links"]) > 1:
            notes.append(f"{int(action.facts['links']) - 1} other names (hard links) of the same file remain")
        return "; ".join(notes)

    def take_back(self, action: Action, here: Here) -> str:
        original, ours = action.target.sha256, str(action.facts["replacement_sha256"])
        to = str(action.undo_facts.get("to") or action.target.path)
        with place_of(os.fsencode(to)) as place, holding_at(place, action.id) as holding:
            if foreign := holding.foreign({original, ours}):
                holding.give_back(foreign, {original})
            if place.hash() != original:
                holding.drop({original, ours})
                self._restore(action, here, place, holding)
            holding.drop({original, ours})
            here.vault.release(action.id)
            here.vault.discard(action.id)
        if to != action.target.path:
            return "restored to another place; what was left in its old place stays there"
        return ""

    def _restore(self, action: Action, here: Here, place: Place, holding: Holding) -> None:
        original, ours = action.target.sha256, str(action.facts["replacement_sha256"])
        try:
            if not place.is_free() and place.hash() != ours:
                raise LeftAloneError("another file is in its place; name another one with --to")
            if here.vault.content_hash(action.id) != original:
                raise LeftAloneError("what the vault holds of it is missing or damaged")
            here.vault.release(action.id)
            metadata, chunks = here.vault.open(action.id)
            missed = holding.write(chunks, metadata)
            if missed and "owner" in missed:
                raise LeftAloneError("its owner cannot be given back; run this as root")
            if place.is_free():
                holding.place_new()
                return
            holding.swap_in()
            if holding.held(ours) is None:
                stranger = holding.foreign({original})
                if stranger:
                    holding.give_back(stranger, {original})
                raise LeftAloneError("another file came to its place meanwhile; name another one with --to")
        except OSError as error:
            self._stay(action, here, holding)
            raise LeftAloneError(f"it cannot be put back ({words(error)})") from None
        except (LeftAloneError, RemediationError):
            self._stay(action, here, holding)
            raise

    def _stay(self, action: Action, here: Here, holding: Holding) -> None:
        holding.drop({action.target.sha256, str(action.facts["replacement_sha256"])})
        here.vault.hold(action.id)


def _metadata_of_new(metadata: dict[str, Any]) -> dict[str, Any]:
    """Whoever could read the file can read what is in its place; attributes may tell of its content and stay away."""
    return {**metadata, "mode": metadata["mode"] & 0o666, "mtime_ns": time.time_ns(), "xattrs": {}}
