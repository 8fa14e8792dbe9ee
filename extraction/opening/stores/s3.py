"""S3 and compatible stores, by boto3; the environment gives endpoint and credentials, as for every AWS tool."""

from collections.abc import Iterator
from typing import Any

import boto3
from botocore.config import Config
from botocore.exceptions import BotoCoreError, ClientError, HTTPClientError, NoCredentialsError

from core.settings import SourceSettings
from extraction.opening.object_store import Fetched, ObjectError, StoredObject

_CHUNK = 1 << 20
_CONFIG = Config(
    connect_timeout=10, read_timeout=60, retries={"mode": "standard", "max_attempts": 5}, max_pool_connections=16
)
_REASONS = {
    "NoSuchKey": "vanished",
    "NoSuchBucket": "no such bucket",
    "404": "vanished",
    "AccessDenied": "permission denied",
    "403": "permission denied",
    "InvalidAccessKeyId": "permission denied",
    "SignatureDoesNotMatch": "permission denied",
    "PreconditionFailed": "changed while it was fetched",
    "412": "changed while it was fetched",
    "ExpiredToken": "credentials have expired",
    "InvalidObjectState": "in an archive tier; it must be restored first",
}
_EMPTY_OBJECT = "InvalidRange"  # an empty object has no first byte


def open_store(place: str, settings: SourceSettings) -> "S3":
    return S3(place.partition("://")[2])


class S3:
    def __init__(self, bucket: str) -> None:
        self._bucket = bucket
        self._client = boto3.session.Session().client("s3", config=_CONFIG)

    def objects(self, prefix: str) -> Iterator[StoredObject]:
        pages = self._client.get_paginator("list_objects_v2").paginate(
            Bucket=self._bucket, Prefix=prefix, FetchOwner=True
        )
        try:
            for page in pages:
                for entry in page.get("Contents", ()):
                    yield _stored(entry)
        except (ClientError, BotoCoreError) as error:
            raise ObjectError(reason_of(error)) from None

    def close(self) -> None:
        self._client.close()

    def fetch(self, key: str, most: int, start: int = 0, version: str = "") -> Fetched:
        held = {"IfMatch": version} if version else {}
        try:
            response = self._client.get_object(
                Bucket=self._bucket, Key=key, Range=f"bytes={start}-{start + most - 1}", **held
            )
        except ClientError as error:
            if error.response.get("Error", {}).get("Code") == _EMPTY_OBJECT:
                return Fetched(0, iter(()))
            raise ObjectError(reason_of(error)) from None
        except BotoCoreError as error:
            raise ObjectError(reason_of(error)) from None
        total = response.get("ContentRange", "").rpartition("/")[2]
        return Fetched(
            int(total) if total.isdigit() else response["ContentLength"],
            _chunks(response["Body"], most),
            response["ETag"],
        )


def _chunks(body: Any, most: int) -> Iterator[bytes]:
    """No more than requested: a server may ignore the range."""
    try:
        while most > 0 and (chunk := body.read(min(_CHUNK, most))):
            most -= len(chunk)
            yield chunk
    except (BotoCoreError, HTTPClientError, OSError) as error:
        raise ObjectError(reason_of(error)) from None
    finally:
        body.close()


def _stored(entry: dict[str, Any]) -> StoredObject:
    owner = entry.get("Owner") or {}
    seconds = entry["LastModified"].timestamp()
    return StoredObject(
        entry["Key"],
        entry["Size"],
        round(seconds * 1e6) * 1000,
        entry.get("ETag", "").strip('"'),
        owner.get("DisplayName") or owner.get("ID") or "",
    )


def reason_of(error: Exception) -> str:
    """Codes and class names alone: messages quote addresses and keys."""
    if isinstance(error, ClientError):
        code = str(error.response.get("Error", {}).get("Code", "error"))
        return _REASONS.get(code) or f"the store refused it ({code})"
    if isinstance(error, NoCredentialsError):
        return "no credentials"
    return f"the store cannot be reached ({type(error).__name__})"
