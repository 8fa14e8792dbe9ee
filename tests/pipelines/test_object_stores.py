"""A prefix is listed as if it were a folder: its own object, all below it, and nothing beside it."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import boto3
import pytest

from core.errors import SourceError
from pipelines.sources.globs import Globs
from pipelines.sources.object_stores import ObjectWalk
from pipelines.sources.sources import Sources, check_sources
from tests.object_servers import s3_server

KEYS = [
    "data",
    "data/a.txt",
    "data/b/c.txt",
    "data/b/d.log",
    "data/skip/e.txt",
    "data/",
    "data2/f.txt",
    "data/out/scan=1/manifest.json",
]


@pytest.fixture(scope="module", autouse=True)
def bucket() -> Iterator[Any]:
    with s3_server() as environment, pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        client = boto3.client("s3")
        client.create_bucket(Bucket="listed")
        for key in KEYS:
            client.put_object(Bucket="listed", Key=key, Body=b"" if key.endswith("/") else b"words")
        yield client


def names(walk: ObjectWalk) -> list[str]:
    return [ref.uri.removeprefix("s3://listed/") for ref in walk]


def test_a_prefix_is_a_folder() -> None:
    walk = ObjectWalk("s3://listed/data", results="s3://listed/data/out")
    assert names(walk) == ["data", "data/a.txt", "data/b/c.txt", "data/b/d.log", "data/skip/e.txt"]
    assert walk.skipped == Counter({"folder markers": 1, "results of scans": 1})


def test_a_bucket_is_a_source_and_an_object_is_one() -> None:
    assert len(names(ObjectWalk("s3://listed"))) == len(KEYS) - 1
    assert names(ObjectWalk("s3://listed/data/b/c.txt")) == ["data/b/c.txt"]


def test_globs_count_from_the_prefix_and_a_folder_left_out_takes_all_below_it() -> None:
    walk = ObjectWalk("s3://listed/data/", Globs.of(["*.txt"], ["skip"]))
    assert names(walk) == ["data/a.txt", "data/b/c.txt"]
    assert walk.skipped["excluded files"] == 3


def test_refs_tell_what_the_store_told() -> None:
    (ref,) = ObjectWalk("s3://listed/data/a.txt")
    assert (ref.uri, ref.path, ref.size, ref.source) == (
        "s3://listed/data/a.txt",
        b"s3://listed/data/a.txt",
        5,
        "s3://listed/data/a.txt",
    )
    assert len(ref.etag) == 32 and ref.mtime_ns > 0


def test_sources_that_overlap_or_are_missing_are_refused() -> None:
    check_sources(Sources(("s3://listed/data", "s3://listed/data2")))
    with pytest.raises(SourceError, match="lies in s3://listed/data"):
        check_sources(Sources(("s3://listed/data/b", "s3://listed/data")))
    with pytest.raises(SourceError, match="no object of that name"):
        check_sources(Sources(("s3://listed/dat",)))
