"""Azure Blob Storage, by its own library; the environment gives a connection string or an Azure identity."""

import os
from collections.abc import Iterator
from typing import Any

from azure.core import MatchConditions
from azure.core.exceptions import (
    AzureError,
    ClientAuthenticationError,
    HttpResponseError,
    ResourceModifiedError,
    ResourceNotFoundError,
)
from azure.identity import DefaultAzureCredential
from azure.storage.blob import BlobServiceClient

from core.settings import SourceSettings
from extraction.opening.object_store import Fetched, ObjectError, StoredObject

_CONNECTION = "AZURE_STORAGE_CONNECTION_STRING"
_EMPTY_OBJECT = 416  # an empty object has no first byte
_SECONDS: Any = {"connection_timeout": 10, "read_timeout": 60}


def open_store(place: str, settings: SourceSettings) -> "Azure":
    return Azure(container_of(place.partition("://")[2]))


def container_of(name: str) -> Any:
    account, _, container = name.partition("/")
    if _CONNECTION in os.environ:
        service = BlobServiceClient.from_connection_string(os.environ[_CONNECTION], **_SECONDS)
    else:
        service = BlobServiceClient(
            f"https://{account}.blob.core.windows.net", credential=DefaultAzureCredential(), **_SECONDS
        )
    return service.get_container_client(container)


class Azure:
    def __init__(self, container: Any) -> None:
        self._container = container

    def objects(self, prefix: str) -> Iterator[StoredObject]:
        try:
            for blob in self._container.list_blobs(name_starts_with=prefix or None):
                moment = blob.last_modified.timestamp() if blob.last_modified else 0.0
                yield StoredObject(blob.name, blob.size or 0, round(moment * 1e6) * 1000, (blob.etag or "").strip('"'))
        except AzureError as error:
            raise ObjectError(reason_of(error)) from None

    def close(self) -> None:
        self._container.close()

    def fetch(self, key: str, most: int, start: int = 0, version: str = "") -> Fetched:
        """Several requests for a large object, which the library holds to one version by its etag."""
        held = {"etag": version, "match_condition": MatchConditions.IfNotModified} if version else {}
        try:
            download = self._container.download_blob(key, offset=start, length=most, **held)
        except HttpResponseError as error:
            if error.status_code == _EMPTY_OBJECT:
                return Fetched(0, iter(()))
            raise ObjectError(reason_of(error)) from None
        except AzureError as error:
            raise ObjectError(reason_of(error)) from None
        return Fetched(_total_size(download), _chunks(download), download.properties.etag)


def _total_size(download: Any) -> int:
    """The size of the whole object, which follows the range in the header."""
    total = (download.properties.content_range or "").rpartition("/")[2]
    return int(total) if total.isdigit() else int(download.size)


def _chunks(download: Any) -> Iterator[bytes]:
    try:
        yield from download.chunks()
    except (AzureError, OSError) as error:
        raise ObjectError(reason_of(error)) from None


def reason_of(error: Exception) -> str:
    """Codes and class names alone: messages quote addresses and keys."""
    if isinstance(error, ResourceNotFoundError):
        return "vanished"
    if isinstance(error, ResourceModifiedError):
        return "changed while it was fetched"
    if isinstance(error, ClientAuthenticationError) or getattr(error, "status_code", 0) == 403:
        return "permission denied"
    if getattr(error, "error_code", "") == "BlobArchived":
        return "in an archive tier; it must be restored first"
    return f"the store cannot be reached ({type(error).__name__})"
