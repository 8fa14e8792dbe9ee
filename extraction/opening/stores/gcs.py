"""Google Cloud Storage, by its own library; credentials come from the environment (application default credentials)."""

from collections.abc import Iterator
from typing import Any

from google.api_core.exceptions import Forbidden, GoogleAPICallError, NotFound, PreconditionFailed, Unauthorized
from google.auth.exceptions import GoogleAuthError
from google.cloud import storage  # type: ignore[attr-defined]
from requests.exceptions import RequestException

from core.settings import SourceSettings
from extraction.opening.object_store import Fetched, ObjectError, StoredObject

_CHUNK = 8 << 20
_FIELDS = "items(name,size,updated,etag,owner),nextPageToken"
FAULTS = (GoogleAPICallError, GoogleAuthError, RequestException, OSError)
_SECONDS = (10, 60)  # to connect, and between two pieces of an answer


def open_store(place: str, settings: SourceSettings) -> "Gcs":
    try:
        return Gcs(place.partition("://")[2])
    except FAULTS as error:
        raise ObjectError(reason_of(error)) from None


class Gcs:
    def __init__(self, bucket: str) -> None:
        self._client = storage.Client()
        self._bucket = self._client.bucket(bucket)

    def objects(self, prefix: str) -> Iterator[StoredObject]:
        try:
            for blob in self._client.list_blobs(self._bucket, prefix=prefix, fields=_FIELDS, timeout=_SECONDS):
                yield _stored(blob)
        except FAULTS as error:
            raise ObjectError(reason_of(error)) from None

    def close(self) -> None:
        self._client.close()

    def fetch(self, key: str, most: int, start: int = 0, version: str = "") -> Fetched:
        """Several requests, all held to one generation of the object."""
        blob = self._bucket.blob(key)
        try:
            blob.reload(timeout=_SECONDS, if_generation_match=int(version) if version else None)
        except FAULTS as error:
            raise ObjectError(reason_of(error)) from None
        return Fetched(blob.size, _chunks(blob, start, min(blob.size, start + most)), str(blob.generation))


def _chunks(blob: Any, begin: int, end: int) -> Iterator[bytes]:
    try:
        for start in range(begin, end, _CHUNK):
            last = min(start + _CHUNK, end) - 1
            yield blob.download_as_bytes(
                start=start, end=last, if_generation_match=blob.generation, checksum=None, timeout=_SECONDS
            )
    except FAULTS as error:
        raise ObjectError(reason_of(error)) from None


def _stored(blob: Any) -> StoredObject:
    moment = blob.updated.timestamp() if blob.updated else 0.0
    return StoredObject(
        blob.name, blob.size or 0, round(moment * 1e6) * 1000, blob.etag or "", (blob.owner or {}).get("entity", "")
    )


def reason_of(error: Exception) -> str:
    """Class names alone: messages quote addresses and keys."""
    if isinstance(error, NotFound):
        return "vanished"
    if isinstance(error, PreconditionFailed):
        return "changed while it was fetched"
    if isinstance(error, Forbidden | Unauthorized):
        return "permission denied"
    if isinstance(error, GoogleAuthError):
        return "no credentials"
    return f"the store cannot be reached ({type(error).__name__})"
