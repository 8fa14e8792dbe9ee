"""Azure Blob Storage, written to by its own library under the object's etag."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

from azure.core import MatchConditions
from azure.core.exceptions import AzureError, ResourceExistsError, ResourceModifiedError, ResourceNotFoundError
from azure.storage.blob import ContentSettings

from extraction.opening.object_store import ObjectError
from extraction.opening.stores.azure import Azure, container_of, reason_of
from remediation.objects.store import Described, VersionChangedError

LABEL = "leakscreen"


def open_store(name: str) -> "WritableAzure":
    return WritableAzure(container_of(name))


class WritableAzure(Azure):
    def describe(self, key: str) -> Described:
        with _faults():
            blob = self._container.get_blob_client(key)
            known = blob.get_blob_properties()
            return Described(
                known.content_settings.content_type or "", dict(known.metadata or {}), blob.get_blob_tags()
            )

    def put(self, key: str, content: BinaryIO, described: Described, version: str) -> None:
        held: dict[str, Any] = _held(version) if version else {}
        with _faults():
            self._container.get_blob_client(key).upload_blob(
                content,
                overwrite=bool(version),
                metadata=described.metadata,
                tags=described.tags or None,
                content_settings=ContentSettings(content_type=described.content_type or None),
                **held,
            )

    def delete(self, key: str, version: str) -> None:
        with _faults():
            self._container.get_blob_client(key).delete_blob(**_held(version))

    def set_label(self, key: str, label: str | None, version: str) -> None:
        """Tags know no etag as condition: it is compared just before."""
        with _faults():
            blob = self._container.get_blob_client(key)
            if blob.get_blob_properties().etag != version:
                raise VersionChangedError
            tags = {**blob.get_blob_tags(), LABEL: label}
            blob.set_blob_tags({name: value for name, value in tags.items() if value is not None})

    def keeps_versions(self, key: str) -> bool:
        """A setting of the account, which shows in a version of each blob."""
        with _faults():
            return bool(self._container.get_blob_client(key).get_blob_properties().version_id)


def _held(version: str) -> dict[str, Any]:
    return {"etag": version, "match_condition": MatchConditions.IfNotModified}


@contextmanager
def _faults() -> Iterator[None]:
    try:
        yield
    except (ResourceModifiedError, ResourceExistsError, ResourceNotFoundError):
        raise VersionChangedError from None
    except AzureError as error:
        raise ObjectError(reason_of(error)) from None
