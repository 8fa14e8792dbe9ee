"""Actions on objects of real servers: the condition holds, metadata and tags come back, older versions stay."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import boto3
import pytest
from google.cloud import storage  # type: ignore[attr-defined]

from remediation.action import Kind, State
from remediation.objects import store as store_module
from remediation.objects.actions import SwapObject
from remediation.objects.store import StoredPlace
from tests.object_servers import gcs_server, s3_server
from tests.remediation.trial import Trial, sha256_of

CONTENT = b"Patient Maria Kowalczyk, chest pain\n" * 40_000  # more than one piece of the vault


@pytest.fixture(scope="module")
def s3() -> Iterator[Any]:
    with s3_server() as environment, pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        store_module._store_of.cache_clear()
        client = boto3.client("s3")
        for bucket in ("plain", "versioned"):
            client.create_bucket(Bucket=bucket)
        client.put_bucket_versioning(Bucket="versioned", VersioningConfiguration={"Status": "Enabled"})
        yield client


@pytest.fixture(scope="module")
def gcs() -> Iterator[Any]:
    with gcs_server() as environment, pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        store_module._store_of.cache_clear()
        yield storage.Client().create_bucket("plain")


class Bucket:
    """The same few calls for both stores."""

    def __init__(self, address: str, put: Callable[[str, bytes], object], get: Callable[[str], bytes | None]) -> None:
        self.address, self.put, self.get = address, put, get


@pytest.fixture(params=["s3 plain", "s3 versioned", "gs"])
def bucket(request: pytest.FixtureRequest) -> Bucket:
    if request.param == "gs":
        held = request.getfixturevalue("gcs")

        def fetched(key: str) -> bytes | None:
            blob = held.get_blob(key)
            return None if blob is None else bytes(blob.download_as_bytes())

        return Bucket("gs://plain", lambda key, data: held.blob(key).upload_from_string(data), fetched)
    client, name = request.getfixturevalue("s3"), request.param.split()[1]

    def read(key: str) -> bytes | None:
        try:
            return bytes(client.get_object(Bucket=name, Key=key)["Body"].read())
        except client.exceptions.NoSuchKey:
            return None

    return Bucket(f"s3://{name}", lambda key, data: client.put_object(Bucket=name, Key=key, Body=data), read)


@pytest.fixture
def trial(tmp_path: Path) -> Trial:
    return Trial(tmp_path)


def test_an_object_is_quarantined_and_comes_back(trial: Trial, bucket: Bucket) -> None:
    bucket.put("d/quarantine.txt", CONTENT)
    action = trial.run(trial.approved(Kind.QUARANTINE, f"{bucket.address}/d/quarantine.txt", CONTENT))
    assert action.state is State.DONE, action.note
    note = bucket.get("d/quarantine.txt")
    assert note is not None and action.id.encode() in note and b"Kowalczyk" not in note
    assert trial.vault.content_hash(action.id) == sha256_of(CONTENT)
    assert ("older version" in action.note) is ("versioned" in bucket.address)
    assert trial.undo(action).state is State.UNDONE
    assert bucket.get("d/quarantine.txt") == CONTENT and list(trial.vault.folder.iterdir()) == []


def test_an_object_is_deleted_moved_and_labelled(trial: Trial, bucket: Bucket) -> None:
    for name in ("delete", "move", "label"):
        bucket.put(name, CONTENT)
    address = bucket.address
    assert trial.run(trial.approved(Kind.DELETE, f"{address}/delete", CONTENT)).state is State.DONE
    assert bucket.get("delete") is None
    moved = trial.run(trial.approved(Kind.MOVE, f"{address}/move", CONTENT, to=f"{address}/away/move"))
    assert moved.state is State.DONE and bucket.get("move") is None and bucket.get("away/move") == CONTENT
    assert trial.undo(moved).state is State.UNDONE
    assert bucket.get("move") == CONTENT and bucket.get("away/move") is None
    labelled = trial.run(trial.approved(Kind.LABEL, f"{address}/label", CONTENT))
    assert labelled.state is State.DONE and _label(address) == f"restricted {labelled.id}"
    assert trial.undo(labelled).state is State.UNDONE and _label(address) is None
    assert bucket.get("label") == CONTENT


def _label(address: str) -> str | None:
    described = store_module.stored_place(f"{address}/label").describe()
    return described.tags.get("leakscreen") or described.metadata.get("leakscreen")


@pytest.mark.parametrize("kind", [Kind.QUARANTINE, Kind.DELETE, Kind.MOVE, Kind.LABEL])
def test_an_object_that_changed_is_left_alone(trial: Trial, bucket: Bucket, kind: Kind) -> None:
    bucket.put("changed", b"newer")
    to = f"{bucket.address}/elsewhere"
    ended = trial.run(trial.approved(kind, f"{bucket.address}/changed", CONTENT, to=to))
    assert ended.state is State.LEFT and bucket.get("changed") == b"newer"


def test_access_to_objects_is_left_to_their_bucket(trial: Trial, bucket: Bucket) -> None:
    bucket.put("restrict", CONTENT)
    ended = trial.run(trial.approved(Kind.RESTRICT, f"{bucket.address}/restrict", CONTENT))
    assert ended.state is State.LEFT and "bucket" in ended.note


def test_metadata_type_and_tags_come_back(trial: Trial, s3: Any) -> None:
    s3.put_object(
        Bucket="plain", Key="k", Body=CONTENT, ContentType="text/x-note", Metadata={"ward": "3"}, Tagging="a=b&c=d%20e"
    )
    action = trial.run(trial.approved(Kind.QUARANTINE, "s3://plain/k", CONTENT))
    assert s3.get_object_tagging(Bucket="plain", Key="k")["TagSet"] == []
    trial.undo(action)
    head = s3.head_object(Bucket="plain", Key="k")
    assert (head["ContentType"], head["Metadata"]) == ("text/x-note", {"ward": "3"})
    tags = {tag["Key"]: tag["Value"] for tag in s3.get_object_tagging(Bucket="plain", Key="k")["TagSet"]}
    assert tags == {"a": "b", "c": "d e"}


def test_older_versions_stay(trial: Trial, s3: Any) -> None:
    s3.put_object(Bucket="versioned", Key="old", Body=b"first")
    s3.put_object(Bucket="versioned", Key="old", Body=CONTENT)
    trial.run(trial.approved(Kind.DELETE, "s3://versioned/old", CONTENT))
    versions = s3.list_object_versions(Bucket="versioned", Prefix="old")
    assert len(versions["Versions"]) == 2 and len(versions["DeleteMarkers"]) == 1


@pytest.mark.parametrize("kind", [Kind.QUARANTINE, Kind.DELETE])
def test_a_version_that_comes_at_the_last_moment_is_kept(
    trial: Trial, s3: Any, kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the last look and the request: the store itself refuses. (The GCS emulator knows no conditions.)"""
    s3.put_object(Bucket="plain", Key="race", Body=CONTENT)
    name = "put" if kind is Kind.QUARANTINE else "delete"
    step = getattr(StoredPlace, name)

    def late(place: StoredPlace, *arguments: Any) -> None:
        s3.put_object(Bucket="plain", Key="race", Body=b"newer")
        step(place, *arguments)

    monkeypatch.setattr(StoredPlace, name, late)
    ended = trial.run(trial.approved(kind, "s3://plain/race", CONTENT))
    assert ended.state is State.LEFT and "changed in the store" in ended.note
    assert s3.get_object(Bucket="plain", Key="race")["Body"].read() == b"newer"
    assert not trial.vault.folder.exists() or list(trial.vault.folder.iterdir()) == []


@pytest.mark.parametrize("moment", ["before the request", "after the request"])
def test_a_crash_around_the_request_is_finished(trial: Trial, s3: Any, moment: str) -> None:
    s3.put_object(Bucket="plain", Key="crash", Body=CONTENT)
    action = trial.approved(Kind.QUARANTINE, "s3://plain/crash", CONTENT)
    begun = trial.register.record("bob", "begun", action.id, SwapObject().begin(action, trial.here))
    trial.vault.seal(action.id, iter([CONTENT]), {"content_type": "", "metadata": {}, "tags": {}})
    if moment == "after the request":
        s3.put_object(Bucket="plain", Key="crash", Body=str(begun.facts["text"]).encode())
    (done,) = trial.runner().resume()
    assert done.state is State.DONE and trial.vault.holds(action.id)
    assert trial.undo(done).state is State.UNDONE
    assert s3.get_object(Bucket="plain", Key="crash")["Body"].read() == CONTENT


def test_a_store_that_cannot_be_reached_keeps_what_was_begun_open(
    trial: Trial, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"AWS_ENDPOINT_URL": "http://127.0.0.1:9", "AWS_ACCESS_KEY_ID": "x"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "x")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_MAX_ATTEMPTS", "1")
    action = trial.approved(Kind.DELETE, "s3://nowhere/k", CONTENT)
    trial.register.record("bob", "begun", action.id, {})
    (waiting,) = trial.runner().resume()
    assert waiting.state is State.BEGUN and "the store" in waiting.note
