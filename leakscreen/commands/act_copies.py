"""A file that is to be replaced -> its redacted copy: the one that is given, or one that is made of it now."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import RemediationError, SettingsError
from core.settings import Settings
from extraction.opening.addresses import is_object
from remediation.action import LeftAloneError, Target, UnreachableError
from remediation.actions.swap import CHANGED
from remediation.files.place import chunks_of, content_hash, place_of

if TYPE_CHECKING:
    from deidentification.deidentify import Deidentifier

_CHUNK = 1 << 20


class NoCopyError(RemediationError):
    """A file of which no copy can be made; the message says why, and holds no value of it."""


class Copies:
    """Made of several files they share their people, so that one person has one name in all of them."""

    def __init__(self, given: Path | None, settings: Settings) -> None:
        self._given = given
        self._settings = settings
        self._deidentifier: Deidentifier | None = None

    def close(self) -> None:
        if self._deidentifier is not None:
            self._deidentifier.close()

    def of(self, target: Target) -> Iterator[bytes]:
        return self._read(self._given) if self._given is not None else iter([self._made(target)])

    @staticmethod
    def _read(given: Path) -> Iterator[bytes]:
        try:
            with given.open("rb") as file:
                yield from iter(lambda: file.read(_CHUNK), b"")
        except OSError as error:
            raise SettingsError(f"--with: {given} cannot be read: {(error.strerror or '').lower()}") from None

    def _made(self, target: Target) -> bytes:
        from deidentification.deidentify import WRITTEN, Deidentifier

        if is_object(target.uri):
            raise NoCopyError("copies are made of local files alone; give --with")
        if self._deidentifier is None:
            self._deidentifier = Deidentifier(self._settings)
        outcome, copy = self._deidentifier.copy(_content(target), os.path.basename(target.path))
        if outcome.status != WRITTEN:
            raise NoCopyError(f"{outcome.status}: {outcome.reason}")
        return copy


def _content(target: Target) -> bytes:
    """What was judged, read without following links."""
    try:
        with place_of(os.fsencode(target.path)) as place:
            descriptor = place.open()
            try:
                if content_hash(descriptor) != target.sha256:
                    raise NoCopyError(CHANGED)
                return b"".join(chunks_of(descriptor))
            finally:
                os.close(descriptor)
    except (LeftAloneError, UnreachableError) as error:
        raise NoCopyError(str(error)) from None
