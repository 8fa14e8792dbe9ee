"""Google Cloud Storage, written to by its own library under `if_generation_match`."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from google.api_core.exceptions import NotFound, PreconditionFailed

from extraction.opening.object_store import ObjectError
from extraction.opening.stores.gcs import FAULTS, Gcs, reason_of
from remediation.objects.store import Described, VersionChangedError

LABEL = "leakscreen"
_SECONDS = (10, 300)


def open_store(bucket: str) -> "WritableGcs":
    with _faults():
        return WritableGcs(bucket)


class WritableGcs(Gcs):
    def describe(self, key: str) -> Described:
        """This store has no tags; the label is among the metadata."""
        with _faults():
            blob = self._bucket.blob(key)
            blob.reload(timeout=_SECONDS)
            return Described(blob.content_type or "", dict(blob.metadata or {}))

    def put(self, key: str, content: BinaryIO, described: Described, version: str) -> None:
        blob = self._bucket.blob(key)
        blob.metadata = described.metadata or None
        with _faults():
            blob.upload_from_file(
                content,
                content_type=described.content_type or None,
                if_generation_match=int(version or 0),
                timeout=_SECONDS,
            )

    def delete(self, key: str, version: str) -> None:
        with _faults():
            self._bucket.blob(key).delete(if_generation_match=int(version), timeout=_SECONDS)

    def set_label(self, key: str, label: str | None, version: str) -> None:
        with _faults():
            blob = self._bucket.blob(key)
            blob.reload(timeout=_SECONDS)
            blob.metadata = {**(blob.metadata or {}), LABEL: label}  # a name without a value is removed
            blob.patch(if_generation_match=int(version), timeout=_SECONDS)

    def keeps_versions(self, key: str) -> bool:
        with _faults():
            self._bucket.reload(timeout=_SECONDS)
            return bool(self._bucket.versioning_enabled)


@contextmanager
def _faults() -> Iterator[None]:
    try:
        yield
    except (PreconditionFailed, NotFound):
        raise VersionChangedError from None
    except FAULTS as error:
        raise ObjectError(reason_of(error)) from None
