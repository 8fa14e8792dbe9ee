"""S3 and compatible stores, written to by boto3 under `If-Match`."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO
from urllib.parse import urlencode

from botocore.exceptions import BotoCoreError, ClientError

from extraction.opening.object_store import ObjectError
from extraction.opening.stores.s3 import S3, reason_of
from remediation.objects.store import Described, VersionChangedError

LABEL = "leakscreen"
_CHANGED = ("PreconditionFailed", "412", "ConditionalRequestConflict", "NoSuchKey", "404")


def open_store(bucket: str) -> "WritableS3":
    return WritableS3(bucket)


class WritableS3(S3):
    def describe(self, key: str) -> Described:
        with _faults():
            head = self._client.head_object(Bucket=self._bucket, Key=key)
            return Described(head.get("ContentType", ""), dict(head.get("Metadata", {})), self._tags(key))

    def put(self, key: str, content: BinaryIO, described: Described, version: str) -> None:
        how: dict[str, Any] = {"IfMatch": version} if version else {"IfNoneMatch": "*"}
        if described.content_type:
            how["ContentType"] = described.content_type
        if described.tags:
            how["Tagging"] = urlencode(described.tags)
        with _faults():
            self._client.put_object(Bucket=self._bucket, Key=key, Body=content, Metadata=described.metadata, **how)

    def delete(self, key: str, version: str) -> None:
        with _faults():
            self._client.delete_object(Bucket=self._bucket, Key=key, IfMatch=version)

    def set_label(self, key: str, label: str | None, version: str) -> None:
        """Tags know no condition: what is tagged is the version that was the newest a moment ago."""
        with _faults():
            head = self._client.head_object(Bucket=self._bucket, Key=key, IfMatch=version)
            tags = {**self._tags(key), LABEL: label}
            listed = [{"Key": name, "Value": value} for name, value in tags.items() if value is not None]
            held = {"VersionId": head["VersionId"]} if head.get("VersionId", "null") != "null" else {}
            if listed:
                self._client.put_object_tagging(Bucket=self._bucket, Key=key, Tagging={"TagSet": listed}, **held)
            else:
                self._client.delete_object_tagging(Bucket=self._bucket, Key=key, **held)

    def keeps_versions(self, key: str) -> bool:
        with _faults():
            return bool(self._client.get_bucket_versioning(Bucket=self._bucket).get("Status") == "Enabled")

    def _tags(self, key: str) -> dict[str, str]:
        listed = self._client.get_object_tagging(Bucket=self._bucket, Key=key)["TagSet"]
        return {tag["Key"]: tag["Value"] for tag in listed}


@contextmanager
def _faults() -> Iterator[None]:
    try:
        yield
    except ClientError as error:
        if str(error.response.get("Error", {}).get("Code")) in _CHANGED:
            raise VersionChangedError from None
        raise ObjectError(reason_of(error)) from None
    except BotoCoreError as error:
        raise ObjectError(reason_of(error)) from None
